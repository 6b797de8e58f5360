//! gcc's built-in functions that are no library functions: constants, bit
//! counts, overflow checks, float classification, variable arguments.

use cairn_base::{Span, Symbol, sym};
use cairn_csyntax::ast::{self, BinaryOp, TypeName};
use cairn_value::{BinOp, Bits, FloatTy, UnOp, float};

use crate::check::{Checker, Res, error, unsupported};
use crate::consteval::Const;
use crate::convert::{Into, Operand, has_effects};
use crate::hir::{Block, Expr, ExprKind, InitItem, LValue, LValueKind, LocalId, LocalInit, Stmt, StmtKind};
use crate::ops::{binary, unary};
use crate::types::{IntKind, QType, Type, TypeId};

/// A value that is read more than once.
#[derive(Copy, Clone)]
enum Shared {
    Constant(Bits),
    Local(LocalId),
}

impl Checker {
    /// A call of a built-in function; `None` if the name is none that is known.
    pub(crate) fn builtin(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Res<Option<Operand>> {
        let text = name.as_str();
        if let Some(base) = text.strip_prefix("__builtin_") {
            return self.gnu_builtin(base, name, args, span);
        }
        // CBMC's (and ESBMC's) predicates without a suffix take a float of any type.
        if let Some(base @ ("isnan" | "isinf" | "isfinite" | "isnormal" | "sign")) =
            text.strip_prefix("__CPROVER_").or_else(|| text.strip_prefix("__ESBMC_"))
            && !self.is_defined(name)
        {
            let base = if base == "sign" { "signbit" } else { base };
            let found = self.float_builtin(base, name, args, span)?;
            return Ok(found.map(Operand::Value));
        }
        if text.starts_with("__sync_") || text.starts_with("__atomic_") {
            return self.atomic_builtin(name, args, span);
        }
        Ok(None)
    }

    fn gnu_builtin(
        &mut self,
        base: &str,
        name: Symbol,
        args: &[ast::Expr],
        span: Span,
    ) -> Res<Option<Operand>> {
        let result = match base {
            "expect" | "expect_with_probability" => {
                let [e, rest @ ..] = args else { return self.wrong_count(name, span) };
                let e = self.rvalue(e)?;
                let e = self.assign_to(e, self.common.long, Into::Argument(1, Some(name)))?;
                self.after_effects(rest, e)?
            }
            "unreachable" => Expr { kind: ExprKind::Unreachable, ty: self.common.void, span },
            "trap" => Expr { kind: ExprKind::Trap, ty: self.common.void, span },
            "constant_p" => {
                let [e] = args else { return self.wrong_count(name, span) };
                self.unevaluated += 1;
                let value = self.rvalue(e);
                self.unevaluated -= 1;
                let constant = match self.eval_scalar(&value?) {
                    Some(Const::Num(_)) => true,
                    Some(Const::Addr { target: crate::hir::AddrTarget::Global(g), addend: 0 }) => {
                        self.globals[g].kind == crate::hir::GlobalKind::String
                    }
                    _ => false,
                };
                self.int_constant(i32::from(constant), span)
            }
            "object_size" | "dynamic_object_size" => {
                let [pointer, kind] = args else { return self.wrong_count(name, span) };
                let (kind, _) = self
                    .integer_constant(kind, "last argument of '__builtin_object_size' is not a constant")?;
                self.unevaluated += 1;
                let pointer = self.rvalue(pointer);
                self.unevaluated -= 1;
                let size = match self.room_behind(&pointer?) {
                    Some(room) if kind % 2 == 0 => room.whole,
                    Some(room) => room.part,
                    None if kind < 2 => u64::MAX,
                    None => 0,
                };
                self.size_constant(size, span)
            }
            "prefetch" => {
                let zero = self.int_constant(0, span);
                let e = self.after_effects(args, zero)?;
                Expr { kind: ExprKind::Cast(Box::new(e)), ty: self.common.void, span }
            }
            "assume_aligned" => {
                let [e, rest @ ..] = args else { return self.wrong_count(name, span) };
                let e = self.rvalue(e)?;
                let e = self.assign_to(e, self.common.void_ptr, Into::Argument(1, Some(name)))?;
                self.after_effects(rest, e)?
            }
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let [size, ..] = args else { return self.wrong_count(name, span) };
                let size = self.rvalue(size)?;
                return self.alloca(size, span).map(Some);
            }
            "va_start" | "stdarg_start" | "va_end" | "va_copy" | "next_arg" => {
                self.va_builtin(base, args, span)?
            }
            "va_arg_pack" | "va_arg_pack_len" => {
                let Some(fun) = self.fun.as_mut().filter(|f| f.variadic) else {
                    let message = format!("'__builtin_{base}' in a function with fixed arguments");
                    return unsupported(span, message);
                };
                fun.counts_arguments |= base == "va_arg_pack_len";
                let kind = if base == "va_arg_pack" { ExprKind::VaArgPack } else { ExprKind::VaArgPackLen };
                Expr { kind, ty: self.common.int, span }
            }
            "FUNCTION" => return self.function_name(span).map(Some),
            "inf" | "huge_val" | "inff" | "huge_valf" | "infl" | "huge_vall" | "inff128" | "huge_valf128" => {
                let ty = self.float_suffix(base.trim_start_matches("inf").trim_start_matches("huge_val"));
                let bits = float::infinity(self.float_of(ty).unwrap_or(FloatTy::F64), false);
                self.constant(bits, ty, span)
            }
            "nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl" | "nanf128" => self.nan(base, args, span)?,
            "bswap16" | "bswap32" | "bswap64" | "bswap128" => {
                let ty = match base {
                    "bswap16" => self.common.ushort,
                    "bswap32" => self.common.uint,
                    "bswap64" => self.int64(false),
                    _ => self.types.intern(Type::Int(IntKind::UInt128)),
                };
                let e = self.one_argument(name, args, ty, span)?;
                self.folded_unary(UnOp::Bswap, e, span)
            }
            "classify_type" => self.classify_type(name, args, span)?,
            "shuffle" | "shufflevector" => self.shuffle(name, args, span)?,
            _ => {
                if let Some(e) = self.bit_builtin(base, name, args, span)? {
                    e
                } else if let Some(e) = self.float_builtin(base, name, args, span)? {
                    e
                } else if let Some(e) = self.overflow_builtin(base, name, args, span)? {
                    e
                } else if crate::library::signature(base).is_some() {
                    let values = self.values(args)?;
                    return self.library_call(sym(base), values, span).map(Some);
                } else {
                    return Ok(None);
                }
            }
        };
        Ok(Some(Operand::Value(result)))
    }

