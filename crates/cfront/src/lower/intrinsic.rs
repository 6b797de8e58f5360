//! Functions whose meaning lowering knows by their name, if nobody defines them:
//! those that verification tasks use to talk to the verifier, and `__cairn_…`,
//! the vocabulary in which the models of the C library are written.

use cairn_base::{Span, Symbol};
use cairn_ctyped::hir::Expr;
use cairn_ctyped::types::Type;
use cairn_ir::{
    AllocKind, BinOp, Builtin, Callee, DataModel, ExprId, FloatTy, IntTy, MathFn, Op, Site, Ty, UnOp, sym,
};

use super::call::Dest;
use super::cursor::Target;
use super::func::Fun;

#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Known {
    /// A nondeterministic value of the function's type, under this name.
    Input(Symbol),
    /// As `Input`, named by the C function itself.
    Nondet,
    Assume,
    Assert,
    Alloc {
        zeroed: bool,
    },
    Free,
    Copy {
        may_overlap: bool,
    },
    Fill,
    /// Says what is supposed of the world outside where this is called.
    Suppose,
    /// The area in which a `va_list` stands.
    VaArea,
    /// Does nothing but evaluate its arguments: `exit` has no handlers to run unless the model of
    /// `atexit` is there.
    Nothing,
    /// The rounding mode of <fenv.h>: to nearest, unless the program may change it.
    Rounding,
    Unary(UnOp),
    Binary(BinOp),
    Builtin(Builtin),
}

/// What harnesses written for CBMC call to get a value, with any scalar type for a result:
/// `nondet_` and anything.
pub(super) fn is_cprover_input(name: &str) -> bool {
    name.starts_with("nondet_")
}

/// How the primitives of verifiers begin, and whose they are. Without its primitive a harness says
/// something else, so that one which is not modelled is refused.
const PRIMITIVES: &[(&str, &str)] = &[
    ("__CPROVER_", "CBMC"),
    ("__ESBMC_", "ESBMC"),
    ("__VERIFIER_", "SV-COMP"),
    ("klee_", "KLEE"),
    ("kleener_", "KLEE"),
    ("__SMACK_", "SMACK"),
    ("__frama_c_", "Frama-C"),
    ("__FRAMAC_", "Frama-C"),
    ("Frama_C_", "Frama-C"),
    ("__goblint_", "Goblint"),
    ("__ultimate_", "Ultimate"),
    ("__CPAchecker_", "CPAchecker"),
    ("__SEAHORN_", "SeaHorn"),
    ("__seahorn_", "SeaHorn"),
    ("__DIVINE_", "DIVINE"),
    ("__divine_", "DIVINE"),
    ("__dios_", "DIVINE"),
    ("__vm_", "DIVINE"),
    ("__symbiotic_", "Symbiotic"),
    ("__INSTR_", "Symbiotic"),
    ("___sl_", "Predator"),
    ("__VERIFAST_", "VeriFast"),
    ("__MOPSA_", "Mopsa"),
    ("_mopsa_", "Mopsa"),
    ("__astree_", "Astrée"),
    ("__ASTREE_", "Astrée"),
];

/// The verifier whose primitive a function of this name is.
pub(super) fn owner(name: &str) -> Option<&'static str> {
    PRIMITIVES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, tool)| *tool)
}

pub(super) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

pub(super) fn find(name: &str) -> Option<Known> {
    match name {
        "reach_error" => return Some(Known::Builtin(Builtin::Error)),
        // Without <assert.h> there is no such function, but tasks use it.
        "assert" => return Some(Known::Assert),
        _ if !name.starts_with("__") => return None,
        _ => {}
    }
    if let Some(rest) = name.strip_prefix("__cairn_") {
        return vocabulary(rest);
    }
    if name.starts_with("__VERIFIER_nondet_") || name.starts_with("__ESBMC_nondet_") {
        return Some(Known::Nondet);
    }
    match name {
        "__VERIFIER_error" => Some(Known::Builtin(Builtin::Error)),
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" => Some(Known::Assume),
        "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" => Some(Known::Assert),
        "__CPROVER_precondition" | "__CPROVER_postcondition" => Some(Known::Assert),
        // Goals of coverage and remarks for traces.
        "__CPROVER_cover" | "__CPROVER_input" | "__CPROVER_output" | "__ESBMC_cover" => Some(Known::Nothing),
        // Advice to another tool's unwinding.
        "__ESBMC_unroll" => Some(Known::Nothing),
        _ => None,
    }
}

