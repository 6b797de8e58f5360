//! Memory operations: what a pointer may point to, accesses,
//! copies, lifetimes.

use cairn_ir::{AllocKind, EdgeId, ObjId, RelocTarget, Ty};
use cairn_term::{Pool, TermId};

use super::{BaseVar, ObligationKind, Stepper, lookup};
use crate::expr::sort;
use crate::object::{Access, Content, Ground};
use crate::pointer::{Candidate, Instance, PointerTarget, candidates};
use crate::state::{Object, State};

/// Bytes that are filled or copied piece by piece, at most; and so few that it is no matter.
pub(super) const MAX_BYTES: u64 = 1 << 14;
pub(super) const FEW_BYTES: u64 = 1 << 9;

impl<'p> Stepper<'_, 'p> {
    /// What a pointer may point to; where the term does not tell, every object there is.
    pub(super) fn resolve(&mut self, p: TermId, s: &State, code: bool) -> Vec<Candidate> {
        let found = candidates(self.pool, p);
        if !found.iter().any(|c| matches!(c.target, PointerTarget::Unknown)) {
            return found;
        }
        let number = self.pool.extract(63, 32, p);
        let all: Vec<Instance> = if code {
            let mut f: Vec<Instance> = self.funcs.values().copied().collect();
            f.sort_unstable();
            f
        } else {
            s.memory.keys().copied().collect()
        };
        let mut out = Vec::new();
        for i in all {
            let id = self.pool.bits(32, i.0.into());
            let when = self.pool.eq(number, id);
            let start = i.address(self.pool);
            let offset = self.pool.bv_sub(p, start);
            out.push(Candidate { when, target: PointerTarget::At(i, offset) });
        }
        out
    }

    /// Candidates for an access of `n` bytes, each with the condition that it is the one and in
    /// order; executions for which none is end.
    pub(super) fn places(
        &mut self,
        p: TermId,
        n: u64,
        write: bool,
        s: &mut State,
        e: EdgeId,
    ) -> Option<Vec<(Instance, TermId, TermId)>> {
        let mut good = Vec::new();
        let mut fine = Vec::new();
        for c in self.resolve(p, s, false) {
            if self.brake.pulled() {
                return None;
            }
            let PointerTarget::At(i, offset) = c.target else { continue };
            let info = &self.infos[i.0 as usize];
            if info.is_code || (write && !info.writable) {
                continue;
            }
            let Some(live) = s.memory.get(&i).map(|o| o.live) else { continue };
            let size = info.size;
            let len = self.pool.bits(64, n.into());
            // offset + n <= size without wrapping: n <= size and offset <= size - n.
            let room = self.pool.bv_sub(size, len);
            let a = self.pool.bv_ule(len, size);
            let b = self.pool.bv_ule(offset, room);
            let when = self.pool.and(&[c.when, live, a, b]);
            if self.pool.as_bool(when) != Some(false) {
                good.push((i, offset, when));
                fine.push(when);
            }
        }
        let any = self.pool.or(&fine);
        let bad = self.pool.not(any);
        self.forbid(ObligationKind::Undefined("an access to memory that is not there"), bad, s, e)?;
        Some(good)
    }

    pub(super) fn with_content<R>(
        &mut self,
        s: &mut State,
        i: Instance,
        f: impl FnOnce(&mut Access<'_, 'p>, &mut Content) -> R,
    ) -> R {
        let mut object = s
            .memory
            .get(&i)
            .cloned()
            .unwrap_or(Object { live: Pool::FALSE, content: Content::new(Ground::Indeterminate) });
        let (funcs, labels, objects) = (&self.funcs, &self.labels, &self.objects);
        let statics = |t: RelocTarget| lookup(t, funcs, labels, objects);
        let mut access = Access {
            program: self.program,
            pool: self.pool,
            pointers: &self.pointers,
            births: &mut self.births,
            statics: &statics,
            size: self.infos[i.0 as usize].constant_size,
            brake: &self.brake,
        };
        let r = f(&mut access, &mut object.content);
        s.memory.insert(i, object);
        r
    }

    pub(super) fn write_instance(
        &mut self,
        s: &mut State,
        i: Instance,
        offset: TermId,
        ty: Ty,
        value: TermId,
    ) {
        self.with_content(s, i, |a, c| a.write(c, offset, ty, value));
    }

    pub(super) fn load(&mut self, p: TermId, ty: Ty, s: &mut State, e: EdgeId) -> Option<TermId> {
        let n = ty.bytes(self.program.model);
        let places = self.places(p, n, false, s, e)?;
        let mut value: Option<TermId> = None;
        for (i, offset, when) in places {
            if self.brake.pulled() {
                return None;
            }
            let here = self.with_content(s, i, |a, c| a.read(c, offset, ty));
            value = Some(match value {
                None => here,
                Some(v) => self.pool.ite(when, here, v),
            });
        }
        value
    }

    pub(super) fn store(&mut self, p: TermId, ty: Ty, value: TermId, s: &mut State, e: EdgeId) -> Option<()> {
        let n = ty.bytes(self.program.model);
        let places = self.places(p, n, true, s, e)?;
        let alone = places.len() == 1;
        for (i, offset, when) in places {
            if self.brake.pulled() {
                return None;
            }
            self.with_content(s, i, |a, c| {
                let new = if alone {
                    value
                } else {
                    let old = a.read(c, offset, ty);
                    a.pool.ite(when, value, old)
                };
                a.write(c, offset, ty, new);
            });
        }
        Some(())
    }

    /// Copies byte by byte where the number of bytes is constant; otherwise up to the greatest
    /// number that the smaller object allows.
    pub(super) fn copy(&mut self, d: TermId, r: TermId, n: TermId, mut s: State, e: EdgeId) -> Option<State> {
        let limit = self.extent(n, &[d, r], &s);
        self.whole(d, n, true, &mut s, e)?;
        self.whole(r, n, false, &mut s, e)?;
        if limit.is_none_or(|n| n > FEW_BYTES) && self.copy_at_once(d, r, n, &mut s).is_some() {
            return Some(s);
        }
        let Some(limit) = limit else {
            return self.gap("copying memory of unknown or great size", &s, e);
        };
        let pieces = self.pieces(r, limit, n, &s);
        let mut values = Vec::with_capacity(pieces.len());
        for &(at, ty) in &pieces {
            values.push(self.load_if(r, at, ty, n, &mut s));
        }
        for (&(at, ty), value) in pieces.iter().zip(values) {
            self.store_if(d, at, ty, value, n, &mut s);
        }
        Some(s)
    }

    pub(super) fn fill(
        &mut self,
        d: TermId,
        byte: TermId,
        n: TermId,
        mut s: State,
        e: EdgeId,
    ) -> Option<State> {
        self.whole(d, n, true, &mut s, e)?;
        let byte = self.pool.extract(7, 0, byte);
        if self.fill_at_once(d, byte, n, &mut s) {
            return Some(s);
        }
        let Some(limit) = self.extent(n, &[d], &s) else {
            return self.gap("filling memory of unknown or great size", &s, e);
        };
        for at in 0..limit {
            self.store_if(d, at, Ty::Int(cairn_ir::IntTy::U8), byte, n, &mut s);
        }
        Some(s)
    }

    /// All `n` bytes at `p` must lie in one object.
    pub(super) fn whole(
        &mut self,
        p: TermId,
        n: TermId,
        write: bool,
        s: &mut State,
        e: EdgeId,
    ) -> Option<()> {
        let n = self.pool.resize(64, false, n);
        let zero = self.pool.bits(64, 0);
        let nothing = self.pool.eq(n, zero);
        let mut fine = vec![nothing];
        for c in self.resolve(p, s, false) {
            let PointerTarget::At(i, offset) = c.target else { continue };
            let info = &self.infos[i.0 as usize];
            let Some(live) = s.memory.get(&i).map(|o| o.live) else { continue };
            if info.is_code || (write && !info.writable) {
                continue;
            }
            let size = info.size;
            let room = self.pool.bv_sub(size, n);
            let a = self.pool.bv_ule(n, size);
            let b = self.pool.bv_ule(offset, room);
            fine.push(self.pool.and(&[c.when, live, a, b]));
        }
        let any = self.pool.or(&fine);
        let bad = self.pool.not(any);
        self.forbid(ObligationKind::Undefined("an access to memory that is not there"), bad, s, e)
    }

    /// The most bytes an operation on `n` bytes at these places can touch, if that is few.
    pub(super) fn extent(&mut self, n: TermId, places: &[TermId], s: &State) -> Option<u64> {
        if let Some(n) = self.pool.as_bits(n) {
            return (n as u64 <= MAX_BYTES).then_some(n as u64);
        }
        let mut least = None;
        for &p in places {
            let mut most = Some(0u64);
            for c in self.resolve(p, s, false) {
                if let PointerTarget::At(i, _) = c.target {
                    most = most.zip(self.infos[i.0 as usize].constant_size).map(|(a, b)| a.max(b));
                }
            }
            least = match (least, most) {
                (None, m) => m,
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, None) => a,
            };
        }
        least.filter(|&n| n <= 512)
    }

    /// How to cut a copy: along the cells of the source if it is one known object and the size
    /// is constant, else into bytes.
    pub(super) fn pieces(&mut self, r: TermId, limit: u64, n: TermId, s: &State) -> Vec<(u64, Ty)> {
        let byte = Ty::Int(cairn_ir::IntTy::U8);
        let bytes = || (0..limit).map(|at| (at, byte)).collect::<Vec<_>>();
        let model = self.program.model;
        if self.pool.as_bits(n).is_none() {
            return bytes();
        }
        let [Candidate { target: PointerTarget::At(i, offset), .. }] = &candidates(self.pool, r)[..] else {
            return bytes();
        };
        let Some(start) = self.pool.as_bits(*offset).map(|b| b as u64) else { return bytes() };
        match s.memory.get(i).map(|o| &o.content) {
            Some(Content::Cells { cells, .. }) => {
                let mut out = Vec::new();
                let mut at = start;
                while at < start + limit {
                    let step = match cells.get(&at) {
                        Some(c) if at + c.ty.bytes(model) <= start + limit => {
                            out.push((at - start, c.ty));
                            c.ty.bytes(model)
                        }
                        _ => {
                            // Eight bytes at once where no cell is in the way.
                            let wide = Ty::Int(cairn_ir::IntTy::U64);
                            let free = cells
                                .range(at.saturating_sub(16)..at + 8)
                                .all(|(k, c)| k + c.ty.bytes(model) <= at);
                            if free && at + 8 <= start + limit {
                                out.push((at - start, wide));
                                8
                            } else {
                                out.push((at - start, byte));
                                1
                            }
                        }
                    };
                    at += step;
                }
                out
            }
            Some(Content::Array { elem, .. }) => {
                let step = elem.bytes(model);
                if start.is_multiple_of(step) && limit.is_multiple_of(step) {
                    (0..limit / step).map(|k| (k * step, *elem)).collect()
                } else {
                    bytes()
                }
            }
            None => bytes(),
        }
    }

    pub(super) fn advance(&mut self, p: TermId, at: u64) -> TermId {
        let at = self.pool.bits(64, at.into());
        self.pool.bv_add(p, at)
    }

    /// Reads at `p + at` from whatever object is there (bounds have been checked for `n` bytes).
    pub(super) fn load_if(&mut self, p: TermId, at: u64, ty: Ty, _n: TermId, s: &mut State) -> TermId {
        let here = self.advance(p, at);
        let len = ty.bytes(self.program.model);
        let mut value: Option<TermId> = None;
        for c in self.resolve(here, s, false) {
            let PointerTarget::At(i, offset) = c.target else { continue };
            if !s.memory.contains_key(&i) || self.out_of(i, offset, len) || self.brake.pulled() {
                continue;
            }
            let v = self.with_content(s, i, |a, content| a.read(content, offset, ty));
            value = Some(match value {
                None => v,
                Some(other) => self.pool.ite(c.when, v, other),
            });
        }
        match value {
            Some(v) => v,
            None => {
                let so = sort(self.pool, ty);
                self.pool.fresh("indeterminate", so)
            }
        }
    }

    pub(super) fn store_if(&mut self, p: TermId, at: u64, ty: Ty, value: TermId, n: TermId, s: &mut State) {
        let here = self.advance(p, at);
        let len = ty.bytes(self.program.model);
        let n = self.pool.resize(64, false, n);
        let at = self.pool.bits(64, at.into());
        let inside = self.pool.bv_ult(at, n);
        if self.pool.as_bool(inside) == Some(false) {
            return;
        }
        for c in self.resolve(here, s, false) {
            let PointerTarget::At(i, offset) = c.target else { continue };
            if !s.memory.contains_key(&i) || self.out_of(i, offset, len) || self.brake.pulled() {
                continue;
            }
            let when = self.pool.and(&[c.when, inside]);
            self.with_content(s, i, |a, content| {
                let new = if a.pool.as_bool(when) == Some(true) {
                    value
                } else {
                    let old = a.read(content, offset, ty);
                    a.pool.ite(when, value, old)
                };
                a.write(content, offset, ty, new);
            });
        }
    }

    /// Is a constant offset beyond a constant size? (Then no execution accesses it.)
    pub(super) fn out_of(&self, i: Instance, offset: TermId, len: u64) -> bool {
        match (self.pool.as_bits(offset), self.infos[i.0 as usize].constant_size) {
            (Some(at), Some(size)) => (at as u64).saturating_add(len) > size,
            _ => false,
        }
    }

    pub(super) fn end(&mut self, o: ObjId, s: &mut State) {
        let Some(address) = s.frame.get(&o).copied() else { return };
        for c in candidates(self.pool, address) {
            if let PointerTarget::At(i, _) = c.target
                && let Some(object) = s.memory.get(&i).cloned()
            {
                let not = self.pool.not(c.when);
                let live = self.pool.and(&[object.live, not]);
                if self.pool.as_bool(live) == Some(false) {
                    s.memory.remove(&i);
                } else {
                    s.memory.insert(i, Object { live, ..object });
                }
            }
        }
        s.frame.remove(&o);
    }

    pub(super) fn free(&mut self, p: TermId, kind: AllocKind, s: &mut State, e: EdgeId) -> Option<()> {
        let zero = self.pool.bits(64, 0);
        let null = self.pool.eq(p, zero);
        let mut fine = vec![null];
        let mut ended = Vec::new();
        for c in self.resolve(p, s, false) {
            let PointerTarget::At(i, offset) = c.target else { continue };
            let Some(object) = s.memory.get(&i).cloned() else { continue };
            if kind == AllocKind::Heap && !self.infos[i.0 as usize].is_heap {
                continue;
            }
            let start = self.pool.eq(offset, zero);
            let when = self.pool.and(&[c.when, start]);
            fine.push(self.pool.and(&[when, object.live]));
            ended.push((i, when));
        }
        let any = self.pool.or(&fine);
        let bad = self.pool.not(any);
        self.forbid(ObligationKind::Undefined("freeing what was not allocated"), bad, s, e)?;
        for (i, when) in ended {
            // It may occur several times.
            let Some(object) = s.memory.get(&i).cloned() else { continue };
            let not = self.pool.not(when);
            let live = self.pool.and(&[object.live, not]);
            s.memory.insert(i, Object { live, ..object });
        }
        Some(())
    }

    /// The object that `p` is the start of lies at `base`: one of the places where it may lie. Only
    /// such executions go on.
    pub(super) fn placed_at(
        &mut self,
        p: TermId,
        base: TermId,
        align: TermId,
        mut s: State,
    ) -> Option<State> {
        if !self.pointers.placed() {
            return Some(s);
        }
        let said = self.pool.as_bits(base) != Some(0);
        let mut found = Vec::new();
        for c in self.resolve(p, &s, true) {
            let PointerTarget::At(i, _) = c.target else { continue };
            found.extend(self.pointers.spot(i).map(|spot| (c.when, i, spot)));
        }
        for (when, i, spot) in found {
            let width = self.pool.width(spot.base);
            let zero = self.pool.bits(width, 0);
            let mut all = Vec::new();
            let multiple = self.pool.bv_urem(spot.base, align);
            all.push(self.pool.eq(multiple, zero));
            if said {
                let upper = if spot.low == 0 { spot.base } else { self.pool.arg(spot.base, 0) };
                self.bases.push(BaseVar { upper, low: spot.low, said: base });
                all.push(self.pool.eq(spot.base, base));
                all.push(self.pool.ne(spot.base, zero));
                // One past the end is an address, too.
                let last = self.pool.bv_not(spot.room);
                all.push(self.pool.bv_ule(spot.base, last));
                for &j in &self.located {
                    if j != i && !s.memory.contains_key(&j) && !self.infos[j.0 as usize].is_code {
                        self.pointers.set_apart(i, j, false);
                    }
                }
                let code: Vec<Instance> = self.funcs.values().chain(self.labels.values()).copied().collect();
                let others: Vec<(Instance, TermId)> = (s.memory.iter().map(|(&j, o)| (j, o.live)))
                    .chain(code.into_iter().map(|j| (j, Pool::TRUE)))
                    .filter(|&(j, _)| j != i && self.located.contains(&j))
                    .collect();
                for (j, live) in others {
                    let Some(other) = self.pointers.spot(j) else { continue };
                    self.pointers.set_apart(i, j, live == Pool::TRUE);
                    let (here, there) =
                        (self.pool.bv_add(spot.base, spot.room), self.pool.bv_add(other.base, other.room));
                    let dead = self.pool.not(live);
                    let (below, above) =
                        (self.pool.bv_ule(here, other.base), self.pool.bv_ule(there, spot.base));
                    all.push(self.pool.or(&[dead, below, above]));
                }
                self.located.insert(i);
            }
            let fine = self.pool.and(&all);
            let not = self.pool.not(when);
            let fine = self.pool.or(&[not, fine]);
            s.guard = s.guard.and(self.pool, fine)?;
        }
        Some(s)
    }
}
