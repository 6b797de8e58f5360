//! `printf` with a format that is known to store how much was written (`%n`). What
//! goes to standard output is a primitive without an effect on memory; so such a
//! call is one of a model that makes the text in memory.
//!
//! Where a format is not known here, engines and checker look for `%n` when they
//! come to the primitive, and refuse it.

use cairn_ctyped::hir::{self, Expr};
use cairn_value::format::counts;

use super::func::Fun;

/// Functions with a format, the number of its parameter, and the models that count.
const COUNTING: [(&str, usize, &str); 2] =
    [("printf", 0, "__cairn_counting_printf"), ("fprintf", 1, "__cairn_counting_fprintf")];

/// The model to be called instead of this function where a format counts.
pub fn counting(name: &str) -> Option<&'static str> {
    COUNTING.iter().find(|(plain, ..)| *plain == name).map(|(.., model)| *model)
}

impl Fun<'_, '_> {
    /// The model to be called instead of a model of the library, if the format of the call counts.
    pub fn counting_instead(&self, f: hir::FuncId, args: &[Expr]) -> Option<hir::FuncId> {
        let func = &self.cx.hir.funcs[f];
        let (_, at, model) = COUNTING.iter().find(|(plain, ..)| *plain == func.name.as_str())?;
        func.body.as_ref()?;
        if !self.cx.places.is_model(func.span.src) || !counts(&self.literal(args.get(*at)?)?) {
            return None;
        }
        let named = |(_, other): &(hir::FuncId, &hir::Func)| other.name.as_str() == *model;
        self.cx.hir.funcs.iter().find(named).map(|(id, _)| id)
    }
}
