//! Inline assembly, whose text is not interpreted: its outputs are havocked (become any
//! value), and `asm goto` may go to any of its labels. That it does no more is
//! supposed, and said with the verdict ([`StmtKind::Asm`]).
//!
//! An empty template does nothing, as compiler barriers want it: an output is then
//! what it was, or the input that is tied to it. Nothing is supposed of it.

use cairn_base::Span;
use cairn_csyntax::ast;

use crate::check::{Checker, Res, error, unsupported};
use crate::convert::{Into, Operand, place_has_effects};
use crate::hir::{Expr, ExprKind, LValue, LValueKind, LocalId, Size, Stmt, StmtKind};
use crate::types::{QType, Type, TypeId};

/// Outputs that are no scalars are written byte by byte, up to this size.
const LARGEST: u64 = 256;

impl Checker {
    pub(crate) fn asm(&mut self, asm: &ast::Asm, out: &mut Vec<Stmt>) -> Res<()> {
        let span = asm.span;
        let empty = asm.template.trim().is_empty();
        let mut places = Vec::with_capacity(asm.outputs.len());
        for output in &asm.outputs {
            let Operand::Place(place) = self.expr(&output.value)? else {
                return error(output.value.span, "lvalue required in 'asm' statement");
            };
            self.require_supported(place.ty.id, span)?;
            places.push(self.fixed_place(place, out)?);
        }
        let mut tied: Vec<Option<(LocalId, TypeId)>> = vec![None; places.len()];
        for input in &asm.inputs {
            let value = self.asm_input(input)?;
            match (value, tied_to(input, &asm.outputs)) {
                (Some(value), Some(index)) if empty && index < tied.len() => {
                    let ty = value.ty;
                    let (local, init) = self.hold(value)?;
                    out.push(init);
                    tied[index] = Some((local, ty));
                }
                (Some(value), _) => out.push(self.discarded(value)),
                (None, _) => {}
            }
        }
        if !empty {
            out.push(Stmt { kind: StmtKind::Asm, span });
        }
        for ((place, output), tied) in places.into_iter().zip(&asm.outputs).zip(tied) {
            match tied {
                _ if empty && output.constraint.contains('+') => {}
                Some((local, ty)) => {
                    let value = self.read_local(local, ty, span);
                    let value = self.assign_to(value, place.ty.id, Into::Assign)?;
                    out.push(assignment(place, value, span));
                }
                None => self.any_value(place, span, out)?,
            }
        }
        for &(name, at) in &asm.labels {
            let label = self.label(name, at)?;
            if !empty {
                let cond = Expr { kind: ExprKind::Unknown, ty: self.common.int, span };
                let then = Box::new(Stmt { kind: StmtKind::Goto(label), span: at });
                out.push(Stmt { kind: StmtKind::If { cond, then, other: None }, span });
            }
        }
        Ok(())
    }

    /// The value of an input; `None` for an operand in memory, which is not read here.
    fn asm_input(&mut self, input: &ast::AsmOperand) -> Res<Option<Expr>> {
        let operand = self.expr(&input.value)?;
        let record = matches!(self.types.get(self.operand_type(&operand).id), Type::Record(_));
        let in_memory =
            record || !input.constraint.contains(|c: char| "rgqQabcdSDinX0123456789[".contains(c));
        match operand {
            Operand::Place(place) if in_memory => {
                let address = place_has_effects(&place)
                    .then(|| self.address_of(Operand::Place(place), input.value.span));
                address.transpose()
            }
            other => self.value(other).map(Some),
        }
    }

    /// The place with its address computed now.
    fn fixed_place(&mut self, place: LValue, out: &mut Vec<Stmt>) -> Res<LValue> {
        let LValue { kind, ty, span } = place;
        let kind = match kind {
            LValueKind::Deref(pointer) => {
                let to = pointer.ty;
                let (local, init) = self.hold(*pointer)?;
                out.push(init);
                LValueKind::Deref(Box::new(self.read_local(local, to, span)))
            }
            LValueKind::Member { base, offset, bits } => {
                LValueKind::Member { base: Box::new(self.fixed_place(*base, out)?), offset, bits }
            }
            other => other,
        };
        Ok(LValue { kind, ty, span })
    }

    fn any_value(&mut self, place: LValue, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let ty = place.ty.id;
        if self.is_scalar(ty) {
            let value = Expr { kind: ExprKind::Unknown, ty, span };
            out.push(assignment(place, value, span));
            return Ok(());
        }
        let Some(size) = self.types.size_of(ty).filter(|&size| size <= LARGEST) else {
            return unsupported(span, "inline assembly with an output of this size");
        };
        let byte = QType::plain(self.common.uchar);
        let pointer = self.pointer_to(byte);
        let address = self.address_of(Operand::Place(place), span)?;
        let (local, init) = self.hold(self.cast_to(address, pointer))?;
        out.push(init);
        for n in 0..size {
            let start = Box::new(self.read_local(local, pointer, span));
            let index = Box::new(self.size_constant(n, span));
            let kind = ExprKind::PtrAdd { ptr: start, index, size: Size::Const(1), negative: false };
            let at = Expr { kind, ty: pointer, span };
            let place = LValue { kind: LValueKind::Deref(Box::new(at)), ty: byte, span };
            let value = Expr { kind: ExprKind::Unknown, ty: byte.id, span };
            out.push(assignment(place, value, span));
        }
        Ok(())
    }

    fn discarded(&self, value: Expr) -> Stmt {
        let span = value.span;
        let e = Expr { kind: ExprKind::Cast(Box::new(value)), ty: self.common.void, span };
        Stmt { kind: StmtKind::Expr(e), span }
    }
}

fn assignment(dst: LValue, value: Expr, span: Span) -> Stmt {
    let ty = dst.ty.id;
    let e = Expr { kind: ExprKind::Assign { dst, value: Box::new(value) }, ty, span };
    Stmt { kind: StmtKind::Expr(e), span }
}

/// The output that shares its register with an input: by number (`"0"`) or by name (`"[out]"`).
fn tied_to(input: &ast::AsmOperand, outputs: &[ast::AsmOperand]) -> Option<usize> {
    let text = input.constraint.trim_start_matches(['%', '&']);
    if let Some(name) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        return outputs.iter().position(|o| o.name.is_some_and(|n| n.as_str() == name));
    }
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
