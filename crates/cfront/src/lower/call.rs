//! Calls: evaluation of the arguments, hidden parameters, conversions between
//! what the call site knows of the callee and what the callee is.

use cairn_base::Span;
use cairn_ctyped::hir::{self, Expr, ExprKind};
use cairn_ctyped::types::{FuncType, Type, TypeId};
use cairn_ir::{self as ir, Callee, ExprId, Op, Signature, Trap, Ty, VarId};

use super::effects::Effects;
use super::func::Fun;
use super::intrinsic::{self, Known};

/// Where the result of a call goes.
#[derive(Copy, Clone)]
pub(super) enum Dest {
    Nowhere,
    /// Some expression is to hold it.
    Value,
    /// A variable of the IR type of the call's C type.
    Var(VarId),
    /// A record: to this address.
    Memory(ExprId),
}

/// An evaluated argument: a scalar, or the address of a record.
#[derive(Copy, Clone)]
pub(super) enum Arg {
    Scalar(ExprId),
    Memory(ExprId),
}

impl Arg {
    fn expr(self) -> ExprId {
        match self {
            Arg::Scalar(e) | Arg::Memory(e) => e,
        }
    }
}

/// A call with its arguments evaluated.
#[derive(Copy, Clone)]
struct Call<'e> {
    args: &'e [Expr],
    values: &'e [Arg],
    /// How many of them are not variable arguments.
    fixed: usize,
    e: &'e Expr,
    dest: Dest,
    /// Nothing follows.
    ends: bool,
}

impl Fun<'_, '_> {
    /// Lowers a call. The result is an expression for `Dest::Value` (unless the function gives
    /// nothing), `None` for all other destinations, which have been written.
    pub fn call(&mut self, callee: &hir::Callee, args: &[Expr], e: &Expr, dest: Dest) -> Option<ExprId> {
        let direct = match callee {
            hir::Callee::Func(f) => Some(*f),
            hir::Callee::Ptr(p) => match p.kind {
                ExprKind::FuncAddr(f) => Some(f),
                _ => None,
            },
        };
        if let Some(f) = direct
            && self.cx.hir.funcs[f].body.is_none()
            && let Some(known) = self.known(f, e.ty)
        {
            return self.intrinsic(known, self.cx.hir.funcs[f].name, args, e, dest);
        }
        match (direct, callee) {
            (Some(f), _) => self.call_function(f, args, e, dest),
            (None, hir::Callee::Ptr(p)) => self.call_pointer(p, args, e, dest),
            (None, hir::Callee::Func(f)) => self.call_function(*f, args, e, dest),
        }
    }

    /// What lowering itself knows of a function without a body that is called for a result of this type.
    fn known(&self, f: hir::FuncId, result: TypeId) -> Option<Known> {
        let name = self.cx.hir.funcs[f].name;
        intrinsic::find(name.as_str()).or_else(|| {
            let input = intrinsic::is_cprover_input(name.as_str()) && self.cx.types.scalar(result).is_some();
            input.then_some(Known::Nondet)
        })
    }

    fn call_function(&mut self, f: hir::FuncId, args: &[Expr], e: &Expr, dest: Dest) -> Option<ExprId> {
        if let Some(scanned) = self.scan(f, args, e, dest) {
            return scanned;
        }
        let f = self.counting_instead(f, args).unwrap_or(f);
        self.cx.note_if_undefined(f, e.span);
        let func = &self.cx.hir.funcs[f];
        let id = self.cx.func(f);
        let ty = self.cx.func_type(func.ty).clone();
        let mut values = self.arguments(None, args).1;
        let fixed = match &func.body {
            Some(body) => body.params.len(),
            None if ty.prototyped => ty.params.len(),
            None => args.len(),
        };
        // `int f() {…}` called as `f(1)`: what no parameter takes is evaluated and dropped, as on
        // the real machine.
        let taken = if !ty.prototyped && !ty.variadic { args.len().min(fixed) } else { args.len() };
        let args = &args[..taken];
        values.truncate(taken);
        // What the call looks like from here; a function nobody defines takes what it is given.
        let site = self.site_signature(args, ty.variadic.then_some(fixed), e.ty);
        if func.body.is_none() && self.cx.open_signatures.remove(&id) {
            self.cx.prog.funcs[id].sig = site.clone();
        }
        let sig = self.cx.prog.funcs[id].sig.clone();
        // A function that nobody defines and that is said never to return ends the path.
        let ends = func.noreturn && func.body.is_none();
        let call = Call { args, values: &values, fixed, e, dest, ends };
        let result = match self.fit(&sig, &call) {
            Some(given) => self.emit_call(Callee::Func(id), &sig, given, &call),
            None => {
                let target = self.cx.prog.exprs.func(id);
                let fixed = if ty.variadic { fixed.min(args.len()) } else { args.len() };
                let given = values[..fixed].iter().map(|a| a.expr()).collect();
                let callee = Callee::Ptr { target, sig: Box::new(site.clone()) };
                self.emit_call(callee, &site, given, &Call { fixed, ..call })
            }
        };
        if func.noreturn {
            self.emit_end(Op::Trap(Trap::Unreachable), e.span);
        }
        result
    }

