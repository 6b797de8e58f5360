//! The part of a function that can be reached from a hot spot, cut into basic
//! blocks, with the slots that are live wherever the interpreter may take over.

use cairn_ir::Program;
use cairn_sem::code::{FuncCode, Insn, Slot};

use crate::shape::{Flow, InstrShape};

pub struct Region {
    /// Per instruction, `None` if it cannot be reached from the spot.
    pub shapes: Vec<Option<InstrShape>>,
    /// Instructions that begin a block, in order; the entry is one of them.
    pub leaders: Vec<u32>,
    /// Which instructions are compiled.
    inside: Vec<bool>,
    uses_memory: bool,
    /// Slots live before each reachable instruction; `None` if there are too many.
    live: Option<Vec<Box<[Slot]>>>,
}

/// A set of slots.
#[derive(Clone, PartialEq, Eq)]
struct Set(Box<[u64]>);

impl Set {
    fn new(slots: u32) -> Set {
        Set(vec![0; slots.div_ceil(64) as usize].into())
    }

    fn insert(&mut self, s: Slot) {
        self.0[s as usize / 64] |= 1 << (s % 64);
    }

    fn remove(&mut self, s: Slot) {
        self.0[s as usize / 64] &= !(1 << (s % 64));
    }

    /// Adds all of `other`; did that change anything?
    fn join(&mut self, other: &Set) -> bool {
        let mut grown = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grown |= *b & !*a != 0;
            *a |= b;
        }
        grown
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn list(&self) -> Box<[Slot]> {
        let mut slots = Vec::new();
        for (i, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                slots.push(i as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        slots.into()
    }
}

impl Region {
    /// All that can be reached from `entry`.
    pub fn whole(program: &Program, code: &FuncCode, entry: u32, max_live: usize) -> Region {
        let shapes = reachable(program, code, entry);
        let inside = shapes.iter().map(Option::is_some).collect();
        Region::new(code, entry, shapes, inside, max_live)
    }

    /// The loops around `entry`: what can be reached from it and lead to it again. If there are
    /// none, all that can be reached.
    pub fn loops(program: &Program, code: &FuncCode, entry: u32, max_live: usize) -> Region {
        let shapes = reachable(program, code, entry);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); shapes.len()];
        for (pc, shape) in shapes.iter().enumerate() {
            if let Some(shape) = shape {
                for t in successors(pc as u32, shape.flow) {
                    if let Some(list) = before.get_mut(t as usize) {
                        list.push(pc as u32);
                    }
                }
            }
        }
        let mut inside = vec![false; shapes.len()];
        let mut work = before[entry as usize].clone();
        while let Some(pc) = work.pop() {
            if !std::mem::replace(&mut inside[pc as usize], true) {
                work.extend(&before[pc as usize]);
            }
        }
        if !inside[entry as usize] {
            inside = shapes.iter().map(Option::is_some).collect();
        }
        Region::new(code, entry, shapes, inside, max_live)
    }

    fn new(
        code: &FuncCode,
        entry: u32,
        shapes: Vec<Option<InstrShape>>,
        inside: Vec<bool>,
        max_live: usize,
    ) -> Region {
        let leaders = leaders(&shapes, entry);
        let live = liveness(code, &shapes, &leaders, max_live);
        let uses_memory =
            code.insns.iter().zip(&inside).any(|(insn, &inside)| inside && looks_at_table(insn));
        Region { shapes, leaders, inside, uses_memory, live }
    }

    /// The slots that are live before `pc`, if they are kept in registers.
    pub fn live(&self, pc: u32) -> &[Slot] {
        self.live.as_ref().map_or(&[], |live| &live[pc as usize])
    }

    /// Are slots kept in memory only?
    pub fn in_memory(&self) -> bool {
        self.live.is_none()
    }

    /// Does any instruction that is compiled look at the table of objects?
    pub fn uses_memory(&self) -> bool {
        self.uses_memory
    }

    pub fn is_inside(&self, pc: u32) -> bool {
        self.inside.get(pc as usize).is_some_and(|&i| i)
    }

    /// Does any reachable instruction jump to `pc`?
    pub fn is_jumped_to(&self, pc: u32) -> bool {
        let flows = self.shapes.iter().flatten().map(|shape| shape.flow);
        flows.into_iter().any(|flow| matches!(flow, Flow::Jump(t) | Flow::Branch(t) if t == pc))
    }
}

