//! What the operations of the program do with a state.

use cairn_base::Place;
use cairn_encode::expr::{Env, Translate, any};
use cairn_ir::{
    Builtin, Callee, EdgeId, ExprId, FuncId, IntTy, LabelId, ObjId, Op, Program, Signature, Ty, VarId,
};
use cairn_term::{Pool, TermId};
use imbl::OrdMap;
use rustc_hash::FxHashMap;

use crate::address::{Denotes, Instance, Space, start};
use crate::looks::Here;
use crate::shape::is_marker;
use crate::state::{State, unknown};
use crate::walk::{CALLS, Flow, Halt, Named, Walk};

/// What names mean in a state.
struct Names<'x> {
    program: &'x Program,
    space: &'x Space,
    state: &'x mut State,
    statics: &'x FxHashMap<ObjId, Instance>,
    funcs: &'x FxHashMap<FuncId, Instance>,
    labels: &'x FxHashMap<LabelId, Instance>,
    named: &'x Named,
}

/// What a caller has of its own while a call is open.
#[derive(Clone, Debug)]
pub struct Caller {
    pub locals: OrdMap<VarId, TermId>,
    pub frame: OrdMap<ObjId, TermId>,
    result: Option<TermId>,
}

impl Env for Names<'_> {
    fn var(&mut self, pool: &mut Pool, v: VarId) -> TermId {
        if let Some(value) = self.named.value(v) {
            return value;
        }
        let var = &self.program.vars[v];
        let map = if var.owner.is_none() { &mut self.state.globals } else { &mut self.state.locals };
        if let Some(&t) = map.get(&v) {
            return t;
        }
        // Never assigned: any value, which it keeps.
        let t = unknown(pool, self.space, var.ty, "unset");
        map.insert(v, t);
        t
    }

    fn object(&mut self, pool: &mut Pool, o: ObjId) -> TermId {
        if let Some(&address) = self.state.frame.get(&o) {
            return address;
        }
        start(pool, self.statics.get(&o).copied().unwrap_or(0))
    }

    fn func(&mut self, pool: &mut Pool, f: FuncId) -> TermId {
        start(pool, self.funcs.get(&f).copied().unwrap_or(0))
    }

    fn label(&mut self, pool: &mut Pool, l: LabelId) -> TermId {
        start(pool, self.labels.get(&l).copied().unwrap_or(0))
    }
}

