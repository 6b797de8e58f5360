//! From what the executor reports to the tree that is kept.
//!
//! Functions of the library's models are not entered: what they take from
//! outside belongs to the line that calls them.

use std::collections::VecDeque;

use cairn_base::{EntityRef, Place, Symbol};
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::{
    Bits, Callee, DTypeId, EdgeId, Expr, ExprId, FuncId, IntTy, LocId, ObjKind, Op, Program, Ty, VarId,
    VarKind,
};
use cairn_sem::{Observer, Pointee, View, Written};

use super::tree::{Call, Item, Loop, Raw, Seq};
use super::value::{Holder, Value, scalars};

/// Open calls that are kept at either end of the stack.
const CALLS: usize = 200;
/// Scalars shown of a structure or array that is written at once.
const PARTS: usize = 6;
/// Temporaries of a line that conditions may mention.
const TEMPS: usize = 12;
/// Values shown with a condition.
const READS: usize = 4;

/// A call that has not returned.
struct Open {
    call: Call,
    is_model: bool,
    loops: Vec<OpenLoop>,
    /// What temporaries were computed by.
    temps: VecDeque<(VarId, EdgeId)>,
}

struct OpenLoop {
    /// Index in the table of loops, if it is a natural one.
    info: Option<u32>,
    head: LocId,
    kept: Loop,
    turn: Seq,
}

impl Open {
    fn new(p: &Program, func: FuncId, site: Place) -> Open {
        let call = Call { func, site, args: Vec::new(), body: Seq::default(), returned: None };
        Open { call, is_model: p.funcs[func].is_model, loops: Vec::new(), temps: VecDeque::new() }
    }

    fn seq(&mut self) -> &mut Seq {
        self.loops.last_mut().map_or(&mut self.call.body, |l| &mut l.turn)
    }

    fn close_loop(&mut self, put: fn(&mut Seq, Item)) {
        if let Some(mut l) = self.loops.pop() {
            if !l.turn.is_empty() {
                l.kept.add(std::mem::take(&mut l.turn));
            }
            put(self.seq(), Item::Loop(Box::new(l.kept)));
        }
    }

    fn finish(mut self, put: fn(&mut Seq, Item)) -> Call {
        while !self.loops.is_empty() {
            self.close_loop(put);
        }
        self.call
    }
}

/// The natural loops of the functions that were entered.
#[derive(Default)]
struct LoopTable {
    /// By location: the innermost loop plus one, or 0.
    innermost: Vec<u32>,
    /// Heads, and the loops around, by index plus one.
    loops: Vec<(LocId, u32)>,
    known: Vec<bool>,
}

impl LoopTable {
    fn learn(&mut self, p: &Program, func: FuncId) {
        self.known.resize(p.funcs.len(), false);
        self.innermost.resize(p.locs.len(), 0);
        if std::mem::replace(&mut self.known[func.index()], true) {
            return;
        }
        let Some(graph) = Graph::new(p, func) else { return };
        let loops = Loops::new(p, &graph, &Dominators::forward(&graph));
        let base = self.loops.len() as u32;
        let number = |id: cairn_ir::loops::LoopId| base + id.index() as u32 + 1;
        for l in loops.loops.values() {
            self.loops.push((l.header, l.parent.map_or(0, number)));
        }
        for (id, l) in loops.loops.iter() {
            for &loc in &l.own {
                self.innermost[loc.index()] = number(id);
            }
        }
    }

    /// Does a loop contain a location?
    fn contains(&self, info: u32, loc: LocId) -> bool {
        let mut at = self.innermost[loc.index()];
        while at != 0 && at != info {
            at = self.loops[at as usize - 1].1;
        }
        at == info
    }

    fn headed_by(&self, loc: LocId) -> Option<u32> {
        let at = self.innermost[loc.index()];
        (at != 0 && self.loops[at as usize - 1].0 == loc).then_some(at)
    }
}