    pub(crate) fn wrong_count<T>(&self, name: Symbol, span: Span) -> Res<T> {
        error(span, format!("wrong number of arguments to function '{name}'"))
    }

    fn values(&mut self, args: &[ast::Expr]) -> Res<Vec<Expr>> {
        args.iter().map(|a| self.rvalue(a)).collect()
    }

    /// `e`, after the arguments that only have effects.
    fn after_effects(&mut self, args: &[ast::Expr], e: Expr) -> Res<Expr> {
        let mut e = e;
        for arg in args.iter().rev() {
            let value = self.rvalue(arg)?;
            if has_effects(&value) {
                let (ty, span) = (e.ty, e.span);
                e = Expr { kind: ExprKind::Comma(Box::new(value), Box::new(e)), ty, span };
            }
        }
        Ok(e)
    }

    pub(crate) fn one_argument(
        &mut self,
        name: Symbol,
        args: &[ast::Expr],
        ty: TypeId,
        span: Span,
    ) -> Res<Expr> {
        let [e] = args else { return self.wrong_count(name, span) };
        let e = self.rvalue(e)?;
        self.assign_to(e, ty, Into::Argument(1, Some(name)))
    }

    fn int64(&self, signed: bool) -> TypeId {
        match (self.types.model, signed) {
            (cairn_base::DataModel::Lp64, true) => self.common.long,
            (cairn_base::DataModel::Lp64, false) => self.common.ulong,
            (_, true) => self.common.llong,
            (_, false) => self.common.ullong,
        }
    }