impl Walk<'_> {
    /// The value of an expression; executions for which it is undefined end.
    pub fn value(&mut self, e: ExprId, s: &mut State, place: Place) -> Flow<TermId> {
        let related = match self.at {
            Some(at) if !self.space.located => self.related.all(self.program, at, e),
            _ => false,
        };
        let pointers = Here { space: &self.space, infos: &self.infos, memory: s.memory.clone(), related };
        let mut t = Translate::new(self.program, &mut self.pool, &pointers, &mut self.leeway);
        let mut names = Names {
            program: self.program,
            space: &self.space,
            state: s,
            statics: &self.statics,
            funcs: &self.funcs,
            labels: &self.labels,
            named: &self.named,
        };
        let value = t.expr(e, &mut names);
        for (why, when) in t.hazards {
            self.undefined(s, when, &format!("{why:?}"), place)?;
        }
        Ok(value)
    }

    fn assign(&mut self, v: VarId, value: TermId, s: &mut State) {
        let map = if self.program.vars[v].owner.is_none() { &mut s.globals } else { &mut s.locals };
        map.insert(v, value);
    }

    /// The state behind an edge.
    pub fn edge(&mut self, e: EdgeId, mut s: State) -> Flow<State> {
        let program = self.program;
        let place = program.edges[e].place;
        self.at = Some(program.edges[e].src);
        match &program.edges[e].op {
            Op::Nop => {}
            Op::Assign { dst, value } => {
                let v = self.value(*value, &mut s, place)?;
                self.assign(*dst, v, &mut s);
            }
            Op::Assume { cond, holds } => {
                let c = self.value(*cond, &mut s, place)?;
                let c = if *holds { c } else { self.pool.not(c) };
                self.assume(&mut s, c)?;
            }
            Op::Load { dst, addr } => {
                let p = self.value(*addr, &mut s, place)?;
                let v = self.load(p, program.vars[*dst].ty, &mut s, place)?;
                self.assign(*dst, v, &mut s);
            }
            Op::Store { addr, value } => {
                let p = self.value(*addr, &mut s, place)?;
                let v = self.value(*value, &mut s, place)?;
                self.store(p, program.ty(*value), v, &mut s, place)?;
            }
            Op::LoadBits { dst, addr, bit, width } => {
                let p = self.value(*addr, &mut s, place)?;
                let word = self.load(p, container(*bit, *width), &mut s, place)?;
                let field = self.pool.extract(bit + width - 1, *bit, word);
                let Some(i) = program.vars[*dst].ty.int() else { return Err(Halt::Dead) };
                let v = self.pool.resize(i.bits, i.signed, field);
                self.assign(*dst, v, &mut s);
            }
            Op::StoreBits { addr, bit, width, value } => {
                let p = self.value(*addr, &mut s, place)?;
                let v = self.value(*value, &mut s, place)?;
                let ty = container(*bit, *width);
                let old = self.load(p, ty, &mut s, place)?;
                // The field's bits from the value, the others from what was there.
                let all = self.pool.width(old);
                let mask = ((1u128 << width) - 1) << bit;
                let (hole, keep) = (self.pool.bits(all, mask), self.pool.bits(all, !mask));
                let v = self.pool.resize(all, false, v);
                let count = self.pool.bits(all, (*bit).into());
                let v = self.pool.bv_shl(v, count);
                let v = self.pool.bv_and(v, hole);
                let rest = self.pool.bv_and(old, keep);
                let new = self.pool.bv_or(v, rest);
                self.store(p, ty, new, &mut s, place)?;
            }
            Op::Copy { dst, src, size, .. } => {
                let d = self.value(*dst, &mut s, place)?;
                let r = self.value(*src, &mut s, place)?;
                let n = self.value(*size, &mut s, place)?;
                self.copy(d, r, n, &mut s, place)?;
            }
            Op::Fill { dst, byte, size } => {
                let d = self.value(*dst, &mut s, place)?;
                let b = self.value(*byte, &mut s, place)?;
                let n = self.value(*size, &mut s, place)?;
                self.fill(d, b, n, &mut s, place)?;
            }
            Op::Begin { obj } => {
                self.end(*obj, &mut s);
                self.begin(*obj, &mut s)?;
            }
            Op::End { obj } => self.end(*obj, &mut s),
            Op::Alloc { dst, size, kind, zeroed } => {
                let n = self.value(*size, &mut s, place)?;
                let p = self.allocate(n, *kind, *zeroed, &mut s)?;
                self.assign(*dst, p, &mut s);
            }
            Op::Free { ptr, kind } => {
                let p = self.value(*ptr, &mut s, place)?;
                self.free(p, *kind, &mut s, place)?;
            }
            Op::Input { dst, .. } => {
                // Havoc: a fresh value at each visit. Its name is made of edge and count, so that an engine
                // that used the same terms has the same name for the same input.
                let ty = program.vars[*dst].ty;
                let count = self.inputs.entry(e).or_default();
                let name = format!("input {e} {count}");
                *count += 1;
                let v = any(&mut self.pool, &name, ty);
                if matches!(ty, Ty::Int(_)) {
                    self.space.note_number(v);
                }
                self.assign(*dst, v, &mut s);
            }
            Op::Call { dst, callee, args } => {
                let mut values = Vec::with_capacity(args.len());
                for &a in args.iter() {
                    values.push(self.value(a, &mut s, place)?);
                }
                if is_marker(program, e) {
                    self.fact(values[0], &mut s, place)?;
                    return Ok(s);
                }
                return match callee {
                    Callee::Func(f) => self.enter(*f, *dst, &values, s, place),
                    Callee::Builtin(b) => self.builtin(*b, *dst, &values, s, place),
                    Callee::Ptr { target, sig } => {
                        let p = self.value(*target, &mut s, place)?;
                        self.indirect(p, sig, *dst, &values, s, place)
                    }
                };
            }
            Op::Return { value } => {
                s.result = match value {
                    Some(v) => Some(self.value(*v, &mut s, place)?),
                    None => None,
                };
            }
            Op::Trap(_) => {
                self.undefined(&mut s, Pool::TRUE, "a trap", place)?;
            }
        }
        Ok(s)
    }

    /// A marked fact: shown if facts are to be shown, then taken for granted.
    fn fact(&mut self, value: TermId, s: &mut State, place: Place) -> Flow<()> {
        let zero = self.pool.bits(self.pool.width(value), 0);
        let broken = self.pool.eq(value, zero);
        self.must_not(&s.path, broken, "a marked invariant does not hold", place);
        let holds = self.pool.not(broken);
        self.assume(s, holds)
    }

    // Calls.

    fn indirect(
        &mut self,
        p: TermId,
        sig: &Signature,
        dst: Option<VarId>,
        values: &[TermId],
        s: State,
        place: Place,
    ) -> Flow<State> {
        let mut targets: Vec<(FuncId, TermId)> = Vec::new();
        for (when, what) in self.space.denoted(&mut self.pool, p) {
            match what {
                Denotes::Nothing => {}
                Denotes::Object(i) => targets.extend(self.infos[i as usize].func.map(|f| (f, when))),
                Denotes::Anything => {
                    targets.extend(self.calls.address_taken.iter().map(|&f| (f, when)));
                }
            }
        }
        let (mut ends, mut fine) = (Vec::new(), Vec::new());
        for (f, when) in targets {
            if self.program.funcs[f].sig != *sig {
                continue;
            }
            let first = start(&mut self.pool, self.funcs[&f]);
            let exact = self.pool.eq(p, first);
            let when = self.pool.and(&[when, exact]);
            fine.push(when);
            let mut here = s.clone();
            let entered = self.assume(&mut here, when);
            match entered.and_then(|()| self.enter(f, dst, values, here, place)) {
                Ok(end) => ends.push(end),
                Err(Halt::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        if self.strict {
            let any = self.pool.or(&fine);
            let bad = self.pool.not(any);
            self.must_not(&s.path, bad, "a fact is undefined: a call of no function", place);
        }
        self.merge_all(ends).ok_or(Halt::Dead)
    }

    fn enter(
        &mut self,
        f: FuncId,
        dst: Option<VarId>,
        values: &[TermId],
        mut s: State,
        place: Place,
    ) -> Flow<State> {
        let program = self.program;
        let func = &program.funcs[f];
        if func.body.is_none() {
            if func.noreturn {
                return Err(Halt::Dead);
            }
            if let Some(dst) = dst {
                let v = self.unknown(program.vars[dst].ty, "result");
                self.assign(dst, v, &mut s);
            }
            return Ok(s);
        }
        if let Some(contract) = self.proof.contracts.get(&f) {
            let (mut s, value) = self.by_contract(f, contract, values, s, place)?;
            if let Some(dst) = dst {
                // A contract that does not name the result says nothing about it.
                let v = value.unwrap_or_else(|| self.unknown(program.vars[dst].ty, "result"));
                self.assign(dst, v, &mut s);
            }
            return Ok(s);
        }
        let open = self.depth.get(&f).copied().unwrap_or(0);
        let allowed = self.proof.recursion.get(&f).copied().unwrap_or(1);
        if open >= allowed {
            let what = format!("{} is open more than {allowed} times at once", func.name);
            self.must_not(&s.path, Pool::TRUE, what, place);
            return Err(Halt::Dead);
        }
        if self.open >= CALLS {
            return Err(Halt::Stop("too many calls are open at once".into()));
        }
        let caller = self.open_call(f, values, &mut s);
        self.depth.insert(f, open + 1);
        self.open += 1;
        let strict = std::mem::replace(&mut self.strict, false);
        let end = self.function(f, s);
        self.strict = strict;
        self.open -= 1;
        self.depth.insert(f, open);
        let mut s = end?;
        self.close_call(caller, dst, &mut s);
        Ok(s)
    }

    /// From before a call to the beginning of the function.
    pub fn open_call(&mut self, f: FuncId, values: &[TermId], s: &mut State) -> Caller {
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

    /// From the exit of a function to behind its call.
    pub fn close_call(&mut self, caller: Caller, dst: Option<VarId>, s: &mut State) {
        let objects: Vec<ObjId> = s.frame.keys().copied().collect();
        for o in objects {
            self.end(o, s);
        }
        let value = s.result.take();
        Caller { locals: s.locals, frame: s.frame, result: s.result } = caller;
        if let Some(dst) = dst {
            let v = match value {
                Some(v) => v,
                None => self.unknown(self.program.vars[dst].ty, "unset"),
            };
            self.assign(dst, v, s);
        }
    }

    fn builtin(
        &mut self,
        b: Builtin,
        dst: Option<VarId>,
        args: &[TermId],
        mut s: State,
        place: Place,
    ) -> Flow<State> {
        let value = match b {
            Builtin::Exit | Builtin::Abort => return Err(Halt::Dead),
            Builtin::Error | Builtin::AssertFail => {
                self.must_not(&s.path, Pool::TRUE, "an error is reached", place);
                return Err(Halt::Dead);
            }
            Builtin::ObjectSize => {
                let size = self.object_size(args[0], &s);
                dst.map(|d| self.pool.resize(self.program.vars[d].ty.bits(self.program.model), false, size))
            }
            Builtin::Place => {
                self.locate(args[0], args[1], args[2], &mut s, place)?;
                None
            }
            Builtin::Printf | Builtin::Write | Builtin::ReadByte | Builtin::Math(..) => {
                if b == Builtin::Printf {
                    self.changes_nothing(args[1], &mut s, place)?;
                }
                let exact = self.exactly(b, args);
                dst.map(|d| exact.unwrap_or_else(|| self.unknown(self.program.vars[d].ty, "library")))
            }
            Builtin::Snprintf => Some(self.snprintf(args, &mut s, place)?),
            Builtin::Strtod(ty) => Some(self.strtod(ty, args, &mut s, place)?),
        };
        if let (Some(dst), Some(v)) = (dst, value) {
            self.assign(dst, v, &mut s);
        }
        Ok(s)
    }

    /// What the entry function is called with: one argument, a name of no letters.
    pub fn arguments(&mut self, entry: FuncId, s: &mut State) -> Flow<()> {
        let params = self.program.funcs[entry].params.clone();
        for (n, v) in params.into_iter().enumerate() {
            let ty = self.program.vars[v].ty;
            let value = match (n, ty) {
                (0, Ty::Int(i)) => self.pool.bits(i.bits, 1),
                (_, Ty::Ptr) => {
                    let word = self.program.model.ptr_bytes();
                    let sizes = [16, 2 * word].map(|n| self.pool.bits(64, n.into()));
                    let kind = cairn_ir::AllocKind::Vla;
                    let name = self.allocate(sizes[0], kind, true, s)?;
                    let vector = self.allocate(sizes[1], kind, true, s)?;
                    if n == 1 {
                        self.store(vector, Ty::Ptr, name, s, Place::NONE)?;
                    }
                    vector
                }
                (_, ty) => self.unknown(ty, "argument"),
            };
            s.locals.insert(v, value);
        }
        Ok(())
    }
}

/// The bytes a bit-field lies in.
fn container(bit: u8, width: u8) -> Ty {
    Ty::Int(IntTy { bits: (bit + width).div_ceil(8) * 8, signed: false })
}