pub(super) struct Recorder<'p> {
    p: &'p Program,
    table: LoopTable,
    /// The open calls, outermost first: the first of them, those that are not kept, the last.
    low: Vec<Open>,
    missing: u64,
    high: VecDeque<Open>,
    /// What models took from outside since the user's code was left.
    inputs: Vec<(Symbol, Value)>,
    /// Objects that models wrote to since then: the first byte, and how many.
    touched: Vec<Written>,
}

impl<'p> Recorder<'p> {
    pub fn new(p: &'p Program) -> Recorder<'p> {
        Recorder {
            p,
            table: LoopTable::default(),
            low: Vec::new(),
            missing: 0,
            high: VecDeque::new(),
            inputs: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// The tree, as far as the run got.
    pub fn finish(mut self) -> Option<Call> {
        let mut inner: Vec<Item> = Vec::new();
        loop {
            if self.high.is_empty() && self.missing > 0 {
                inner.insert(0, Item::Deep(std::mem::take(&mut self.missing)));
            }
            let mut open = self.high.pop_back().or_else(|| self.low.pop())?;
            for item in inner.drain(..) {
                open.seq().keep(item);
            }
            let is_model = open.is_model;
            let call = open.finish(Seq::keep);
            if self.low.is_empty() && self.high.is_empty() {
                return Some(call);
            }
            inner = match is_model {
                // Functions of the user that the model called.
                true => call.body.first.into_iter().chain(call.body.last).collect(),
                false => vec![Item::Call(Box::new(call))],
            };
        }
    }

    fn top(&mut self) -> Option<&mut Open> {
        self.high.back_mut().or(self.low.last_mut())
    }

    fn open(&mut self, open: Open) {
        if self.low.len() < CALLS && self.missing == 0 && self.high.is_empty() {
            self.low.push(open);
            return;
        }
        self.high.push_back(open);
        if self.high.len() > CALLS {
            self.high.pop_front();
            self.missing += 1;
        }
    }

    /// Closes the innermost call. Below it may be one that was not kept.
    fn close(&mut self, view: &View<'_, '_>) -> Option<Open> {
        let closed = self.high.pop_back().or_else(|| if self.missing == 0 { self.low.pop() } else { None });
        if self.high.is_empty() && self.missing > 0 {
            self.missing -= 1;
            if let Some((func, _)) = view.frames().nth(1) {
                let site = view.frames().nth(2).map_or(Place::NONE, |f| self.p.edges[f.1].place);
                self.high.push_back(Open::new(self.p, func, site));
            }
        }
        closed
    }

    fn effect(&mut self, place: Place, effect: Raw) {
        if let Some(open) = self.top() {
            open.seq().effect(place, effect);
        }
    }

    fn is_named(&self, v: VarId) -> bool {
        // What lowering made up has no type for people.
        self.p.vars[v].kind != VarKind::Temp && self.p.vars[v].dtype.is_some()
    }

    /// A variable got a value, perhaps an input.
    fn assigned(
        &mut self,
        view: &View<'_, '_>,
        edge: EdgeId,
        v: VarId,
        source: Option<ExprId>,
        input: Option<Symbol>,
    ) {
        let Some(value) = Value::of_var(view, v) else { return };
        let place = self.p.edges[edge].place;
        if self.is_named(v) {
            let input = input.or_else(|| source.and_then(|x| self.take_input(place, x)));
            return self.effect(place, Raw::Assigned { what: Holder::Var(v), value, input });
        }
        if let Some(name) = input {
            self.effect(place, Raw::Input { name, temp: Some(v), value });
        }
        if source.is_none()
            && let Some(open) = self.top()
        {
            open.temps.retain(|t| t.0 != v);
            open.temps.push_back((v, edge));
            if open.temps.len() > TEMPS {
                open.temps.pop_front();
            }
        }
    }

    /// If `x` is an input that the line at hand took, it becomes part of the assignment.
    fn take_input(&mut self, place: Place, mut x: ExprId) -> Option<Symbol> {
        while let Expr::Cast(_, inner) = self.p.exprs.get(x) {
            x = inner;
        }
        let Expr::Var(v) = self.p.exprs.get(x) else { return None };
        let line = self.top()?.seq().line(place)?;
        match line.effects.last() {
            Some(Raw::Input { name, temp: Some(t), .. }) if *t == v => {
                let name = *name;
                line.effects.pop();
                Some(name)
            }
            _ => None,
        }
    }

    /// Memory was written: the scalars there.
    fn stored(&mut self, view: &View<'_, '_>, edge: EdgeId, written: Written) {
        let place = self.p.edges[edge].place;
        let Some(at) = view.pointee(written.pointer) else { return };
        let dtype = at.object.and_then(|o| self.p.objects[o].dtype);
        // A local without a type of the source is none of the user's (variable arguments).
        if dtype.is_none() && at.object.is_some_and(|o| self.p.objects[o].kind == ObjKind::Local) {
            return;
        }
        let offset = u64::try_from(at.offset).ok();
        match self.p.edges[edge].op {
            Op::Store { value, .. } => {
                let ty = self.p.ty(value);
                let Some(bits) = view.read(written.pointer, ty) else { return };
                let own = dtype.zip(offset).and_then(|(t, o)| self.p.member_at(t, o, ty)).map(|(_, t)| t);
                let ty = own.map_or(ty, |t| scalar_type(self.p, t, ty));
                let value_seen = Value::new(view, ty, own, bits);
                let input = self.take_input(place, value);
                self.replace_fill(place, at);
                let what = Holder::Memory { at, ty, bits: None, edge };
                self.effect(place, Raw::Assigned { what, value: value_seen, input });
            }
            Op::StoreBits { bit, width, value, .. } => {
                let Some(bits) = bit_field(view, written.pointer, bit, width) else { return };
                let Ty::Int(i) = self.p.ty(value) else { return };
                let ty = Ty::Int(IntTy { bits: width, signed: i.signed });
                let what = Holder::Memory { at, ty, bits: Some((bit, width)), edge };
                self.effect(
                    place,
                    Raw::Assigned { what, value: Value::new(view, ty, None, bits), input: None },
                );
            }
            _ => {
                let Some((t, start)) = dtype.zip(offset) else { return };
                let mut parts = Vec::new();
                scalars(self.p, t, 0, &(start..start.saturating_add(written.size)), PARTS, &mut parts);
                for (o, ty, own) in parts {
                    let Some(bits) = view.read(written.pointer.wrapping_add(o - start), ty) else { continue };
                    let what =
                        Holder::Memory { at: Pointee { offset: o as i64, ..at }, ty, bits: None, edge };
                    let value = Value::new(view, ty, Some(own), bits);
                    self.effect(place, Raw::Assigned { what, value, input: None });
                }
            }
        }
    }

    /// A model wrote to an object. Those of the user are remembered.
    fn touch(&mut self, view: &View<'_, '_>, written: Written) {
        let same = |t: &&mut Written| t.pointer >> 32 == written.pointer >> 32;
        if let Some(t) = self.touched.iter_mut().find(same) {
            let end = (t.pointer + t.size).max(written.pointer + written.size);
            t.pointer = t.pointer.min(written.pointer);
            t.size = end - t.pointer;
            return;
        }
        let object = view.pointee(written.pointer).and_then(|p| p.object).map(|o| &self.p.objects[o]);
        let in_model = |place: Place| self.p.files.get(place.file).is_none_or(|f| f.starts_with("<models>"));
        if self.touched.len() < PARTS && object.is_some_and(|o| o.dtype.is_some() && !in_model(o.place)) {
            self.touched.push(written);
        }
    }

    /// A value that replaces one that the same line filled in is the one to be told.
    fn replace_fill(&mut self, place: Place, at: Pointee) {
        let p = self.p;
        let Some(line) = self.top().and_then(|o| o.seq().line(place)) else { return };
        line.effects.retain(|e| match e {
            Raw::Assigned { what: Holder::Memory { at: old, edge, .. }, .. } => {
                *old != at || !matches!(p.edges[*edge].op, Op::Fill { .. })
            }
            _ => true,
        });
    }

    fn decided(&mut self, view: &View<'_, '_>, edge: EdgeId, cond: ExprId) {
        let mut vars = Vec::new();
        let mut work = vec![cond];
        while let Some(x) = work.pop() {
            if let Expr::Var(v) = self.p.exprs.get(x)
                && !vars.contains(&v)
            {
                vars.push(v);
            }
            work.extend(self.p.exprs.children(x).iter().rev());
        }
        let Some(open) = self.high.back().or(self.low.last()) else { return };
        let holder = |v: VarId| match self.is_named(v) {
            true => Some(Holder::Var(v)),
            false => open.temps.iter().find(|t| t.0 == v).map(|t| Holder::Text(t.1)),
        };
        let read = |&v: &VarId| Some((holder(v)?, Value::of_var(view, v)?));
        let reads = vars.iter().filter_map(read).take(READS).collect();
        self.effect(self.p.edges[edge].place, Raw::Decided { edge, reads });
    }
}

/// The IR type of a scalar type for people.
fn scalar_type(p: &Program, t: DTypeId, otherwise: Ty) -> Ty {
    match p.dtypes[t] {
        cairn_ir::DType::Scalar { ty, .. } => ty,
        _ => otherwise,
    }
}

/// The bits of a bit-field in memory.
fn bit_field(view: &View<'_, '_>, pointer: u64, bit: u8, width: u8) -> Option<Bits> {
    let bytes = (u64::from(bit) + u64::from(width)).div_ceil(8);
    let mut all: Bits = 0;
    for i in 0..bytes {
        // The other bits of the last byte need not be initialised.
        all |= view.read(pointer + i, Ty::Int(IntTy::U8))? << (8 * i);
    }
    Some(all >> bit & ((1 << width) - 1))
}

impl Observer for Recorder<'_> {
    fn enter(&mut self, view: &View<'_, '_>, func: FuncId) {
        self.table.learn(self.p, func);
        let caller = view.frames().skip(1).find(|f| !self.p.funcs[f.0].is_model);
        let site = caller.map_or(Place::NONE, |f| self.p.edges[f.1].place);
        let mut open = Open::new(self.p, func, site);
        if !open.is_model {
            let f = &self.p.funcs[func];
            let named = f.params.iter().filter(|&&v| self.is_named(v));
            open.call.args = named.filter_map(|&v| Some((v, Value::of_var(view, v)?))).collect();
        }
        self.open(open);
    }

    fn leave(&mut self, view: &View<'_, '_>, edge: EdgeId, result: Option<Bits>) {
        // The function a run starts in stays open: its end is the end of the story.
        if view.frames().nth(1).is_none() {
            return;
        }
        let Some(open) = self.close(view) else { return };
        let is_model = open.is_model;
        let ret = self.p.funcs[open.call.func].sig.ret;
        let mut call = open.finish(Seq::push);
        let value = ret.zip(result).map(|(ty, bits)| Value::new(view, ty, None, bits));
        call.returned = Some((self.p.edges[edge].place, value));
        let Some(below) = self.top() else { return };
        if !is_model {
            below.seq().push(Item::Call(Box::new(call)));
        } else {
            // Functions of the user that the model called.
            for item in call.body.first.into_iter().chain(call.body.last) {
                below.seq().push(item);
            }
        }
    }

    fn head(&mut self, _: &View<'_, '_>, loc: LocId) {
        let place = self.p.locs[loc].loop_stmt;
        let place = place.or_else(|| self.p.locs[loc].out.first().map(|&e| self.p.edges[e].place));
        let info = self.table.headed_by(loc);
        let Some(open) = self.high.back_mut().or(self.low.last_mut()).filter(|o| !o.is_model) else { return };
        if open.loops.iter().any(|l| l.head == loc) {
            while open.loops.last().is_some_and(|l| l.head != loc) {
                open.close_loop(Seq::push);
            }
            if let Some(l) = open.loops.last_mut() {
                l.kept.add(std::mem::take(&mut l.turn));
            }
            return;
        }
        // A new loop inside those that contain it.
        while let Some(l) = open.loops.last()
            && !l.info.is_some_and(|i| self.table.contains(i, loc))
        {
            open.close_loop(Seq::push);
        }
        let kept = Loop::new(place.unwrap_or(Place::NONE));
        open.loops.push(OpenLoop { info, head: loc, kept, turn: Seq::default() });
    }

    fn edge(&mut self, view: &View<'_, '_>, edge: EdgeId, written: Option<Written>) {
        let e = &self.p.edges[edge];
        let Some(open) = self.high.back_mut().or(self.low.last_mut()) else { return };
        if open.is_model {
            if let Op::Input { dst, name } = e.op
                && let Some(value) = Value::of_var(view, dst)
                && self.inputs.len() < PARTS
            {
                self.inputs.push((name, value));
            }
            if let Some(written) = written {
                self.touch(view, written);
            }
            return;
        }
        while let Some(l) = open.loops.last()
            && !l.info.is_some_and(|i| self.table.contains(i, e.src))
        {
            open.close_loop(Seq::push);
        }
        let mut inputs = std::mem::take(&mut self.inputs);
        match &e.op {
            Op::Assign { dst, value } => self.assigned(view, edge, *dst, Some(*value), None),
            Op::Load { dst, .. } | Op::LoadBits { dst, .. } | Op::Alloc { dst, .. } => {
                self.assigned(view, edge, *dst, None, None);
            }
            Op::Input { dst, name } => self.assigned(view, edge, *dst, None, Some(*name)),
            Op::Call { dst, callee, .. } => {
                let unknown = match callee {
                    Callee::Func(f) if self.p.funcs[*f].body.is_none() => Some(self.p.funcs[*f].name),
                    _ => None,
                };
                let input = match (inputs.len(), dst) {
                    (1, Some(_)) => inputs.pop().map(|i| i.0),
                    _ => unknown,
                };
                for (name, value) in inputs {
                    self.effect(e.place, Raw::Input { name, temp: None, value });
                }
                for written in std::mem::take(&mut self.touched) {
                    self.stored(view, edge, written);
                }
                if let Some(dst) = dst {
                    self.assigned(view, edge, *dst, None, input);
                }
            }
            Op::Assume { cond, .. } if e.branch.is_some() => self.decided(view, edge, *cond),
            _ => {
                if let Some(written) = written {
                    self.stored(view, edge, written);
                }
            }
        }
    }

    fn skipped(&mut self, view: &View<'_, '_>, steps: u64) {
        let mut frames: Vec<(FuncId, Place)> = Vec::new();
        let all: Vec<(FuncId, EdgeId)> = view.frames().collect();
        for (i, &(func, _)) in all.iter().enumerate() {
            let site = all.get(i + 1).map_or(Place::NONE, |f| self.p.edges[f.1].place);
            frames.push((func, site));
            self.table.learn(self.p, func);
        }
        // What was open is told as far as it got; the rest begins anew.
        let table = std::mem::take(&mut self.table);
        let p = self.p;
        let before = std::mem::replace(self, Recorder { table, ..Recorder::new(p) });
        let before = before.finish();
        for &(func, site) in frames.iter().rev() {
            self.open(Open::new(self.p, func, site));
        }
        if let Some(bottom) = self.low.first_mut() {
            if let Some(call) = before {
                bottom.call.args = call.args;
                call.body.first.into_iter().chain(call.body.last).for_each(|i| bottom.call.body.push(i));
            }
            bottom.call.body.push(Item::Away(steps));
        }
    }
}