    pub(crate) fn float_suffix(&mut self, suffix: &str) -> TypeId {
        match suffix {
            "f" => self.common.float,
            "l" => self.common.ldouble,
            "f128" | "q" => self.types.intern(Type::Float(crate::types::FloatKind::Float128)),
            _ => self.common.double,
        }
    }

    /// The value of a constant whose evaluation hides no overflow from the executor.
    fn literal(&self, e: &Expr) -> Option<Bits> {
        let overflows = |op: BinOp, ty: TypeId, a: Bits, b: Bits| {
            self.types.scalar(ty).is_none_or(|ty| cairn_value::eval::overflows(op, ty, a, b))
        };
        match &e.kind {
            ExprKind::Const(_) => {}
            ExprKind::Cast(a) | ExprKind::Unary(UnOp::BitNot, a) => {
                self.literal(a)?;
            }
            ExprKind::Unary(UnOp::Neg, a) => {
                if overflows(BinOp::Sub, a.ty, 0, self.literal(a)?) {
                    return None;
                }
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                if overflows(*op, lhs.ty, self.literal(lhs)?, self.literal(rhs)?) {
                    return None;
                }
            }
            _ => return None,
        }
        self.constant_bits(e)
    }

    fn constant_bits(&self, e: &Expr) -> Option<Bits> {
        match self.eval_scalar(e) {
            Some(Const::Num(bits)) => Some(bits),
            _ => None,
        }
    }

