//! `__builtin_nan` and its kin: NaNs whose payload a text says.

use cairn_base::Span;
use cairn_csyntax::ast;
use cairn_value::{Bits, FloatTy, float};

use crate::check::{Checker, Res, unsupported};
use crate::hir::Expr;

impl Checker {
    pub(crate) fn nan(&mut self, base: &str, args: &[ast::Expr], span: Span) -> Res<Expr> {
        let literal = args.first().map(|a| &crate::init::peel(a).kind);
        let Some(ast::ExprKind::String { units, .. }) = literal else {
            return unsupported(span, "NaN with a payload that is no string literal");
        };
        let Some(tag) = nan_tag(units) else {
            return unsupported(span, "NaN with a payload that is no number");
        };
        let signalling = base.starts_with("nans");
        let ty = self.float_suffix(base.trim_start_matches("nans").trim_start_matches("nan"));
        let format = self.float_of(ty).unwrap_or(FloatTy::F64);
        // The positive NaN with this tag. The leading bit of the payload tells quiet ones; a signalling
        // one without a tag has the next bit, since a payload of zero is infinity.
        let quiet: Bits = match format {
            FloatTy::F32 => 1 << 22,
            FloatTy::F64 => 1 << 51,
            FloatTy::X80 => 1 << 62,
            FloatTy::F128 => 1 << 111,
        };
        let payload = match (signalling, tag & (quiet - 1)) {
            (false, tag) => quiet | tag,
            (true, 0) => quiet >> 1,
            (true, tag) => tag,
        };
        let bits = float::infinity(format, false) | payload;
        Ok(self.constant(bits, ty, span))
    }
}

/// The number that the text given to `__builtin_nan` is: octal, decimal or hexadecimal, as in C; none
/// is 0.
fn nan_tag(units: &[u32]) -> Option<Bits> {
    let text: String = units.iter().map(|&u| char::from_u32(u)).collect::<Option<_>>()?;
    if text.is_empty() {
        return Some(0);
    }
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if text.starts_with('0') => (&text[..], 8),
        None => (&text[..], 10),
    };
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Bits::from_str_radix(digits, radix).ok()
}