fn vocabulary(name: &str) -> Option<Known> {
    Some(match name {
        "alloc" => Known::Alloc { zeroed: false },
        "alloc_zeroed" => Known::Alloc { zeroed: true },
        "free" => Known::Free,
        "copy" => Known::Copy { may_overlap: false },
        "move" => Known::Copy { may_overlap: true },
        "fill" => Known::Fill,
        "va_area" => Known::VaArea,
        "run_exit_handlers" => Known::Nothing,
        "rounding_mode" => Known::Rounding,
        "assume" => Known::Assume,
        "exit" => Known::Builtin(Builtin::Exit),
        "abort" => Known::Builtin(Builtin::Abort),
        "assert_fail" => Known::Builtin(Builtin::AssertFail),
        "printf" => Known::Builtin(Builtin::Printf),
        "snprintf" => Known::Builtin(Builtin::Snprintf),
        "write" => Known::Builtin(Builtin::Write),
        "object_size" => Known::Builtin(Builtin::ObjectSize),
        "place" => Known::Builtin(Builtin::Place),
        "strtof" => Known::Builtin(Builtin::Strtod(FloatTy::F32)),
        "strtod" => Known::Builtin(Builtin::Strtod(FloatTy::F64)),
        "strtold" => Known::Builtin(Builtin::Strtod(FloatTy::X80)),
        "suppose" => Known::Suppose,
        // What the outside decides is an input that bears the name of the library function.
        _ => match name.strip_prefix("input_") {
            Some(function) => Known::Input(sym(function)),
            None => return float_operation(name),
        },
    })
}

/// `floor_f`, `sin_d`, `pow_l`, …: an operation and, by its last letter, its precision.
fn float_operation(name: &str) -> Option<Known> {
    let (op, ty) = match name.split_at_checked(name.len().checked_sub(2)?)? {
        (op, "_f") => (op, FloatTy::F32),
        (op, "_d") => (op, FloatTy::F64),
        (op, "_l") => (op, FloatTy::X80),
        _ => return None,
    };
    use MathFn::*;
    let function = match op {
        "fabs" => return Some(Known::Unary(UnOp::Fabs)),
        "sqrt" => return Some(Known::Unary(UnOp::Sqrt)),
        "floor" => return Some(Known::Unary(UnOp::Floor)),
        "ceil" => return Some(Known::Unary(UnOp::Ceil)),
        "trunc" => return Some(Known::Unary(UnOp::Trunc)),
        "rint" => return Some(Known::Unary(UnOp::RoundEven)),
        "round" => return Some(Known::Unary(UnOp::RoundAway)),
        "isnan" => return Some(Known::Unary(UnOp::IsNan)),
        "isinf" => return Some(Known::Unary(UnOp::IsInf)),
        "signbit" => return Some(Known::Unary(UnOp::SignBit)),
        "fmod" => return Some(Known::Binary(BinOp::Rem)),
        "fmin" => return Some(Known::Binary(BinOp::Fmin)),
        "fmax" => return Some(Known::Binary(BinOp::Fmax)),
        "copysign" => return Some(Known::Binary(BinOp::CopySign)),
        "sin" => Sin,
        "cos" => Cos,
        "tan" => Tan,
        "asin" => Asin,
        "acos" => Acos,
        "atan" => Atan,
        "atan2" => Atan2,
        "sinh" => Sinh,
        "cosh" => Cosh,
        "tanh" => Tanh,
        "asinh" => Asinh,
        "acosh" => Acosh,
        "atanh" => Atanh,
        "exp" => Exp,
        "exp2" => Exp2,
        "expm1" => Expm1,
        "log" => Log,
        "log2" => Log2,
        "log10" => Log10,
        "log1p" => Log1p,
        "pow" => Pow,
        "cbrt" => Cbrt,
        "hypot" => Hypot,
        "remainder" => Remainder,
        "fdim" => Fdim,
        "fma" => Fma,
        "erf" => Erf,
        "erfc" => Erfc,
        "tgamma" => Tgamma,
        "lgamma" => Lgamma,
        "nextafter" => NextAfter,
        _ => return None,
    };
    Some(Known::Builtin(Builtin::Math(function, ty)))
}