    fn call_pointer(&mut self, p: &Expr, args: &[Expr], e: &Expr, dest: Dest) -> Option<ExprId> {
        let Some(ty) = self.pointee_function(p.ty) else {
            self.cx.unsupported(p.span, "a call of what is no function");
            return None;
        };
        let target = self.value(p);
        let (target, values) = self.arguments(Some((target, p.span)), args);
        let target = target.unwrap_or_else(|| self.cx.prog.exprs.ptr(0));
        let fixed = if ty.prototyped { ty.params.len().min(args.len()) } else { args.len() };
        let sig = match ty.prototyped {
            true => self.cx.signature(&ty, ty.params.iter().copied()),
            false => self.site_signature(args, None, e.ty),
        };
        let call = Call { args, values: &values, fixed, e, dest, ends: false };
        let Some(given) = self.fit(&sig, &call) else {
            self.cx.unsupported(e.span, "a call with arguments that do not fit the function's type");
            return None;
        };
        let callee = Callee::Ptr { target, sig: Box::new(sig.clone()) };
        self.emit_call(callee, &sig, given, &call)
    }

    fn pointee_function(&self, ty: TypeId) -> Option<FuncType> {
        let ty = match self.cx.types.get(ty) {
            Type::Pointer(to) => to.id,
            _ => ty,
        };
        match self.cx.types.get(ty) {
            Type::Function(f) => Some(f.clone()),
            _ => None,
        }
    }

