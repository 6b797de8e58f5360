//! What a verdict takes for granted about machine, compiler and library: the
//! conventions under which the program is read. Each is said only if the program
//! does something that it bears on, so that what is said is worth reading.

use std::collections::BTreeSet;

use cairn_ir::callgraph::CallGraph;
use cairn_ir::{AllocKind, BinOp, Builtin, Callee, Expr, ExprId, IntTy, Op, Program, Ty, UnOp};
use cairn_sem::SignedOverflow;
use rustc_hash::FxHashSet;

use crate::task::Options;

/// What the program uses that conventions are about.
#[derive(Default)]
struct Uses {
    heap: bool,
    floats: bool,
    /// The program may change the rounding mode.
    directed: bool,
    signed: bool,
    /// Functions of the C library without an exact meaning.
    math: BTreeSet<String>,
}

/// The conventions that matter for what a run of the program may reach.
pub fn conventions(p: &Program, options: &Options) -> Vec<String> {
    let uses = Uses::new(p);
    let mut out = Vec::new();
    if uses.signed {
        out.push(match options.signed_overflow {
            SignedOverflow::Wrap => "signed arithmetic wraps around".to_owned(),
            SignedOverflow::Undefined => {
                "executions end where signed arithmetic overflows (--signed-overflow undefined)".to_owned()
            }
        });
    }
    if uses.heap {
        out.push(format!(
            "allocating memory succeeds for sizes below 2^{} bytes and gives a null pointer above",
            p.model.ptr_bits() - 1
        ));
    }
    if uses.floats {
        let mode = if uses.directed { "in the mode that is set" } else { "to nearest, ties to even" };
        out.push(format!("floating-point arithmetic is IEEE 754, rounding {mode}"));
    }
    if !uses.math.is_empty() {
        let names: Vec<&str> = uses.math.iter().map(String::as_str).collect();
        out.push(format!(
            "proofs allow any result of {}; executions use the C library's of this machine",
            names.join(", ")
        ));
    }
    out
}

/// Is it an operation that rounds in a direction?
fn is_directed(p: &Program, x: ExprId) -> bool {
    matches!(
        p.exprs.get(x),
        Expr::Binary(BinOp::AddTo(_) | BinOp::SubTo(_) | BinOp::MulTo(_) | BinOp::DivTo(_), ..)
            | Expr::Unary(UnOp::SqrtTo(_) | UnOp::ConvertTo(..), _)
    )
}

impl Uses {
    fn new(p: &Program) -> Uses {
        let mut uses = Uses::default();
        let Some(entry) = p.entry else { return uses };
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        for f in CallGraph::new(p).reachable(entry) {
            let Some(body) = &p.funcs[f].body else { continue };
            for &e in &body.edges {
                uses.operation(&p.edges[e].op);
                let mut work = Vec::new();
                p.edges[e].op.each_expr(|x| work.push(x));
                while let Some(x) = work.pop() {
                    if !seen.insert(x) {
                        continue;
                    }
                    uses.floats |= matches!(p.ty(x), Ty::Float(_));
                    uses.directed |= is_directed(p, x);
                    // The models wrap on purpose, if at all.
                    uses.signed |= !p.funcs[f].is_model && may_overflow(p, x);
                    work.extend(p.exprs.children(x));
                }
            }
        }
        uses
    }

    fn operation(&mut self, op: &Op) {
        match op {
            Op::Alloc { kind: AllocKind::Heap, .. } => self.heap = true,
            Op::Call { callee: Callee::Builtin(Builtin::Math(function, _)), .. } => {
                self.math.insert(format!("{function:?}").to_lowercase());
            }
            _ => {}
        }
    }
}

/// Is it signed arithmetic whose result may not fit its type? (What integer promotion makes of
/// narrow operands and constants is not looked at.)
fn may_overflow(p: &Program, x: ExprId) -> bool {
    let operand = match p.exprs.get(x) {
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl, a, _) => a,
        Expr::Unary(UnOp::Neg, a) => a,
        _ => return false,
    };
    matches!(p.ty(operand), Ty::Int(IntTy { signed: true, .. }))
}