impl Known {
    /// The IR types of the arguments; `None` where any are taken.
    fn params(self, model: DataModel) -> Option<Vec<Ty>> {
        let size = Ty::Int(IntTy::size(model));
        Some(match self {
            Known::Input(_) | Known::Nondet | Known::Assume | Known::Assert | Known::Suppose => return None,
            Known::Unary(_) | Known::Binary(_) => return None,
            Known::Alloc { .. } => vec![size],
            Known::Nothing | Known::Rounding => vec![],
            Known::Free | Known::VaArea => vec![Ty::Ptr],
            Known::Copy { .. } => vec![Ty::Ptr, Ty::Ptr, size],
            Known::Fill => vec![Ty::Ptr, Ty::I32, size],
            Known::Builtin(b) => b.signature(model).params,
        })
    }
}

impl Fun<'_, '_> {
    /// A call of something known. As for any call, the value is given for `Dest::Value` only.
    pub fn intrinsic(
        &mut self,
        known: Known,
        name: Symbol,
        args: &[Expr],
        e: &Expr,
        dest: Dest,
    ) -> Option<ExprId> {
        match known {
            Known::Input(name) => return self.input(name, args, e, dest),
            Known::Nondet => return self.input(name, args, e, dest),
            Known::Suppose => {
                if let Some(text) = args.first().and_then(|a| self.literal(a)) {
                    let site = Site::Func(self.id);
                    self.cx.prog.suppose(site, String::from_utf8_lossy(&text));
                }
                return self.no_result(dest, e.span);
            }
            Known::Assume | Known::Assert => {
                self.checked(known, args, e);
                return self.no_result(dest, e.span);
            }
            _ => {}
        }
        let given = self.scalar_arguments(args);
        let Some(given) = self.fit_known(known, given) else {
            self.cx.unsupported(
                e.span,
                format!("a call of `{name}` with arguments of other types than its own"),
            );
            return None;
        };
        let span = e.span;
        match (known, given.as_slice()) {
            (Known::Alloc { zeroed }, &[size]) => {
                let dst = self.temp(Ty::Ptr, span);
                self.emit(Op::Alloc { dst, size, kind: AllocKind::Heap, zeroed }, span);
                let value = self.cx.prog.exprs.var(dst);
                self.place_result(value, e, dest)
            }
            (Known::Free, &[ptr]) => {
                self.emit(Op::Free { ptr, kind: AllocKind::Heap }, span);
                self.no_result(dest, span)
            }
            (Known::Copy { may_overlap }, &[dst, src, size]) => {
                self.emit(Op::Copy { dst, src, size, may_overlap }, span);
                self.no_result(dest, span)
            }
            (Known::Fill, &[dst, byte, size]) => {
                self.emit(Op::Fill { dst, byte, size }, span);
                self.no_result(dest, span)
            }
            (Known::VaArea, &[list]) => {
                // In LP64 a `va_list` argument is a pointer to the list, in ILP32 the list itself.
                let area = match self.cx.prog.model {
                    DataModel::Lp64 => self.load_pointer(list, span),
                    DataModel::Ilp32 => list,
                };
                self.place_result(area, e, dest)
            }
            (Known::Nothing, _) => self.no_result(dest, span),
            (Known::Rounding, _) => {
                let value = match self.cx.rounding {
                    Some(mode) => self.cx.prog.exprs.var(mode),
                    None => self.cx.prog.exprs.int(IntTy::I32, 0),
                };
                self.place_result(value, e, dest)
            }
            (Known::Unary(op), &[a]) => {
                let value = self.unary_rounded(op, a, span);
                self.place_result(value, e, dest)
            }
            (Known::Binary(op), &[a, b]) => {
                let value = self.cx.prog.exprs.binary(op, a, b);
                self.place_result(value, e, dest)
            }
            (Known::Builtin(builtin), _) => {
                let result = self.call_builtin(builtin, given, e, dest);
                match builtin.signature(self.cx.prog.model).ret {
                    Some(_) => result,
                    None => self.no_result(dest, span),
                }
            }
            _ => {
                self.cx.unsupported(span, format!("a call of `{name}` with this number of arguments"));
                None
            }
        }
    }

