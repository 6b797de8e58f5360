//! Function calls.

use cairn_base::{Span, Symbol};
use cairn_csyntax::ast::{self, ExprKind as Ast};

use crate::check::{Checker, Res, error, unsupported};
use crate::convert::{Into, Operand};
use crate::hir::{Callee, Expr, ExprKind};
use crate::init::peel;
use crate::scope::NameKind;
use crate::types::{FuncType, Type, TypeId};

impl Checker {
    pub(crate) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Res<Operand> {
        if let Ast::Ident(name) = peel(callee).kind {
            let declared = self.scopes.name(name).map(|n| n.kind);
            // Declaring a built-in function (preprocessed text often does) leaves it one.
            if matches!(declared, None | Some(NameKind::Func(_)))
                && let Some(result) = self.builtin(name, args, span)?
            {
                return Ok(result);
            }
            if declared.is_none() {
                if crate::library::is_reserved(name.as_str()) {
                    return unsupported(span, format!("built-in function '{name}' is not supported"));
                }
                let (id, ty) = self.implicit_function(name, callee.span)?;
                return self.call_operand(Operand::Func(id, ty.id, callee.span), args, span);
            }
        }
        let operand = self.expr(callee)?;
        self.call_operand(operand, args, span)
    }

    fn call_operand(&mut self, callee: Operand, args: &[ast::Expr], span: Span) -> Res<Operand> {
        let mut values = Vec::with_capacity(args.len());
        let (callee, ty, name) = match callee {
            Operand::Func(id, ty, _) => {
                let name = self.funcs[id].name;
                // gcc knows this one whatever its declaration.
                if name.as_str() == "alloca" && args.len() == 1 && self.funcs[id].body.is_none() {
                    let size = self.rvalue(&args[0])?;
                    return self.alloca(size, span);
                }
                self.use_func(id);
                (Callee::Func(id), ty, Some(name))
            }
            other => {
                let span = other.span();
                let pointer = self.value(other)?;
                let Some(to) = self.pointee(pointer.ty) else {
                    return error(span, "called object is not a function or function pointer");
                };
                (Callee::Ptr(Box::new(pointer)), to.id, None)
            }
        };
        let Type::Function(f) = self.types.get(ty) else {
            return error(span, "called object is not a function or function pointer");
        };
        let f = f.clone();
        for arg in args {
            values.push(self.rvalue(arg)?);
        }
        self.finish_call(callee, &f, name, values, span)
    }

    fn finish_call(
        &mut self,
        callee: Callee,
        f: &FuncType,
        name: Option<Symbol>,
        args: Vec<Expr>,
        span: Span,
    ) -> Res<Operand> {
        if f.prototyped {
            let shown = || name.map_or("function".to_string(), |n| format!("function '{n}'"));
            if args.len() < f.params.len() {
                return error(span, format!("too few arguments to {}", shown()));
            }
            if args.len() > f.params.len() && !f.variadic {
                return error(span, format!("too many arguments to {}", shown()));
            }
        }
        let pack = args.iter().position(|a| matches!(a.kind, ExprKind::VaArgPack));
        if let Some(at) = pack
            && (!f.variadic || at != f.params.len() || at + 1 != args.len())
        {
            let message = "'__builtin_va_arg_pack' that is not the first of the variable arguments";
            return unsupported(args[at].span, message);
        }
        let mut converted = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            if arg.ty == self.common.void {
                return error(arg.span, "invalid use of void expression");
            }
            converted.push(match f.params.get(i) {
                Some(&param) if f.prototyped => self.assign_to(arg, param, Into::Argument(i + 1, name))?,
                _ => self.default_promote(arg),
            });
        }
        let ty = self.call_result(f.ret.id, span)?;
        Ok(Operand::Value(Expr { kind: ExprKind::Call { callee, args: converted }, ty, span }))
    }

    fn call_result(&self, ret: TypeId, span: Span) -> Res<TypeId> {
        match self.types.get(ret) {
            Type::Unsupported { what, .. } => {
                unsupported(span, format!("call of a function returning '{what}' is not supported"))
            }
            Type::Void => Ok(ret),
            _ if self.types.size_of(ret).is_none() => {
                error(span, format!("invalid use of incomplete type '{}'", self.plain_name(ret)))
            }
            _ => Ok(ret),
        }
    }

    /// A call of a library function, by its name and checked arguments.
    pub(crate) fn library_call(&mut self, name: Symbol, args: Vec<Expr>, span: Span) -> Res<Operand> {
        let (id, ty) = self.implicit_function(name, span)?;
        self.use_func(id);
        let Type::Function(f) = self.types.get(ty.id) else {
            return error(span, format!("'{name}' is not a function"));
        };
        let f = f.clone();
        self.finish_call(Callee::Func(id), &f, Some(name), args, span)
    }

    pub(crate) fn alloca(&mut self, size: Expr, span: Span) -> Res<Operand> {
        let size = self.assign_to(size, self.common.size, Into::Argument(1, None))?;
        let kind = ExprKind::Alloca(Box::new(size));
        Ok(Operand::Value(Expr { kind, ty: self.common.void_ptr, span }))
    }
}
