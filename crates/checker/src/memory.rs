//! Memory: objects by number, each a sequence of bytes with a size and a life.

use std::rc::Rc;

use cairn_base::Place;
use cairn_encode::expr::Addresses;
use cairn_ir::{AllocKind, Init, ObjId, ObjKind, RelocTarget, Ty, VarKind};
use cairn_term::{Pool, TermId};

use crate::address::{Denotes, Instance, ROOM, Space, start};
use crate::bytes::{Content, SINGLE};
use crate::state::{Info, Object, State};
use crate::walk::{Condition, Flow, Halt, Walk};

/// Objects above this size cannot be read: offsets from their middle on look like offsets below
/// the next object.
const LARGE: u64 = 1 << 31;

/// What the address of allocated memory is a multiple of.
const ALLOCATED: u32 = 16;

/// The largest object with much data.
const TABLE: u64 = 1 << 26;

/// A place in an object, where the condition holds and the access is in order.
struct Spot {
    instance: Instance,
    offset: TermId,
    when: TermId,
    /// The pointer's term names the object; otherwise it may be any, and this is one of them.
    told: bool,
}

impl Walk<'_> {
    /// A new instance. It is not in any state yet.
    pub fn instance(&mut self, info: Info) -> Flow<Instance> {
        let i = self.infos.len() as Instance;
        if info.constant.is_some_and(|n| n >= LARGE) || !self.space.place(&mut self.pool, i, &info) {
            return Err(Halt::Stop("the address space is full".into()));
        }
        self.infos.push(info);
        Ok(i)
    }

    pub fn sized(&mut self, size: u64) -> Info {
        let term = self.pool.bits(64, size.into());
        Info { constant: Some(size), writable: true, ..Info::plain(term) }
    }

    /// Statics, functions, labels, and globals.
    pub fn statics(&mut self, s: &mut State) -> Flow<()> {
        let p = self.program;
        for f in p.funcs.keys() {
            let info = Info { writable: false, func: Some(f), ..self.sized(0) };
            let i = self.instance(info)?;
            self.funcs.insert(f, i);
        }
        for l in p.labels.keys() {
            let info = Info { writable: false, ..self.sized(0) };
            let i = self.instance(info)?;
            self.labels.insert(l, i);
        }
        let live: Vec<ObjId> =
            p.objects.iter().filter(|(_, o)| o.kind != ObjKind::Local).map(|(o, _)| o).collect();
        for &o in &live {
            let info = Info {
                writable: p.objects[o].kind != ObjKind::Const,
                align: p.objects[o].align,
                literal: p.objects[o].literal().map(Rc::from),
                ..self.sized(p.objects[o].size)
            };
            let i = self.instance(info)?;
            self.statics.insert(o, i);
        }
        for o in live {
            let content = self.initial(o)?;
            s.memory.insert(self.statics[&o], Object { live: Pool::TRUE, content });
        }
        for (v, var) in p.vars.iter() {
            if let VarKind::Global { init } = var.kind {
                let value = self.value(init, s, var.place)?;
                s.globals.insert(v, value);
            }
        }
        Ok(())
    }

    fn initial(&mut self, o: ObjId) -> Flow<Content> {
        let object = &self.program.objects[o];
        let size = Some(object.size);
        let Init::Static(data) = &object.init else {
            return Ok(self.bytes.unknown(&mut self.pool, size, "mem"));
        };
        let given: usize = data.bytes.iter().map(|(_, b)| b.len()).sum();
        // Large tables are kept byte by byte, for accesses at known offsets.
        let by_cases = given > 0 && !self.proof.cuts.cases.is_empty();
        let table = (given > 1 << 16 || by_cases) && object.size > self.bytes.single;
        if table && object.size > TABLE {
            return Err(Halt::Stop(format!("the data of '{}' is too large", object.name)));
        }
        let mut content = match table {
            true => Content::Single(Rc::new(vec![self.pool.bits(8, 0); object.size as usize])),
            false => self.bytes.zero(&mut self.pool, size),
        };
        for (at, bytes) in &data.bytes {
            let terms: Vec<TermId> = bytes.iter().map(|&b| self.pool.bits(8, b.into())).collect();
            let at = self.pool.bits(64, u128::from(*at));
            self.bytes.write(&mut self.pool, &mut content, at, &terms, Pool::TRUE);
        }
        for r in &data.relocs {
            let target = match r.target {
                RelocTarget::Object(o) => self.statics.get(&o),
                RelocTarget::Func(f) => self.funcs.get(&f),
                RelocTarget::Label(l) => self.labels.get(&l),
            };
            let base = start(&mut self.pool, target.copied().unwrap_or(0));
            let addend = self.pool.bits(64, r.addend as u64 as u128);
            let pointer = self.pool.bv_add(base, addend);
            let flat = self.space.flat(&mut self.pool, pointer);
            let flat = self.pool.resize(8 * r.bytes, false, flat);
            let terms = self.cut(flat);
            let at = self.pool.bits(64, r.offset.into());
            if let Some(&i) = self.statics.get(&o) {
                self.space.looks.borrow_mut().stored(&self.pool, i, at);
            }
            self.bytes.write(&mut self.pool, &mut content, at, &terms, Pool::TRUE);
        }
        Ok(content)
    }

    /// A local object begins: a new instance, of which nothing is known.
    pub fn begin(&mut self, o: ObjId, s: &mut State) -> Flow<Instance> {
        let object = &self.program.objects[o];
        let info = Info { align: object.align, ..self.sized(object.size) };
        let content = self.bytes.unknown(&mut self.pool, info.constant, "mem");
        let i = self.instance(info)?;
        s.memory.insert(i, Object { live: Pool::TRUE, content });
        let address = start(&mut self.pool, i);
        s.frame.insert(o, address);
        Ok(i)
    }

    pub fn end(&mut self, o: ObjId, s: &mut State) {
        let Some(address) = s.frame.remove(&o) else { return };
        for (when, what) in self.space.denoted(&mut self.pool, address) {
            if let Denotes::Object(i) = what
                && let Some(object) = s.memory.get(&i).cloned()
            {
                let not = self.pool.not(when);
                let live = self.pool.and(&[object.live, not]);
                if self.pool.as_bool(live) == Some(false) {
                    s.memory.remove(&i);
                } else {
                    s.memory.insert(i, Object { live, ..object });
                }
            }
        }
    }

    // Values and bytes.

    /// A word as bytes, the lowest first.
    pub fn cut(&mut self, word: TermId) -> Vec<TermId> {
        (0..self.pool.width(word) / 8).map(|i| self.pool.extract(8 * i + 7, 8 * i, word)).collect()
    }

    fn word_of(&mut self, value: TermId, ty: Ty) -> TermId {
        let width = 8 * ty.bytes(self.program.model) as u8;
        match ty {
            Ty::Bool => self.pool.bool_to_bits(width, value),
            Ty::Int(i) => self.pool.resize(width, i.signed, value),
            Ty::Float(_) => value,
            Ty::Ptr => self.space.flat(&mut self.pool, value),
        }
    }

    fn value_of(&mut self, word: TermId, ty: Ty) -> TermId {
        match ty {
            Ty::Bool => self.pool.bit(word, 0),
            Ty::Int(i) => self.pool.resize(i.bits, false, word),
            Ty::Float(_) => word,
            Ty::Ptr => self.space.pointer(&mut self.pool, word),
        }
    }

    // Accesses.

    /// The objects a pointer may point into with conditions that exclude each other, and the
    /// condition that it points to something that is not in the state but may be there.
    /// Each with the offset in the object, and whether the pointer's term names it.
    fn resolve(&mut self, p: TermId, s: &State) -> (Vec<(TermId, Instance, TermId, bool)>, TermId) {
        let mut out = Vec::new();
        let mut other = Vec::new();
        for (when, (what, offset)) in self.space.placed(&mut self.pool, p) {
            match what {
                Denotes::Nothing => {}
                Denotes::Object(i) => out.push((when, i, offset, true)),
                Denotes::Anything if self.space.is_addressed(&self.pool, p) => {
                    other.extend(self.lying_at(p, when, s, &mut out));
                }
                Denotes::Anything => {
                    let number = self.pool.extract(63, 32, p);
                    let mut missed = vec![when, s.elsewhere.0];
                    let zero = self.pool.bits(64, 0);
                    missed.push(self.pool.ne(p, zero));
                    for &i in s.memory.keys() {
                        let id = self.pool.bits(32, i.into());
                        let hit = self.pool.eq(number, id);
                        let here = self.pool.and(&[when, hit]);
                        missed.push(self.pool.not(hit));
                        if self.pool.as_bool(here) != Some(false) {
                            let first = start(&mut self.pool, i);
                            let offset = self.pool.bv_sub(p, first);
                            out.push((here, i, offset, false));
                        }
                    }
                    if s.elsewhere.0 != Pool::FALSE {
                        other.push(self.pool.and(&missed));
                    }
                }
            }
        }
        (out, self.pool.or(&other))
    }

    /// The live objects that lie where a pointer of which only the address is known points to. Gives
    /// the condition that it is none of them, but one of which nothing is known.
    fn lying_at(
        &mut self,
        p: TermId,
        when: TermId,
        s: &State,
        out: &mut Vec<(TermId, Instance, TermId, bool)>,
    ) -> Option<TermId> {
        let flat = self.space.flat(&mut self.pool, p);
        let mut missed = vec![when, s.elsewhere.0];
        for (&i, object) in &s.memory {
            let Some(lot) = self.space.inner.borrow().lots.lot(i) else { continue };
            let offset = self.pool.bv_sub(flat, lot.base);
            let inside = self.pool.bv_ult(offset, lot.room);
            let here = self.pool.and(&[when, object.live, inside]);
            missed.push(self.pool.not(inside));
            if self.pool.as_bool(here) != Some(false) {
                let offset = self.pool.resize(64, false, offset);
                out.push((here, i, offset, false));
            }
        }
        (s.elsewhere.0 != Pool::FALSE).then(|| self.pool.and(&missed))
    }

    /// The object that `p` is the start of lies at `base`, one of the places where it may lie. Only
    /// such executions go on.
    pub fn locate(
        &mut self,
        p: TermId,
        base: TermId,
        align: TermId,
        s: &mut State,
        place: Place,
    ) -> Flow<()> {
        if !self.space.located {
            return Ok(());
        }
        let said = self.pool.as_bits(base) != Some(0);
        let Some((i, 0)) = Space::constant(&self.pool, p) else {
            // Less is known then.
            return match said {
                false => Ok(()),
                true => Err(self.gap(&s.path, "the address of an object that is not known", place)),
            };
        };
        let Some(lot) = self.space.inner.borrow().lots.lot(i) else { return Ok(()) };
        let zero = self.pool.bits(self.pool.width(lot.base), 0);
        let rest = self.pool.bv_urem(lot.base, align);
        let mut good = vec![self.pool.eq(rest, zero)];
        if said {
            good.push(self.pool.eq(lot.base, base));
            let null = self.pool.eq(lot.base, zero);
            good.push(self.pool.not(null));
            // The end is an address as well: base + room does not wrap.
            let wraps = self.pool.bv_uaddo(lot.base, lot.room);
            good.push(self.pool.not(wraps));
            let mut others: Vec<(Instance, TermId)> = s.memory.iter().map(|(&j, o)| (j, o.live)).collect();
            let code = self.funcs.values().chain(self.labels.values());
            others.extend(code.map(|&j| (j, Pool::TRUE)));
            others.sort_unstable();
            for (j, live) in others {
                let inner = self.space.inner.borrow();
                let known = j != i && inner.lots.located.contains(&j);
                let Some(other) = inner.lots.lot(j).filter(|_| known) else { continue };
                drop(inner);
                if live == Pool::TRUE {
                    self.space.inner.borrow_mut().lots.apart.insert((i.min(j), i.max(j)));
                }
                // Two stretches are disjoint if neither begins in the other.
                let ahead = self.pool.bv_sub(other.base, lot.base);
                let behind = self.pool.bv_sub(lot.base, other.base);
                let (a, b) = (self.pool.bv_ule(lot.room, ahead), self.pool.bv_ule(other.room, behind));
                let disjoint = self.pool.and(&[a, b]);
                let dead = self.pool.not(live);
                good.push(self.pool.or(&[dead, disjoint]));
            }
            self.space.inner.borrow_mut().lots.located.insert(i);
        }
        let all = self.pool.and(&good);
        self.assume(s, all)
    }

    /// Where an access of `n` bytes (64 bits) at `p` goes; executions for which it goes wrong end.
    /// The second part is the condition that it goes to an object of which nothing is known.
    fn spots(
        &mut self,
        p: TermId,
        n: TermId,
        write: bool,
        s: &mut State,
        place: Place,
    ) -> Flow<(Vec<Spot>, TermId)> {
        let (found, elsewhere) = self.resolve(p, s);
        let zero = self.pool.bits(64, 0);
        let mut fine = vec![elsewhere, self.pool.eq(n, zero)];
        let mut out = Vec::new();
        for (when, instance, offset, told) in found {
            // A number may look like a pointer to an object that never was.
            let Some(info) = self.infos.get(instance as usize) else { continue };
            let Some(object) = s.memory.get(&instance) else { continue };
            if write && !info.writable {
                continue;
            }
            if object.content.is_table() && (write || self.pool.as_bits(offset).is_none()) {
                return Err(Halt::Stop("a large table that is not only read at known places".into()));
            }
            let (size, live) = (info.size, object.live);
            let enough = self.pool.bv_ule(n, size);
            let room = self.pool.bv_sub(size, n);
            let inside = self.pool.bv_ule(offset, room);
            let when = self.pool.and(&[when, live, enough, inside]);
            if self.pool.as_bool(when) != Some(false) {
                fine.push(when);
                out.push(Spot { instance, offset, when, told });
            }
        }
        let any = self.pool.or(&fine);
        let bad = self.pool.not(any);
        self.undefined(s, bad, "an access to memory that is not there", place)?;
        Ok((out, elsewhere))
    }

    /// The one place where a read of `n` bytes at a constant address goes, if that is all there is to say
    /// about it: the object is alive, of known size, and the access lies within its bounds.
    fn sure(&self, p: TermId, n: u64, s: &State) -> Option<(Instance, u64)> {
        let (i, offset) = Space::constant(&self.pool, p)?;
        let info = self.infos.get(i as usize)?;
        let object = s.memory.get(&i)?;
        let inside = offset.checked_add(n)? <= info.constant?;
        (inside && object.live == Pool::TRUE).then_some((i, offset))
    }

    pub fn load(&mut self, p: TermId, ty: Ty, s: &mut State, place: Place) -> Flow<TermId> {
        let bytes = ty.bytes(self.program.model);
        if let Some((i, offset)) = self.sure(p, bytes, s)
            && let Some(Content::Single(all)) = s.memory.get(&i).map(|o| &o.content)
            && let Some(found) = all.get(offset as usize..(offset + bytes) as usize)
        {
            let word = self.bytes.glue(&mut self.pool, found);
            let at = self.pool.bits(64, offset.into());
            let word = self.seen_as(word, ty, i, at);
            return Ok(self.value_of(word, ty));
        }
        let n = self.pool.bits(64, bytes.into());
        let (spots, elsewhere) = self.spots(p, n, false, s, place)?;
        let mut value = match self.pool.as_bool(elsewhere) {
            Some(false) => None,
            _ => Some(self.unknown(ty, "elsewhere")),
        };
        for spot in spots {
            let Some(mut object) = s.memory.get(&spot.instance).cloned() else { continue };
            let word = self.bytes.read_word(&mut self.pool, &mut object.content, spot.offset, bytes as usize);
            s.memory.insert(spot.instance, object);
            let word = self.seen_as(word, ty, spot.instance, spot.offset);
            let here = self.value_of(word, ty);
            value = Some(match value {
                None => here,
                Some(v) => self.pool.ite(spot.when, here, v),
            });
        }
        value.ok_or(Halt::Dead)
    }

    /// What a word of an instance is when it is read as a value of a type. Where a pointer is read as
    /// something else, that is any number.
    fn seen_as(&mut self, word: TermId, ty: Ty, i: Instance, offset: TermId) -> TermId {
        if ty == Ty::Ptr || self.space.located {
            return word;
        }
        let mut looks = self.space.looks.borrow_mut();
        let (bytes, pointer) = (ty.bytes(self.program.model), self.program.model.ptr_bytes());
        match looks.has_pointer(&self.pool, i, offset, bytes, pointer) {
            true => looks.unknown(&mut self.pool, 8 * bytes as u8),
            false => word,
        }
    }

    /// So many bytes that stand for some with pointers in them, where it is not known to which object
    /// they are written: later reads could not tell that they are no numbers.
    fn forgotten(&mut self, count: usize) -> Vec<TermId> {
        let mut looks = self.space.looks.borrow_mut();
        (0..count).map(|_| looks.unknown(&mut self.pool, 8)).collect()
    }

    pub fn store(&mut self, p: TermId, ty: Ty, value: TermId, s: &mut State, place: Place) -> Flow<()> {
        let word = self.word_of(value, ty);
        let bytes = self.cut(word);
        let n = self.pool.bits(64, bytes.len() as u128);
        let (spots, elsewhere) = self.spots(p, n, true, s, place)?;
        let alone = spots.len() == 1 && self.pool.as_bool(elsewhere) == Some(false);
        for spot in spots {
            let when = if alone { Pool::TRUE } else { spot.when };
            let plain = ty != Ty::Ptr || self.space.located || self.pool.as_bits(value) == Some(0);
            if !plain && !spot.told {
                let any = self.forgotten(bytes.len());
                self.put(s, &spot, 0, &any, when);
                continue;
            }
            if !plain {
                self.space.looks.borrow_mut().stored(&self.pool, spot.instance, spot.offset);
            }
            self.put(s, &spot, 0, &bytes, when);
        }
        Ok(())
    }

    fn put(&mut self, s: &mut State, spot: &Spot, at: u64, bytes: &[TermId], when: TermId) {
        let Some(mut object) = s.memory.get(&spot.instance).cloned() else { return };
        let at = self.pool.bits(64, at.into());
        let offset = self.pool.bv_add(spot.offset, at);
        self.bytes.write(&mut self.pool, &mut object.content, offset, bytes, when);
        s.memory.insert(spot.instance, object);
    }

    /// The most bytes that an operation on `n` bytes can touch here, if that is not too many.
    fn most(&self, n: TermId, ends: &[&[Spot]]) -> Option<u64> {
        if let Some(n) = self.pool.as_bits(n) {
            return (n <= 1 << 14).then_some(n as u64);
        }
        let largest = |spots: &&[Spot]| {
            spots.iter().map(|x| self.infos[x.instance as usize].constant).try_fold(0, |m, n| Some(n?.max(m)))
        };
        ends.iter().filter_map(largest).min().filter(|&n| n <= SINGLE)
    }

    pub fn copy(&mut self, d: TermId, r: TermId, n: TermId, s: &mut State, place: Place) -> Flow<()> {
        let n = self.pool.resize(64, false, n);
        let (to, outside) = self.spots(d, n, true, s, place)?;
        let (from, elsewhere) = self.spots(r, n, false, s, place)?;
        let most = self.most(n, &[&to, &from]);
        if most.is_none_or(|n| n > SINGLE) && self.copy_at_once(&to, outside, &from, elsewhere, n, s) {
            return Ok(());
        }
        let Some(most) = most else {
            return Err(self.gap(&s.path, "copying bytes of unknown or great number", place));
        };
        let whole = self.pool.as_bits(n).is_some();
        let mut bytes: Vec<TermId> = Vec::with_capacity(most as usize);
        let nothing = self.pool.bits(8, 0);
        for _ in 0..most {
            let unknown = match self.pool.as_bool(elsewhere) {
                Some(false) => nothing,
                _ => self.unknown(Ty::Int(cairn_ir::IntTy::U8), "elsewhere"),
            };
            bytes.push(unknown);
        }
        for spot in from {
            let told = spot.told && to.iter().all(|t| t.told);
            for target in to.iter().filter(|_| told) {
                let ends = ((spot.instance, spot.offset), (target.instance, target.offset));
                self.space.looks.borrow_mut().copied(&self.pool, ends.0, ends.1);
            }
            let forgets =
                !told && !self.space.located && self.space.looks.borrow().has_pointers(spot.instance);
            let Some(mut object) = s.memory.get(&spot.instance).cloned() else { continue };
            let found = if whole {
                self.bytes.read(&mut self.pool, &mut object.content, spot.offset, most as usize)
            } else {
                let mut found = Vec::new();
                for at in 0..most {
                    let at = self.pool.bits(64, at.into());
                    let offset = self.pool.bv_add(spot.offset, at);
                    found.extend(self.bytes.read(&mut self.pool, &mut object.content, offset, 1));
                }
                found
            };
            s.memory.insert(spot.instance, object);
            let found = if forgets { self.forgotten(found.len()) } else { found };
            for (b, f) in bytes.iter_mut().zip(found) {
                *b = self.pool.ite(spot.when, f, *b);
            }
        }
        self.spread(&to, outside, n, &bytes, s);
        Ok(())
    }

    pub fn fill(&mut self, d: TermId, byte: TermId, n: TermId, s: &mut State, place: Place) -> Flow<()> {
        let n = self.pool.resize(64, false, n);
        let byte = self.pool.extract(7, 0, byte);
        let (to, outside) = self.spots(d, n, true, s, place)?;
        if self.pool.as_bits(byte).is_some()
            && let Some(rest) = self.nearly_all(&to, outside, n)
        {
            let size = self.infos[to[0].instance as usize].constant;
            let content = self.bytes.uniform(&mut self.pool, size, byte);
            self.replace(to[0].instance, content, &rest, s);
            return Ok(());
        }
        let Some(most) = self.most(n, &[&to]) else {
            return Err(self.gap(&s.path, "filling bytes of unknown or great number", place));
        };
        self.spread(&to, outside, n, &vec![byte; most as usize], s);
        Ok(())
    }

    /// If the only place that `n` bytes are written to is nearly all of an object, the few bytes around them.
    fn nearly_all(&self, to: &[Spot], outside: TermId, n: TermId) -> Option<Vec<u64>> {
        let [spot] = to else { return None };
        let offset = self.pool.as_bits(spot.offset)? as u64;
        if self.pool.as_bool(outside) != Some(false) {
            return None;
        }
        let info = &self.infos[spot.instance as usize];
        if offset == 0 && info.size == n {
            return Some(Vec::new());
        }
        let (n, size) = (self.pool.as_bits(n)? as u64, info.constant?);
        let end = offset.checked_add(n).filter(|&end| end <= size)?;
        (size - n <= n.min(SINGLE)).then(|| (0..offset).chain(end..size).collect())
    }

    /// An object has new content but for some bytes.
    fn replace(&mut self, i: Instance, mut content: Content, rest: &[u64], s: &mut State) {
        let Some(mut object) = s.memory.get(&i).cloned() else { return };
        for &at in rest {
            let at = self.pool.bits(64, at.into());
            let old = self.bytes.read(&mut self.pool, &mut object.content, at, 1);
            self.bytes.write(&mut self.pool, &mut content, at, &old, Pool::TRUE);
        }
        s.memory.insert(i, Object { content, ..object });
    }

    /// Copies nearly all of an object from the same place in another one.
    fn copy_at_once(
        &mut self,
        to: &[Spot],
        outside: TermId,
        from: &[Spot],
        elsewhere: TermId,
        n: TermId,
        s: &mut State,
    ) -> bool {
        let (Some(rest), [source]) = (self.nearly_all(to, outside, n), from) else { return false };
        let target = &to[0];
        let known = self.pool.as_bool(elsewhere) == Some(false) && source.told && target.told;
        if !known || source.offset != target.offset || source.instance == target.instance {
            return false;
        }
        let Some(content) = s.memory.get(&source.instance).map(|o| o.content.clone()) else { return false };
        let size = self.infos[target.instance as usize].constant;
        if content.is_table() && size != self.infos[source.instance as usize].constant {
            return false;
        }
        let content = self.bytes.sized(&mut self.pool, content, size);
        let ends = ((source.instance, source.offset), (target.instance, target.offset));
        self.space.looks.borrow_mut().copied(&self.pool, ends.0, ends.1);
        self.replace(target.instance, content, &rest, s);
        true
    }

    /// Writes the first `n` of the bytes.
    fn spread(&mut self, to: &[Spot], outside: TermId, n: TermId, bytes: &[TermId], s: &mut State) {
        let whole = self.pool.as_bits(n).is_some();
        let alone = to.len() == 1 && self.pool.as_bool(outside) == Some(false) && whole;
        for spot in to {
            if whole {
                let when = if alone { Pool::TRUE } else { spot.when };
                self.put(s, spot, 0, bytes, when);
                continue;
            }
            for (at, &b) in bytes.iter().enumerate() {
                let position = self.pool.bits(64, at as u128);
                let inside = self.pool.bv_ult(position, n);
                let when = self.pool.and(&[spot.when, inside]);
                self.put(s, spot, at as u64, &[b], when);
            }
        }
    }

    // Lives of allocated objects.

    pub fn allocate(&mut self, size: TermId, kind: AllocKind, zeroed: bool, s: &mut State) -> Flow<TermId> {
        let size = self.pool.resize(64, false, size);
        let constant = self.pool.as_bits(size).map(|n| n as u64);
        if constant.is_none() {
            let room = self.pool.bits(64, ROOM.into());
            let path = s.path.term(&mut self.pool);
            let large = self.pool.bv_ult(room, size);
            let when = self.pool.and(&[path, large]);
            let what = "an object of unknown size".to_owned();
            self.oversize.push(Condition { when, what, place: Place::NONE, gap: true });
        }
        let heap = kind == AllocKind::Heap;
        let i =
            self.instance(Info { constant, heap, writable: true, align: ALLOCATED, ..Info::plain(size) })?;
        let content = match zeroed {
            true => self.bytes.zero(&mut self.pool, constant),
            false => self.bytes.unknown(&mut self.pool, constant, "mem"),
        };
        s.memory.insert(i, Object { live: Pool::TRUE, content });
        let address = start(&mut self.pool, i);
        if !heap {
            // Its life ends with the function's, like that of an object of its frame.
            s.frame.insert(ObjId::from_u32(u32::MAX - 1 - i), address);
        }
        Ok(address)
    }

    pub fn free(&mut self, p: TermId, kind: AllocKind, s: &mut State, place: Place) -> Flow<()> {
        let (found, elsewhere) = self.resolve(p, s);
        let zero = self.pool.bits(64, 0);
        let mut fine = vec![elsewhere, self.pool.eq(p, zero)];
        let mut ended = Vec::new();
        for (when, i, offset, _) in found {
            let Some(object) = s.memory.get(&i).cloned() else { continue };
            if kind == AllocKind::Heap && !self.infos[i as usize].heap {
                continue;
            }
            let exact = self.pool.eq(offset, zero);
            let when = self.pool.and(&[when, exact, object.live]);
            fine.push(when);
            ended.push((i, when));
        }
        let any = self.pool.or(&fine);
        let bad = self.pool.not(any);
        self.undefined(s, bad, "freeing what was not allocated", place)?;
        for (i, when) in ended {
            let Some(object) = s.memory.get(&i).cloned() else { continue };
            let not = self.pool.not(when);
            let live = self.pool.and(&[object.live, not]);
            s.memory.insert(i, Object { live, ..object });
        }
        Ok(())
    }

    /// Bytes from a pointer to the end of its object, 0 if there is none alive.
    pub fn object_size(&mut self, p: TermId, s: &State) -> TermId {
        let (found, elsewhere) = self.resolve(p, s);
        let zero = self.pool.bits(64, 0);
        let other = self.unknown(Ty::Int(cairn_ir::IntTy::U64), "elsewhere");
        let mut size = self.pool.ite(elsewhere, other, zero);
        for (when, i, offset, _) in found {
            let Some(live) = s.memory.get(&i).map(|o| o.live) else { continue };
            let whole = self.infos[i as usize].size;
            let inside = self.pool.bv_ule(offset, whole);
            let rest = self.pool.bv_sub(whole, offset);
            let when = self.pool.and(&[when, live, inside]);
            size = self.pool.ite(when, rest, size);
        }
        size
    }
}