    /// gcc's numbers for classes of types, of the converted argument.
    fn classify_type(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Res<Expr> {
        let [e] = args else { return self.wrong_count(name, span) };
        self.unevaluated += 1;
        let value = self.rvalue(e);
        self.unevaluated -= 1;
        let ty = value?.ty;
        let class = match self.types.get(ty) {
            Type::Void => 0,
            Type::Pointer(_) => 5,
            Type::Float(_) => 8,
            Type::Record(r) => {
                if self.types.records[*r].is_union {
                    13
                } else {
                    12
                }
            }
            _ => 1,
        };
        Ok(self.int_constant(class, span))
    }

    /// An operator on `e`, computed at once if `e` is a literal constant.
    fn folded_unary(&self, op: UnOp, e: Expr, span: Span) -> Expr {
        match self.literal(&e).and_then(|bits| self.fold_unary(op, e.ty, bits)) {
            Some(bits) => self.constant(bits, e.ty, span),
            None => unary(op, e, span),
        }
    }

    /// A predicate of a float as an `int`.
    fn predicate(&self, op: UnOp, e: Expr, span: Span) -> Expr {
        match self.literal(&e).and_then(|bits| self.fold_unary(op, e.ty, bits)) {
            Some(bits) => self.constant(bits, self.common.int, span),
            None => Expr { kind: ExprKind::Unary(op, Box::new(e)), ty: self.common.int, span },
        }
    }

    /// A local of the type of `e` that holds its value, to be used more than once. The returned
    /// statement initialises it.
    pub(crate) fn hold(&mut self, e: Expr) -> Res<(LocalId, Stmt)> {
        let span = e.span;
        let local = self.temp(e.ty, span)?;
        let len = self.types.size_of(e.ty).unwrap_or(0);
        let init =
            LocalInit { zero_fill: false, items: vec![InitItem { offset: 0, bits: None, value: e, len }] };
        Ok((local, Stmt { kind: StmtKind::Decl { local, init: Some(init) }, span }))
    }

    /// As `hold`, for a value that is only read. A constant needs no local, so that what is made of it
    /// is a constant, too.
    fn share(&mut self, e: Expr) -> Res<(Shared, Vec<Stmt>)> {
        if let Some(Const::Num(bits)) = self.eval_scalar(&e) {
            return Ok((Shared::Constant(bits), vec![]));
        }
        let (local, init) = self.hold(e)?;
        Ok((Shared::Local(local), vec![init]))
    }

    fn read_shared(&self, value: Shared, ty: TypeId, span: Span) -> Expr {
        match value {
            Shared::Constant(bits) => self.constant(bits, ty, span),
            Shared::Local(local) => self.read_local(local, ty, span),
        }
    }

    pub(crate) fn read_local(&self, local: LocalId, ty: TypeId, span: Span) -> Expr {
        let lv = LValue { kind: LValueKind::Local(local), ty: QType::plain(ty), span };
        Expr { kind: ExprKind::Read(lv), ty, span }
    }

    pub(crate) fn with_statements(&self, stmts: Vec<Stmt>, value: Expr) -> Expr {
        if stmts.is_empty() {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let value = (ty != self.common.void).then(|| Box::new(value));
        Expr { kind: ExprKind::StmtExpr { block: Block { locals: vec![], stmts }, value }, ty, span }
    }

    fn bit_builtin(&mut self, base: &str, name: Symbol, args: &[ast::Expr], span: Span) -> Res<Option<Expr>> {
        const NAMES: [&str; 6] = ["clrsb", "clz", "ctz", "ffs", "parity", "popcount"];
        let Some(op) = NAMES.iter().find(|n| base.starts_with(**n)) else { return Ok(None) };
        let c = self.common;
        let (signed, unsigned) = match &base[op.len()..] {
            "" => (c.int, c.uint),
            "l" => (c.long, c.ulong),
            "ll" => (c.llong, c.ullong),
            "imax" => (self.int64(true), self.int64(false)),
            _ => return Ok(None),
        };
        let arg = self.one_argument(
            name,
            args,
            if matches!(*op, "clrsb" | "ffs") { signed } else { unsigned },
            span,
        )?;
        let width = self.types.integer_of(unsigned).map_or(32, |i| i.bits);
        if let Some(bits) = self.literal(&arg) {
            let lead = |v: u128| i32::from(width) - 128 + (v.leading_zeros() as i32);
            let mask = self.types.integer_of(unsigned).map_or(0, |i| i.mask());
            let value = match *op {
                "clz" if bits != 0 => Some(lead(bits)),
                "ctz" if bits != 0 => Some(bits.trailing_zeros() as i32),
                "ffs" => Some(if bits == 0 { 0 } else { bits.trailing_zeros() as i32 + 1 }),
                "parity" => Some((bits.count_ones() % 2) as i32),
                "popcount" => Some(bits.count_ones() as i32),
                "clrsb" => {
                    let negative = bits >> (width - 1) & 1 == 1;
                    let v = if negative { !bits & mask } else { bits };
                    Some(if v == 0 { i32::from(width) - 1 } else { lead(v) - 1 })
                }
                _ => None,
            };
            if let Some(value) = value {
                return Ok(Some(self.int_constant(value, span)));
            }
        }
        let int = c.int;
        Ok(Some(match *op {
            "clz" | "ctz" | "popcount" => {
                let op = match *op {
                    "clz" => UnOp::Clz,
                    "ctz" => UnOp::Ctz,
                    _ => UnOp::Popcount,
                };
                self.cast_to(unary(op, arg, span), int)
            }
            "parity" => {
                let count = self.cast_to(unary(UnOp::Popcount, arg, span), int);
                binary(BinOp::And, count, self.int_constant(1, span), int, span)
            }
            "ffs" => {
                let (x, init) = self.hold(arg)?;
                let count = unary(UnOp::Ctz, self.cast_to(self.read_local(x, signed, span), unsigned), span);
                let count =
                    binary(BinOp::Add, self.cast_to(count, int), self.int_constant(1, span), int, span);
                let cond = ExprKind::Cond {
                    cond: Box::new(self.read_local(x, signed, span)),
                    then: Some(Box::new(count)),
                    other: Box::new(self.int_constant(0, span)),
                };
                self.with_statements(vec![init], Expr { kind: cond, ty: int, span })
            }
            // clrsb: leading zeros of x with its sign bits flipped to 0, but for one.
            _ => {
                let (x, init_x) = self.hold(arg)?;
                let sign = self.int_constant(i32::from(width) - 1, span);
                let spread = binary(BinOp::Shr, self.read_local(x, signed, span), sign, signed, span);
                let flipped = binary(BinOp::Xor, self.read_local(x, signed, span), spread, signed, span);
                let (v, init_v) = self.hold(self.cast_to(flipped, unsigned))?;
                let zeros = unary(UnOp::Clz, self.read_local(v, unsigned, span), span);
                let zeros =
                    binary(BinOp::Sub, self.cast_to(zeros, int), self.int_constant(1, span), int, span);
                let cond = ExprKind::Cond {
                    cond: Box::new(self.read_local(v, unsigned, span)),
                    then: Some(Box::new(zeros)),
                    other: Box::new(self.int_constant(i32::from(width) - 1, span)),
                };
                self.with_statements(vec![init_x, init_v], Expr { kind: cond, ty: int, span })
            }
        }))
    }

    /// An argument of real floating type; integers are taken as doubles.
    fn float_argument(&mut self, e: &ast::Expr) -> Res<Expr> {
        let e = self.rvalue(e)?;
        if self.is_float(e.ty) {
            return Ok(e);
        }
        if self.is_integer(e.ty) {
            return Ok(self.cast_to(e, self.common.double));
        }
        error(e.span, "non-floating-point argument in call of a floating-point classification function")
    }

    fn float_builtin(
        &mut self,
        base: &str,
        name: Symbol,
        args: &[ast::Expr],
        span: Span,
    ) -> Res<Option<Expr>> {
        let int = self.common.int;
        // One operation on a fixed type: the name without its suffix tells which.
        let (stem, suffix) = match base {
            "ceil" => (base, ""),
            _ => match (base.strip_suffix('f'), base.strip_suffix('l')) {
                (Some(stem), _) => (stem, "f"),
                (_, Some(stem)) => (stem, "l"),
                _ => (base, ""),
            },
        };
        let one = match stem {
            "fabs" => Some(UnOp::Fabs),
            "sqrt" => Some(UnOp::Sqrt),
            "floor" => Some(UnOp::Floor),
            "ceil" => Some(UnOp::Ceil),
            "trunc" => Some(UnOp::Trunc),
            "rint" | "nearbyint" | "roundeven" => Some(UnOp::RoundEven),
            "round" => Some(UnOp::RoundAway),
            _ => None,
        };
        if let (Some(op), [e]) = (one, args) {
            let ty = self.float_suffix(suffix);
            let e = self.rvalue(e)?;
            let e = self.assign_to(e, ty, Into::Argument(1, Some(name)))?;
            return Ok(Some(self.folded_unary(op, e, span)));
        }
        let two = match stem {
            "copysign" => Some(BinOp::CopySign),
            "fmin" => Some(BinOp::Fmin),
            "fmax" => Some(BinOp::Fmax),
            "fmod" => Some(BinOp::Rem),
            _ => None,
        };
        if let (Some(op), [a, b]) = (two, args) {
            let ty = self.float_suffix(suffix);
            let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
            let a = self.assign_to(a, ty, Into::Argument(1, Some(name)))?;
            let b = self.assign_to(b, ty, Into::Argument(2, Some(name)))?;
            return Ok(Some(binary(op, a, b, ty, span)));
        }
        match (base, args) {
            ("isnan" | "isnanf" | "isnanl", [e]) => {
                let e = self.float_argument(e)?;
                Ok(Some(self.predicate(UnOp::IsNan, e, span)))
            }
            ("isinf" | "isinff" | "isinfl", [e]) => {
                let e = self.float_argument(e)?;
                Ok(Some(self.predicate(UnOp::IsInf, e, span)))
            }
            ("signbit" | "signbitf" | "signbitl", [e]) => {
                let e = self.float_argument(e)?;
                Ok(Some(self.predicate(UnOp::SignBit, e, span)))
            }
            ("isfinite" | "finite" | "finitef" | "finitel" | "isfinitef" | "isfinitel", [e]) => {
                let e = self.float_argument(e)?;
                let (_, max) = self.normal_range(e.ty, span);
                let magnitude = unary(UnOp::Fabs, e, span);
                Ok(Some(binary(BinOp::Le, magnitude, max, int, span)))
            }
            ("isnormal", [e]) => {
                let e = self.float_argument(e)?;
                let ty = e.ty;
                let (min, max) = self.normal_range(ty, span);
                let (x, init) = self.share(unary(UnOp::Fabs, e, span))?;
                let low = binary(BinOp::Le, min, self.read_shared(x, ty, span), int, span);
                let high = binary(BinOp::Le, self.read_shared(x, ty, span), max, int, span);
                Ok(Some(self.with_statements(init, binary(BinOp::And, low, high, int, span))))
            }
            ("isinf_sign", [e]) => {
                let e = self.float_argument(e)?;
                let ty = e.ty;
                let (x, init) = self.share(e)?;
                let infinite = self.predicate(UnOp::IsInf, self.read_shared(x, ty, span), span);
                let negative = self.predicate(UnOp::SignBit, self.read_shared(x, ty, span), span);
                let sign = ExprKind::Cond {
                    cond: Box::new(negative),
                    then: Some(Box::new(self.int_constant(-1, span))),
                    other: Box::new(self.int_constant(1, span)),
                };
                let cond = ExprKind::Cond {
                    cond: Box::new(infinite),
                    then: Some(Box::new(Expr { kind: sign, ty: int, span })),
                    other: Box::new(self.int_constant(0, span)),
                };
                Ok(Some(self.with_statements(init, Expr { kind: cond, ty: int, span })))
            }
            ("fpclassify", [nan, infinite, normal, subnormal, zero, e]) => {
                self.fpclassify([nan, infinite, normal, subnormal, zero], e, span).map(Some)
            }
            (
                "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered",
                [a, b],
            ) => self.float_comparison(base, a, b, span).map(Some),
            _ => Ok(None),
        }
    }

    /// The smallest normal and the largest finite value.
    fn normal_range(&self, ty: TypeId, span: Span) -> (Expr, Expr) {
        let format = self.float_of(ty).unwrap_or(FloatTy::F64);
        let (min, max): (Bits, Bits) = match format {
            FloatTy::F32 => (1 << 23, 0x7f7f_ffff),
            FloatTy::F64 => (1 << 52, 0x7fef_ffff_ffff_ffff),
            FloatTy::X80 => ((1 << 64) | (1 << 63), (0x7ffe << 64) | u128::from(u64::MAX)),
            FloatTy::F128 => (1 << 112, (0x7ffe << 112) | ((1 << 112) - 1)),
        };
        (self.constant(min, ty, span), self.constant(max, ty, span))
    }

    fn fpclassify(&mut self, classes: [&ast::Expr; 5], e: &ast::Expr, span: Span) -> Res<Expr> {
        let int = self.common.int;
        let mut values = Vec::with_capacity(5);
        for class in classes {
            let value = self.rvalue(class)?;
            values.push(self.assign_to(value, int, Into::Assign)?);
        }
        let e = self.float_argument(e)?;
        let ty = e.ty;
        let (min, max) = self.normal_range(ty, span);
        let (x, init) = self.share(unary(UnOp::Fabs, e, span))?;
        let read = || self.read_shared(x, ty, span);
        let choose = |cond: Expr, then: Expr, other: Expr| {
            let kind =
                ExprKind::Cond { cond: Box::new(cond), then: Some(Box::new(then)), other: Box::new(other) };
            Expr { kind, ty: int, span }
        };
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or_else(|| self.int_constant(0, span));
        let (nan, infinite, normal, subnormal, zero) = (next(), next(), next(), next(), next());
        let is_zero = Expr { kind: ExprKind::LogNot(Box::new(read())), ty: int, span };
        let small = choose(is_zero, zero, subnormal);
        let finite = choose(binary(BinOp::Le, min, read(), int, span), normal, small);
        let number = choose(binary(BinOp::Le, read(), max, int, span), finite, infinite);
        let result = choose(self.predicate(UnOp::IsNan, read(), span), nan, number);
        Ok(self.with_statements(init, result))
    }

    fn float_comparison(&mut self, base: &str, a: &ast::Expr, b: &ast::Expr, span: Span) -> Res<Expr> {
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        if !self.is_arithmetic(a.ty) || !self.is_arithmetic(b.ty) {
            return error(span, "non-floating-point arguments in call of a comparison function");
        }
        let (a, b) = self.arithmetic(a, b);
        let (a, b) = if self.is_float(a.ty) {
            (a, b)
        } else {
            (self.cast_to(a, self.common.double), self.cast_to(b, self.common.double))
        };
        let op = match base {
            "isgreater" => BinaryOp::Gt,
            "isgreaterequal" => BinaryOp::Ge,
            "isless" => BinaryOp::Lt,
            "islessequal" => BinaryOp::Le,
            "isunordered" => {
                let (x, y) = (self.predicate(UnOp::IsNan, a, span), self.predicate(UnOp::IsNan, b, span));
                return Ok(binary(BinOp::Or, x, y, self.common.int, span));
            }
            _ => {
                let ty = a.ty;
                let ((x, init_x), (y, init_y)) = (self.hold(a)?, self.hold(b)?);
                let less = binary(
                    BinOp::Lt,
                    self.read_local(x, ty, span),
                    self.read_local(y, ty, span),
                    self.common.int,
                    span,
                );
                let more = binary(
                    BinOp::Lt,
                    self.read_local(y, ty, span),
                    self.read_local(x, ty, span),
                    self.common.int,
                    span,
                );
                let either = binary(BinOp::Or, less, more, self.common.int, span);
                return Ok(self.with_statements(vec![init_x, init_y], either));
            }
        };
        self.binary_values(op, a, b, span)
    }

    fn overflow_builtin(
        &mut self,
        base: &str,
        name: Symbol,
        args: &[ast::Expr],
        span: Span,
    ) -> Res<Option<Expr>> {
        let (stem, only_test) = match (base.strip_suffix("_overflow"), base.strip_suffix("_overflow_p")) {
            (Some(stem), _) => (stem, false),
            (_, Some(stem)) => (stem, true),
            _ => return Ok(None),
        };
        let (typed, rest) = match stem.as_bytes() {
            [b's', b'a' | b's' | b'm', ..] if stem != "sub" => (Some(true), &stem[1..]),
            [b'u', ..] => (Some(false), &stem[1..]),
            _ => (None, stem),
        };
        let (op, suffix) =
            match (rest.strip_prefix("add"), rest.strip_prefix("sub"), rest.strip_prefix("mul")) {
                (Some(s), _, _) => (BinOp::Add, s),
                (_, Some(s), _) => (BinOp::Sub, s),
                (_, _, Some(s)) => (BinOp::Mul, s),
                _ => return Ok(None),
            };
        let [a, b, r] = args else { return self.wrong_count(name, span) };
        let (mut a, mut b) = (self.rvalue(a)?, self.rvalue(b)?);
        let r = self.rvalue(r)?;
        if let Some(signed) = typed {
            let c = self.common;
            let ty = match (suffix, signed) {
                ("", true) => c.int,
                ("", false) => c.uint,
                ("l", true) => c.long,
                ("l", false) => c.ulong,
                ("ll", true) => c.llong,
                ("ll", false) => c.ullong,
                _ => return Ok(None),
            };
            a = self.assign_to(a, ty, Into::Argument(1, Some(name)))?;
            b = self.assign_to(b, ty, Into::Argument(2, Some(name)))?;
        }
        if !self.is_integer(a.ty) || !self.is_integer(b.ty) {
            return error(span, format!("argument of '{name}' does not have integral type"));
        }
        let (a, b) = (self.plain_integer(a), self.plain_integer(b));
        let (result, res_ty) = if only_test {
            (None, r.ty)
        } else {
            match self.pointee(r.ty) {
                Some(to) => (Some(Box::new(r)), to.id),
                None => {
                    return error(
                        span,
                        format!(
                            "argument 3 in call to function '{name}' does not have pointer to integral type"
                        ),
                    );
                }
            }
        };
        if !self.is_integer(res_ty) {
            return error(
                span,
                format!("argument 3 in call to function '{name}' does not have an integral type"),
            );
        }
        let kind = ExprKind::Overflow { op, lhs: Box::new(a), rhs: Box::new(b), result, res_ty };
        Ok(Some(Expr { kind, ty: self.common.bool, span }))
    }

    /// A bit-field's value as a value of an ordinary type.
    fn plain_integer(&mut self, e: Expr) -> Expr {
        let promoted = self.promote(e);
        let ty = self.default_promoted(promoted.ty);
        self.cast_to(promoted, ty)
    }

    /// The storage of a `va_list`: an array that decays, or in ILP32 the address of a pointer.
    fn va_storage(&mut self, list: &ast::Expr) -> Res<Expr> {
        let operand = self.expr(list)?;
        let ty = self.operand_type(&operand).id;
        let elem = match *self.types.get(self.common.va_list) {
            Type::Array { elem, .. } => Some(elem.id),
            _ => None,
        };
        match (elem, self.types.get(ty)) {
            (Some(tag), Type::Array { elem, .. }) if elem.id == tag => self.value(operand),
            (Some(tag), Type::Pointer(to)) if to.id == tag => self.value(operand),
            (None, Type::Pointer(to)) if to.id == self.common.char => match operand {
                Operand::Place(_) => self.address_of(operand, list.span),
                _ => error(list.span, "argument of type 'va_list' is no lvalue"),
            },
            // gcc takes any value as the pointer it needs.
            (Some(tag), _) if self.is_integer(ty) || self.pointee(ty).is_some() => {
                let value = self.value(operand)?;
                let pointer = self.pointer_to(QType::plain(tag));
                Ok(self.cast_to(value, pointer))
            }
            _ => unsupported(list.span, "argument is not of type 'va_list'"),
        }
    }

    fn va_builtin(&mut self, base: &str, args: &[ast::Expr], span: Span) -> Res<Expr> {
        let void = self.common.void;
        let kind = match (base, args) {
            ("va_start" | "stdarg_start", [list, ..]) => {
                if !self.fun.as_ref().is_some_and(|f| f.variadic) {
                    return unsupported(span, "'va_start' used in function with fixed arguments");
                }
                ExprKind::VaStart { list: Box::new(self.va_storage(list)?) }
            }
            ("va_end", [list]) => ExprKind::VaEnd { list: Box::new(self.va_storage(list)?) },
            ("va_copy", [dst, src]) => {
                let dst = Box::new(self.va_storage(dst)?);
                // In ILP32 the source may be any value of the pointer type.
                let operand = self.expr(src)?;
                let src = match operand {
                    Operand::Value(e) if e.ty == self.common.va_list => {
                        let ty = e.ty;
                        let (local, init) = self.hold(e)?;
                        let lv = LValue { kind: LValueKind::Local(local), ty: QType::plain(ty), span };
                        let address = self.address_of(Operand::Place(lv), span)?;
                        self.with_statements(vec![init], address)
                    }
                    _ => self.va_storage(src)?,
                };
                ExprKind::VaCopy { dst, src: Box::new(src) }
            }
            _ => return unsupported(span, format!("built-in function '__builtin_{base}' is not supported")),
        };
        Ok(Expr { kind, ty: void, span })
    }

    pub(crate) fn va_arg(&mut self, list: &ast::Expr, ty: &TypeName, span: Span) -> Res<Operand> {
        let mark = self.pending_vlas.len();
        let list = self.va_storage(list)?;
        let (ty, _) = self.type_name_of(ty)?;
        self.pending_vlas.truncate(mark);
        self.require_supported(ty.id, span)?;
        if ty.id == self.common.void {
            return Ok(Operand::Value(Expr { kind: ExprKind::Cast(Box::new(list)), ty: ty.id, span }));
        }
        if self.types.size_of(ty.id).is_none() {
            return error(
                span,
                format!("second argument to 'va_arg' is of incomplete type '{}'", self.type_name(ty)),
            );
        }
        if matches!(self.types.get(ty.id), Type::Array { .. }) {
            return unsupported(span, "'va_arg' of array type");
        }
        // gcc traps on types that are promoted when passed, for they never arrive.
        if self.default_promoted(ty.id) != ty.id && !matches!(self.types.get(ty.id), Type::Enum(_)) {
            let name = self.type_name(ty);
            return unsupported(span, format!("'va_arg' of type '{name}', which is promoted when passed"));
        }
        Ok(Operand::Value(Expr { kind: ExprKind::VaArg { list: Box::new(list) }, ty: ty.id, span }))
    }
}