    /// Evaluates the callee's address (if given) and the arguments from left to right; each is
    /// kept from changes by those behind it.
    fn arguments(&mut self, first: Option<(ExprId, Span)>, args: &[Expr]) -> (Option<ExprId>, Vec<Arg>) {
        let effects: Vec<Effects> = args.iter().map(|a| self.effects(a)).collect();
        let mut callee = first.map(|(target, _)| target);
        let mut values: Vec<Arg> = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let next = &effects[i];
            if let (Some(target), Some((_, span))) = (callee, first) {
                callee = Some(self.protect(target, next, span));
            }
            for (before, e) in values.iter_mut().zip(args) {
                let (Arg::Scalar(v) | Arg::Memory(v)) = before;
                *v = self.protect(*v, next, e.span);
            }
            let value = if let ExprKind::VaArgPack = arg.kind {
                Arg::Scalar(self.own_area(arg.span))
            } else if self.cx.is_aggregate(arg.ty) {
                let addr = self.aggregate(arg);
                // The callee copies the record when it is called; it must not change until then.
                let later = effects[i + 1..].iter().any(Effects::change_memory);
                Arg::Memory(if later { self.copied(addr, arg.ty, arg.span) } else { addr })
            } else {
                Arg::Scalar(self.value(arg))
            };
            values.push(value);
        }
        (callee, values)
    }

    fn copied(&mut self, src: ExprId, ty: TypeId, span: Span) -> ExprId {
        let (size, align) = (self.cx.size_of(ty), self.cx.align_of(ty));
        let obj = self.temp_object(size, align, span);
        let addr = self.cx.prog.exprs.addr(obj);
        self.copy(addr, src, size, false, span);
        addr
    }

    /// The signature that the (promoted) arguments and the expected result amount to.
    fn site_signature(&self, args: &[Expr], variadic_from: Option<usize>, ret: TypeId) -> Signature {
        let mut params = Vec::new();
        if self.cx.is_aggregate(ret) {
            params.push(Ty::Ptr);
        }
        let fixed = variadic_from.unwrap_or(args.len()).min(args.len());
        params.extend(args[..fixed].iter().map(|a| self.cx.types.scalar(a.ty).unwrap_or(Ty::Ptr)));
        if variadic_from.is_some() {
            params.push(Ty::Ptr);
        }
        Signature { params, ret: self.cx.types.scalar(ret), variadic: variadic_from.is_some() }
    }

    /// The fixed arguments in the types of the signature; `None` if number or kind do not fit.
    fn fit(&mut self, sig: &Signature, call: &Call) -> Option<Vec<ExprId>> {
        let (given, fixed) = (call.args.len(), call.fixed);
        let hidden = usize::from(self.cx.is_aggregate(call.e.ty));
        let named = sig.params.len().checked_sub(hidden + usize::from(sig.variadic))?;
        if named != fixed || given < fixed || (given > fixed && !sig.variadic) {
            return None;
        }
        let result_fits = match (self.cx.types.scalar(call.e.ty), sig.ret) {
            (Some(want), Some(have)) => want == have || cairn_value::ops::can_cast(have, want),
            (Some(_), None) => matches!(call.dest, Dest::Nowhere),
            (None, _) => hidden == 0 || sig.ret.is_none(),
        };
        if !result_fits {
            return None;
        }
        let mut given = Vec::with_capacity(sig.params.len());
        for (i, value) in call.values[..fixed].iter().enumerate() {
            given.push(match *value {
                Arg::Scalar(v) => self.coerce(v, sig.params[hidden + i])?,
                Arg::Memory(v) => (sig.params[hidden + i] == Ty::Ptr).then_some(v)?,
            });
        }
        Some(given)
    }

    /// Emits the call with its hidden arguments and delivers the result.
    fn emit_call(
        &mut self,
        callee: Callee,
        sig: &Signature,
        given: Vec<ExprId>,
        call: &Call,
    ) -> Option<ExprId> {
        let Call { args, values, fixed, e, dest, ends } = *call;
        let mut all = Vec::with_capacity(sig.params.len());
        if self.cx.is_aggregate(e.ty) {
            all.push(match dest {
                Dest::Memory(addr) => addr,
                _ => {
                    let obj = self.temp_object(self.cx.size_of(e.ty), self.cx.align_of(e.ty), e.span);
                    self.cx.prog.exprs.addr(obj)
                }
            });
        }
        all.extend(given);
        let mut area = None;
        if sig.variadic {
            if let [Expr { kind: ExprKind::VaArgPack, .. }] = args[fixed..] {
                all.push(values[fixed].expr());
            } else {
                let types = args[fixed..].iter().map(|a| a.ty);
                let extra: Vec<(Arg, TypeId)> = values[fixed..].iter().copied().zip(types).collect();
                area = self.fill_area(&extra, e.span);
                all.push(match area {
                    Some((_, first)) => first,
                    None => self.cx.prog.exprs.ptr(0),
                });
            }
        }
        if ends {
            self.emit_end(Op::Call { dst: None, callee, args: all.into_boxed_slice() }, e.span);
            return None;
        }
        let result = self.deliver(callee, all, sig.ret, e, dest);
        if let Some((obj, _)) = area {
            self.emit(Op::End { obj }, e.span);
        }
        result
    }

    /// The call itself, with its result brought into the C type of the expression.
    pub fn deliver(
        &mut self,
        callee: Callee,
        args: Vec<ExprId>,
        ret: Option<Ty>,
        e: &Expr,
        dest: Dest,
    ) -> Option<ExprId> {
        let want = self.cx.types.scalar(e.ty);
        let args = args.into_boxed_slice();
        let dst = match (dest, ret) {
            (Dest::Nowhere | Dest::Memory(_), _) | (_, None) => None,
            (Dest::Var(v), Some(have)) if self.cx.prog.vars[v].ty == have => Some(v),
            (_, Some(have)) => Some(self.temp(have, e.span)),
        };
        self.emit(Op::Call { dst, callee, args }, e.span);
        let dst = dst?;
        let value = self.cx.prog.exprs.var(dst);
        match dest {
            Dest::Var(v) if v == dst => None,
            Dest::Var(v) => {
                let ty = self.cx.prog.vars[v].ty;
                if let Some(value) = self.coerce(value, ty) {
                    self.emit(Op::Assign { dst: v, value }, e.span);
                }
                None
            }
            _ => want.and_then(|ty| self.coerce(value, ty)),
        }
    }

    /// Puts a value the lowering itself computed where the result of a call should go.
    pub fn place_result(&mut self, value: ExprId, e: &Expr, dest: Dest) -> Option<ExprId> {
        match dest {
            Dest::Nowhere | Dest::Memory(_) => None,
            Dest::Value => Some(self.convert(value, e.ty, e.span)),
            Dest::Var(dst) => {
                let value = self.convert(value, e.ty, e.span);
                self.emit(Op::Assign { dst, value }, e.span);
                None
            }
        }
    }

    pub fn call_builtin(
        &mut self,
        builtin: ir::Builtin,
        args: Vec<ExprId>,
        e: &Expr,
        dest: Dest,
    ) -> Option<ExprId> {
        let callee = Callee::Builtin(builtin);
        if !builtin.returns() {
            self.emit_end(Op::Call { dst: None, callee, args: args.into_boxed_slice() }, e.span);
            return None;
        }
        let ret = builtin.signature(self.cx.prog.model).ret;
        self.deliver(callee, args, ret, e, dest)
    }

    /// The arguments of a call of something known, as scalars.
    pub fn scalar_arguments(&mut self, args: &[Expr]) -> Vec<ExprId> {
        self.arguments(None, args).1.into_iter().map(Arg::expr).collect()
    }
}