fn looks_at_table(insn: &Insn) -> bool {
    use Insn::*;
    matches!(
        insn,
        LoadI8 { .. }
            | LoadU8 { .. }
            | LoadI16 { .. }
            | LoadU16 { .. }
            | LoadI32 { .. }
            | LoadU32 { .. }
            | Load64 { .. }
            | LoadByte { .. }
            | Store8 { .. }
            | Store16 { .. }
            | Store32 { .. }
            | Store64 { .. }
            | LoadAny { .. }
            | StoreAny { .. }
            | PtrToInt32 { .. }
            | IntToPtr32 { .. }
            | PtrSub32 { .. }
            | PtrEq32 { .. }
            | PtrLt32 { .. }
            | PtrLe32 { .. }
    )
}

fn successors(pc: u32, flow: Flow) -> impl Iterator<Item = u32> {
    let (a, b) = match flow {
        Flow::Next => (Some(pc + 1), None),
        Flow::Jump(t) => (Some(t), None),
        Flow::Branch(t) => (Some(t), Some(pc + 1)),
        Flow::Leave => (None, None),
    };
    a.into_iter().chain(b)
}

fn reachable(program: &Program, code: &FuncCode, entry: u32) -> Vec<Option<InstrShape>> {
    let mut shapes: Vec<Option<InstrShape>> = vec![None; code.insns.len()];
    let mut work = vec![entry];
    while let Some(pc) = work.pop() {
        let i = pc as usize;
        if shapes.get(i).is_none_or(Option::is_some) {
            continue;
        }
        let shape = InstrShape::of(program, code, code.insns[i]);
        work.extend(successors(pc, shape.flow));
        shapes[i] = Some(shape);
    }
    shapes
}

fn leaders(shapes: &[Option<InstrShape>], entry: u32) -> Vec<u32> {
    let mut leaders = vec![entry];
    for (pc, shape) in shapes.iter().enumerate() {
        if let Some(shape) = shape
            && shape.flow != Flow::Next
        {
            leaders.extend(successors(pc as u32, shape.flow));
        }
    }
    leaders.sort_unstable();
    leaders.dedup();
    leaders
}

fn step_back(shape: &InstrShape, live: &mut Set) {
    for d in shape.defs.iter().flat_map(|s| s.iter()) {
        live.remove(d);
    }
    for u in shape.uses.iter().flat_map(|s| s.iter()) {
        live.insert(u);
    }
}

fn liveness(
    code: &FuncCode,
    shapes: &[Option<InstrShape>],
    leaders: &[u32],
    max_live: usize,
) -> Option<Vec<Box<[Slot]>>> {
    let end_of = |i: usize| {
        let start = leaders[i] as usize;
        let limit = leaders.get(i + 1).map_or(shapes.len(), |&l| l as usize);
        let last = (start..limit).find(|&pc| {
            shapes[pc].as_ref().is_none_or(|s| s.flow != Flow::Next)
                || shapes.get(pc + 1).is_none_or(Option::is_none)
        });
        last.map_or(limit, |pc| pc + 1)
    };
    let ends: Vec<usize> = (0..leaders.len()).map(end_of).collect();
    let mut at_start: Vec<Set> = vec![Set::new(code.slots); leaders.len()];
    let after = |i: usize, at_start: &[Set]| {
        let last = ends[i] - 1;
        let mut live = Set::new(code.slots);
        let flow = shapes[last].as_ref().map_or(Flow::Leave, |s| s.flow);
        for target in successors(last as u32, flow) {
            if let Ok(j) = leaders.binary_search(&target) {
                live.join(&at_start[j]);
            }
        }
        live
    };
    let mut changed = true;
    while changed {
        changed = false;
        for i in (0..leaders.len()).rev() {
            let mut live = after(i, &at_start);
            for pc in (leaders[i] as usize..ends[i]).rev() {
                if let Some(shape) = &shapes[pc] {
                    step_back(shape, &mut live);
                }
            }
            changed |= at_start[i].join(&live);
        }
    }
    let mut result: Vec<Box<[Slot]>> = vec![Box::default(); shapes.len()];
    let mut total = 0;
    for i in 0..leaders.len() {
        let mut live = after(i, &at_start);
        for pc in (leaders[i] as usize..ends[i]).rev() {
            if let Some(shape) = &shapes[pc] {
                step_back(shape, &mut live);
                total += live.len();
                if total > max_live {
                    return None;
                }
                result[pc] = live.list();
            }
        }
    }
    Some(result)
}
