//! Calls: of functions with and without a body, through pointers, of builtins.

use cairn_ir::{Builtin, Callee, EdgeId, ExprId, FuncId, ObjId, Signature, VarId};
use cairn_term::{Pool, TermId};

use super::{ObligationKind, Unroller};
use crate::expr::sort;
use crate::pointer::Target;
use crate::state::State;

impl Unroller<'_, '_> {
    pub(super) fn call(
        &mut self,
        dst: Option<VarId>,
        callee: &Callee,
        args: &[ExprId],
        mut s: State,
        e: EdgeId,
    ) -> Option<State> {
        let mut values = Vec::with_capacity(args.len());
        for &a in args {
            values.push(self.value(a, &mut s, e)?);
        }
        match callee {
            Callee::Func(f) => self.enter(*f, dst, &values, s, e),
            Callee::Builtin(b) => self.builtin(*b, dst, &values, s, e),
            Callee::Ptr { target, sig } => {
                let p = self.value(*target, &mut s, e)?;
                self.indirect(p, sig, dst, &values, s, e)
            }
        }
    }

    fn indirect(
        &mut self,
        p: TermId,
        sig: &Signature,
        dst: Option<VarId>,
        values: &[TermId],
        s: State,
        e: EdgeId,
    ) -> Option<State> {
        let mut found: Vec<(TermId, FuncId)> = Vec::new();
        let mut rest = Pool::TRUE;
        for c in self.resolve(p, &s, true) {
            let Target::At(i, offset) = c.target else { continue };
            let Some((&f, _)) = self.funcs.iter().find(|(_, x)| **x == i) else { continue };
            if self.program.funcs[f].sig != *sig {
                continue;
            }
            let zero = self.pool.bits(64, 0);
            let exact = self.pool.eq(offset, zero);
            let when = self.pool.and(&[c.when, exact]);
            let not = self.pool.not(when);
            rest = self.pool.and(&[rest, not]);
            found.push((when, f));
        }
        found.sort_by_key(|(_, f)| *f);
        let mut base = s.clone();
        self.forbid(
            ObligationKind::Undefined("a call through a pointer to no such function"),
            rest,
            &mut base,
            e,
        );
        let mut ends = Vec::new();
        for (when, f) in found {
            let mut here = s.clone();
            if let Some(g) = here.guard.and(self.pool, when) {
                here.guard = g;
                ends.extend(self.enter(f, dst, values, here, e));
            }
        }
        self.merge_all(ends)
    }

    fn enter(
        &mut self,
        f: FuncId,
        dst: Option<VarId>,
        values: &[TermId],
        s: State,
        e: EdgeId,
    ) -> Option<State> {
        let program = self.program;
        let func = &program.funcs[f];
        if self.targets.contains(&f) {
            self.oblige(ObligationKind::Error(func.name.to_string()), &s.guard, e);
            return None;
        }
        let mut s = s;
        if func.body.is_none() {
            if let Some(dst) = dst {
                let v = self.input(func.name, program.vars[dst].ty, &s, e);
                self.assign(dst, v, &mut s);
            }
            return Some(s);
        }
        if self.depth.get(&f).copied().unwrap_or(0) >= self.bounds.recursion {
            self.oblige(ObligationKind::Recursion { func: f }, &s.guard, e);
            return None;
        }
        let locals = std::mem::take(&mut s.locals);
        let frame = std::mem::take(&mut s.frame);
        let result = s.result.take();
        for (&p, &v) in func.params.iter().zip(values) {
            s.locals.insert(p, v);
        }
        let mut s = self.function(f, s)?;
        // Whatever the function had in its frame ends with it.
        let objects: Vec<ObjId> = s.frame.keys().copied().collect();
        for o in objects {
            self.end(o, &mut s);
        }
        let value = s.result.take();
        s.locals = locals;
        s.frame = frame;
        s.result = result;
        if let Some(dst) = dst {
            let v = match value {
                Some(v) => v,
                None => {
                    let so = sort(self.pool, program.vars[dst].ty);
                    self.pool.fresh("indeterminate", so)
                }
            };
            self.assign(dst, v, &mut s);
        }
        Some(s)
    }

    fn builtin(
        &mut self,
        b: Builtin,
        dst: Option<VarId>,
        args: &[TermId],
        mut s: State,
        e: EdgeId,
    ) -> Option<State> {
        let program = self.program;
        match b {
            Builtin::Exit | Builtin::Abort => None,
            Builtin::AssertFail => {
                self.oblige(ObligationKind::Error("assert".into()), &s.guard, e);
                None
            }
            Builtin::Error => {
                self.oblige(ObligationKind::Error("reach_error".into()), &s.guard, e);
                None
            }
            Builtin::ObjectSize => {
                let mut size = self.pool.bits(64, 0);
                for c in self.resolve(args[0], &s, false) {
                    if let Target::At(i, offset) = c.target {
                        let whole = self.infos[i.0 as usize].size;
                        let rest = self.pool.bv_sub(whole, offset);
                        let inside = self.pool.bv_ule(offset, whole);
                        let live = s.memory.get(&i).map_or(Pool::FALSE, |o| o.live);
                        let when = self.pool.and(&[c.when, inside, live]);
                        size = self.pool.ite(when, rest, size);
                    }
                }
                if let Some(dst) = dst {
                    let bits = program.vars[dst].ty.bits(program.model);
                    let v = self.pool.resize(bits, false, size);
                    self.assign(dst, v, &mut s);
                }
                Some(s)
            }
            Builtin::Place => self.placed_at(args[0], args[1], args[2], s),
            Builtin::Printf => self.printf(dst, args, s, e),
            Builtin::Snprintf => self.snprintf(dst, args, s, e),
            Builtin::Strtod(ty) => self.strtod(ty, dst, args, s, e),
            // Output has no effect on the program.
            Builtin::Write | Builtin::ReadByte | Builtin::Math(..) => {
                if let Some(dst) = dst {
                    let so = sort(self.pool, program.vars[dst].ty);
                    let v = match self.exactly(b, args) {
                        Some(v) => v,
                        None => self.pool.fresh("library", so),
                    };
                    self.assign(dst, v, &mut s);
                }
                Some(s)
            }
        }
    }
}