    /// The arguments in the types that are known; extra ones are dropped, as a function declared
    /// without a prototype may be given any (`reach_error(0)`).
    fn fit_known(&mut self, known: Known, given: Vec<ExprId>) -> Option<Vec<ExprId>> {
        let Some(params) = known.params(self.cx.prog.model) else {
            let float = given.iter().all(|&a| matches!(self.cx.prog.ty(a), Ty::Float(_)));
            let same = given.windows(2).all(|w| self.cx.prog.ty(w[0]) == self.cx.prog.ty(w[1]));
            return (float && same).then_some(given);
        };
        if given.len() < params.len() {
            return None;
        }
        params.into_iter().zip(given).map(|(ty, v)| self.coerce(v, ty)).collect()
    }

    pub fn input(&mut self, name: Symbol, args: &[Expr], e: &Expr, dest: Dest) -> Option<ExprId> {
        for a in args {
            self.effect(a);
        }
        let span = e.span;
        let Some(ty) = self.cx.types.scalar(e.ty) else {
            if !matches!(self.cx.types.get(e.ty), Type::Void) {
                self.cx.unsupported(span, format!("`{name}` with a result of this type"));
            }
            return self.no_result(dest, span);
        };
        let is_bool = matches!(self.cx.types.get(e.ty), Type::Bool);
        if let Dest::Var(dst) = dest
            && !is_bool
            && ty != Ty::Ptr
        {
            self.emit(Op::Input { dst, name }, span);
            return None;
        }
        // A pointer is any address, a `_Bool` the truth of any byte.
        let raw = if ty == Ty::Ptr { Ty::Int(IntTy::size(self.cx.prog.model)) } else { ty };
        let dst = self.temp(raw, span);
        self.emit(Op::Input { dst, name }, span);
        let value = self.cx.prog.exprs.var(dst);
        self.place_result(value, e, dest)
    }

    /// `assume(c)`: only executions with `c` go on. `assert(c, text)`: without `c` it fails.
    fn checked(&mut self, known: Known, args: &[Expr], e: &Expr) {
        let Some((cond, rest)) = args.split_first() else {
            return self.cx.unsupported(e.span, "an assumption or assertion of nothing");
        };
        if known == Known::Assume {
            let cond = self.truth(cond);
            if self.cx.prog.exprs.const_bits(cond) != Some(1) {
                self.emit(Op::Assume { cond, holds: true }, e.span);
            }
            for a in rest {
                self.effect(a);
            }
            return;
        }
        let (mut good, mut bad) = (Target::default(), Target::default());
        self.branch(cond, &mut good, &mut bad);
        self.bind(bad);
        let text = rest.first().filter(|t| self.cx.types.scalar(t.ty) == Some(Ty::Ptr));
        let text = match text {
            Some(text) => self.value(text),
            None => self.cx.prog.exprs.ptr(0),
        };
        let line = self.cx.place(e.span).line;
        let x = &mut self.cx.prog.exprs;
        let (null, line) = (x.ptr(0), x.int(IntTy::U32, line.into()));
        let callee = Callee::Builtin(Builtin::AssertFail);
        self.emit_end(Op::Call { dst: None, callee, args: Box::new([text, null, line, null]) }, e.span);
        self.bind(good);
    }

    /// What gives nothing but was declared (or implied) to give something gives 0.
    fn no_result(&mut self, dest: Dest, span: Span) -> Option<ExprId> {
        if let Dest::Var(dst) = dest {
            let ty = self.cx.prog.vars[dst].ty;
            let value = self.cx.prog.exprs.constant(ty, 0);
            self.emit(Op::Assign { dst, value }, span);
        }
        None
    }
}
