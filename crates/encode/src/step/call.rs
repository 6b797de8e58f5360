//! Calls: functions entered and left, the callees of a pointer, builtins.

use cairn_ir::{Builtin, EdgeId, FuncId, ObjId, Op, Signature, VarId};
use cairn_term::{Pool, TermId};
use imbl::OrdMap;

use super::{ObligationKind, Stepper};
use crate::expr::sort;
use crate::pointer::PointerTarget;
use crate::state::State;

/// The frame of a function that waits for one it has called.
#[derive(Clone, Debug)]
pub struct Caller {
    pub locals: OrdMap<VarId, TermId>,
    /// The addresses of its local objects.
    pub frame: OrdMap<ObjId, TermId>,
    pub result: Option<TermId>,
}

impl Stepper<'_, '_> {
    /// The values of the arguments of a call.
    pub fn arguments(&mut self, e: EdgeId, s: &mut State) -> Option<Vec<TermId>> {
        let Op::Call { args, .. } = &self.program.edges[e].op else { return None };
        args.iter().map(|&a| self.value(a, s, e)).collect()
    }

    /// Enters a function: its frame is pushed, with these arguments as its parameters.
    pub fn enter(&mut self, f: FuncId, values: &[TermId], s: &mut State) -> Caller {
        let caller = Caller {
            locals: std::mem::take(&mut s.locals),
            frame: std::mem::take(&mut s.frame),
            result: s.result.take(),
        };
        for (&p, &v) in self.program.funcs[f].params.iter().zip(values) {
            s.locals.insert(p, v);
        }
        caller
    }

    /// Leaves the running function for its caller: the lives of the objects in its frame end, the
    /// frame is popped, and the variable that the call assigns gets the result.
    pub fn leave(&mut self, caller: Caller, call: EdgeId, s: &mut State) {
        let objects: Vec<ObjId> = s.frame.keys().copied().collect();
        for o in objects {
            self.end(o, s);
        }
        let value = s.result.take();
        (s.locals, s.frame, s.result) = (caller.locals, caller.frame, caller.result);
        let Op::Call { dst: Some(dst), .. } = self.program.edges[call].op else { return };
        let value = value.unwrap_or_else(|| self.indeterminate(self.program.vars[dst].ty));
        self.assign(dst, value, s);
    }

    /// A call of a function without a body, behind the evaluation of its arguments: its result is an
    /// input.
    pub fn outside(&mut self, f: FuncId, e: EdgeId, mut s: State) -> State {
        if let Op::Call { dst: Some(dst), .. } = self.program.edges[e].op {
            let v = self.input(self.program.funcs[f].name, self.program.vars[dst].ty, &s, e);
            self.assign(dst, v, &mut s);
        }
        s
    }

    /// The functions of this signature that a pointer may point to, each with the condition.
    pub fn callees(&mut self, p: TermId, sig: &Signature, s: &State) -> Vec<(TermId, FuncId)> {
        let mut found = Vec::new();
        for c in self.resolve(p, s, true) {
            let PointerTarget::At(i, offset) = c.target else { continue };
            let Some((&f, _)) = self.funcs.iter().find(|(_, x)| **x == i) else { continue };
            if self.program.funcs[f].sig == *sig {
                let zero = self.pool.bits(64, 0);
                let exact = self.pool.eq(offset, zero);
                found.push((self.pool.and(&[c.when, exact]), f));
            }
        }
        found.sort_by_key(|(_, f)| *f);
        found
    }

    /// Obliges that a pointer through which a call is made points to one of its callees.
    pub fn oblige_callee(&mut self, callees: &[(TermId, FuncId)], s: &State, e: EdgeId) {
        let none: Vec<TermId> = callees.iter().map(|&(when, _)| self.pool.not(when)).collect();
        let none = self.pool.and(&none);
        let kind = ObligationKind::Undefined("a call through a pointer to no such function");
        self.forbid(kind, none, &mut s.clone(), e);
    }

    pub(super) fn builtin(
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
                    if let PointerTarget::At(i, offset) = c.target {
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
