//! Checking C text in tests.

use cairn_base::{DataModel, Diagnostic, with_big_stack};
use cairn_csyntax::source::Naming;
use cairn_csyntax::{Dialect, SourceMap, parse};
use cairn_ctyped::Checker;
use cairn_ctyped::hir::Program;

/// The typed program of one unit, or what is wrong with it.
pub fn check(text: &str, model: DataModel) -> Result<Program, Vec<Diagnostic>> {
    check_units(&[text], model)
}

/// The typed program of several units linked.
pub fn check_units(units: &[&str], model: DataModel) -> Result<Program, Vec<Diagnostic>> {
    with_big_stack(|| {
        let mut map = SourceMap::new();
        let mut checker = Checker::new(model);
        for (i, text) in units.iter().enumerate() {
            let name = format!("unit{i}.c");
            let src =
                map.add_unit(&name, text.as_bytes().to_vec(), Naming::default()).map_err(|d| vec![d])?;
            let unit = parse(src, map.text(src), Dialect::default()).map_err(|d| vec![d])?;
            checker.unit(&unit)?;
        }
        Ok(checker.finish().0)
    })
}
