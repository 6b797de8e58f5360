//! What became of the goals, by function and by line.

use std::collections::BTreeMap;

use cairn_base::{EntityRef, FileId, Place};
use cairn_cfront::Branching;
use cairn_core::Target;
use cairn_ir::{Callee, FuncId, LocId, Op, Program};
use fixedbitset::FixedBitSet;

use crate::criterion::Criterion;
use crate::goals::{self, Goal, is_users, users_edges};
use crate::meter::Hits;

/// What became of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// An execution came to it.
    Covered,
    /// None can; `checked` if a proof of that passed the independent checker, and not only the
    /// search says so.
    Unreachable { checked: bool },
    /// Neither is known; why, in a few words.
    Left(String),
}

/// How many goals there are, and what became of them.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub goals: usize,
    pub covered: usize,
    /// Unreachable, as the checker says, and as the search says.
    pub proved: usize,
    pub explored: usize,
    pub left: usize,
}

impl Tally {
    fn add(&mut self, fate: &Fate) {
        self.goals += 1;
        *match fate {
            Fate::Covered => &mut self.covered,
            Fate::Unreachable { checked: true } => &mut self.proved,
            Fate::Unreachable { checked: false } => &mut self.explored,
            Fate::Left(_) => &mut self.left,
        } += 1;
    }

    /// Hundredths of the goals that are covered; all of none.
    pub fn percent(&self) -> f64 {
        percent(self.covered, self.goals)
    }
}

pub fn percent(part: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * part as f64 / all as f64 }
}

/// A side of a branch, as reports count it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    pub what: String,
    pub column: u32,
    pub count: u64,
    pub dead: bool,
}

/// A line with code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line {
    pub count: u64,
    /// No execution comes here.
    pub dead: bool,
    pub sides: Vec<Side>,
}

/// A function of the user's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionRow {
    pub name: String,
    pub place: Place,
    pub calls: u64,
    pub tally: Tally,
}

/// All that reports show.
pub struct Coverage<'a> {
    pub program: &'a Program,
    pub decisions: &'a [Branching],
    pub goals: &'a [Goal],
    /// So many of them, the first, are the criterion's; the others are of use to its suites, too.
    pub counted: usize,
    /// One for each goal.
    pub fates: &'a [Fate],
    pub hits: &'a Hits,
}

impl Coverage<'_> {
    /// The criterion's goals and what became of them.
    pub fn counted(&self) -> impl Iterator<Item = (&Goal, &Fate)> {
        self.goals.iter().zip(self.fates).take(self.counted)
    }

    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.counted().for_each(|(_, f)| tally.add(f));
        tally
    }

    /// In the order of the source.
    pub fn functions(&self) -> Vec<FunctionRow> {
        let mut rows: BTreeMap<FuncId, FunctionRow> = BTreeMap::new();
        for (f, func) in self.program.funcs.iter().filter(|(f, _)| is_users(self.program, *f)) {
            let (name, place) = (func.name.to_string(), func.place);
            rows.insert(f, FunctionRow { name, place, calls: self.hits.calls(f), tally: Tally::default() });
        }
        for (goal, fate) in self.counted() {
            if let Some(row) = rows.get_mut(&goal.function) {
                row.tally.add(fate);
            }
        }
        let mut rows: Vec<FunctionRow> = rows.into_values().collect();
        rows.sort_by(|a, b| {
            (a.place.file, a.place.line, &a.name).cmp(&(b.place.file, b.place.line, &b.name))
        });
        rows
    }

    /// The lines with code of each file.
    pub fn lines(&self) -> BTreeMap<FileId, BTreeMap<u32, Line>> {
        let p = self.program;
        let alive = self.alive();
        let mut files: BTreeMap<FileId, BTreeMap<u32, Line>> = BTreeMap::new();
        for e in users_edges(p) {
            let edge = &p.edges[e];
            if edge.place.is_none() || !goals::is_statement(&edge.op) {
                continue;
            }
            let lines = files.entry(edge.place.file).or_default();
            let line = lines.entry(edge.place.line).or_insert(Line { dead: true, ..Line::default() });
            line.count = line.count.max(self.hits.begun(p, e));
            line.dead &= !alive.contains(edge.src.index());
        }
        for goal in goals::goals(p, self.decisions, &Criterion::Conditions) {
            let known = self.goals.iter().position(|g| g.targets == goal.targets);
            let gone = |t: &Target| matches!(t, Target::Edge(e) if !alive.contains(p.edges[*e].src.index()));
            let dead = known.is_some_and(|n| matches!(self.fates[n], Fate::Unreachable { .. }))
                || goal.targets.iter().all(gone);
            let count = goal.targets.iter().map(|t| match t {
                Target::Edge(e) => self.hits.count(*e),
                Target::Loc(_) => 0,
            });
            let side = Side { what: goal.what, column: goal.place.col, count: count.sum(), dead };
            let lines = files.entry(goal.place.file).or_default();
            lines.entry(goal.place.line).or_default().sides.push(side);
        }
        files
    }

    /// Where control can come if nothing goes through goals that are unreachable.
    fn alive(&self) -> FixedBitSet {
        let p = self.program;
        let mut closed_locs = FixedBitSet::with_capacity(p.locs.len());
        let mut closed_edges = FixedBitSet::with_capacity(p.edges.len());
        for (goal, _) in
            self.goals.iter().zip(self.fates).filter(|(_, f)| matches!(f, Fate::Unreachable { .. }))
        {
            for target in &goal.targets {
                match target {
                    Target::Edge(e) => closed_edges.insert(e.index()),
                    Target::Loc(l) => closed_locs.insert(l.index()),
                }
            }
        }
        let entry = |f: FuncId| p.funcs[f].body.as_ref().map(|b| b.entry);
        let mut alive = FixedBitSet::with_capacity(p.locs.len());
        let mut work: Vec<LocId> = p.entry.and_then(entry).into_iter().collect();
        let mut through_pointers = false;
        while let Some(l) = work.pop() {
            if closed_locs.contains(l.index()) || alive.put(l.index()) {
                continue;
            }
            for &e in p.locs[l].out.iter().filter(|e| !closed_edges.contains(e.index())) {
                let edge = &p.edges[e];
                if edge.op.returns() {
                    work.push(edge.dst);
                }
                match &edge.op {
                    Op::Call { callee: Callee::Func(f), .. } => work.extend(entry(*f)),
                    // Any function may be called.
                    Op::Call { callee: Callee::Ptr { .. }, .. } if !through_pointers => {
                        through_pointers = true;
                        work.extend(p.funcs.keys().filter_map(entry));
                    }
                    _ => {}
                }
            }
        }
        alive
    }
}
