//! What is kept of a run: a tree of lines, calls and loops whose size is
//! bounded however long the run is. Of a loop the first and the last turns are
//! kept, of what lies between them how often and which variables changed; of a
//! long sequence its two ends.

use std::collections::VecDeque;

use cairn_base::{Place, Symbol};
use cairn_ir::{EdgeId, FuncId, VarId};

use super::value::{Holder, Value};

/// Turns of a loop that are kept at either end.
pub(super) const TURNS: usize = 2;
/// Lines that are kept at either end of a sequence.
const LINES: usize = 2000;
/// Effects kept on one line.
const EFFECTS: usize = 12;
/// Variables whose changes are kept in the part of a loop that is not.
const CHANGES: usize = 12;
/// Returned calls inside each other that are kept.
const HEIGHT: usize = 100;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Raw {
    Assigned {
        what: Holder,
        value: Value,
        input: Option<Symbol>,
    },
    /// An input that was not (yet) assigned to anything with a name.
    Input {
        name: Symbol,
        temp: Option<VarId>,
        value: Value,
    },
    Decided {
        edge: EdgeId,
        reads: Vec<(Holder, Value)>,
    },
}

/// Things that happened on one line of the source, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub place: Place,
    pub effects: Vec<Raw>,
    /// Effects that were too many.
    pub more: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub func: FuncId,
    /// Where it is called; nothing for the function a run starts in.
    pub site: Place,
    pub args: Vec<(VarId, Value)>,
    pub body: Seq,
    /// How it ended, unless it is open still: where it returned, and its value.
    pub returned: Option<(Place, Option<Value>)>,
}

#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub place: Place,
    pub first: Vec<Seq>,
    pub hidden: u64,
    pub changes: Changes,
    pub last: VecDeque<Seq>,
    /// Lines of all turns.
    lines: u64,
}

/// The first and the last value that variables were assigned.
#[derive(Clone, Default, Debug)]
pub(super) struct Changes(pub Vec<(VarId, Value, Value)>);

#[derive(Clone, Debug)]
pub(super) enum Item {
    Line(Line),
    Call(Box<Call>),
    Loop(Box<Loop>),
    /// Calls inside each other that were not kept.
    Deep(u64),
    /// Steps that were not watched.
    Away(u64),
}

#[derive(Clone, Default, Debug)]
pub(super) struct Seq {
    pub first: Vec<Item>,
    /// Lines that were dropped.
    pub dropped: u64,
    pub last: VecDeque<Item>,
    first_weight: usize,
    last_weight: usize,
    /// Lines that were ever in it, and how deep calls and loops lie inside each other.
    pub lines: u64,
    height: usize,
}

impl Item {
    /// The number of lines in it.
    pub fn weight(&self) -> usize {
        match self {
            Item::Line(_) | Item::Deep(_) | Item::Away(_) => 1,
            Item::Call(c) => 1 + c.body.weight(),
            Item::Loop(l) => 1 + l.first.iter().chain(&l.last).map(Seq::weight).sum::<usize>(),
        }
    }

    /// The number of lines that were ever in it.
    fn lines(&self) -> u64 {
        match self {
            Item::Line(_) | Item::Deep(_) | Item::Away(_) => 1,
            Item::Call(c) => 1 + c.body.lines,
            Item::Loop(l) => l.lines,
        }
    }

    /// How deep calls and loops lie inside each other.
    fn height(&self) -> usize {
        match self {
            Item::Line(_) | Item::Deep(_) | Item::Away(_) => 0,
            Item::Call(c) => 1 + c.body.height,
            Item::Loop(l) => 1 + l.first.iter().chain(&l.last).map(|s| s.height).max().unwrap_or(0),
        }
    }

    /// Keeps nothing of what is inside.
    fn hide(&mut self) {
        match self {
            Item::Line(_) | Item::Deep(_) | Item::Away(_) => {}
            Item::Call(c) => {
                let lines = c.body.lines;
                c.body = Seq { dropped: lines, lines, ..Seq::default() };
            }
            Item::Loop(l) => l.keep(0),
        }
    }
}

impl Seq {
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.first.iter().chain(&self.last)
    }

    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.last.is_empty() && self.dropped == 0
    }

    pub fn weight(&self) -> usize {
        self.first_weight + self.last_weight + usize::from(self.dropped > 0)
    }

    pub fn push(&mut self, mut item: Item) {
        if item.weight() > LINES || item.height() > HEIGHT {
            item.hide();
        }
        let weight = item.weight();
        self.lines += item.lines();
        self.height = self.height.max(item.height());
        if self.dropped == 0 && self.last.is_empty() && self.first_weight + weight <= LINES {
            self.first_weight += weight;
            self.first.push(item);
            return;
        }
        self.last_weight += weight;
        self.last.push_back(item);
        while self.last_weight > LINES && self.last.len() > 1 {
            if let Some(old) = self.last.pop_front() {
                self.last_weight -= old.weight();
                self.dropped += old.lines();
            }
        }
    }

    /// Adds what leads to the end of the run, whole.
    pub fn keep(&mut self, item: Item) {
        self.lines += item.lines();
        self.height = self.height.max(item.height());
        self.last_weight += item.weight();
        self.last.push_back(item);
    }

    fn end(&mut self) -> Option<&mut Item> {
        if self.last.is_empty() { self.first.last_mut() } else { self.last.back_mut() }
    }

    /// The line at hand, if the last thing that happened was on the same one.
    pub fn line(&mut self, place: Place) -> Option<&mut Line> {
        match self.end() {
            Some(Item::Line(l)) if (l.place.file, l.place.line) == (place.file, place.line) => Some(l),
            _ => None,
        }
    }

    /// Something happened on the line of `place`.
    pub fn effect(&mut self, place: Place, effect: Raw) {
        match self.line(place) {
            Some(line) if line.effects.len() < EFFECTS => line.effects.push(effect),
            Some(line) => line.more += 1,
            None => self.push(Item::Line(Line { place, effects: vec![effect], more: 0 })),
        }
    }
}

impl Loop {
    pub fn new(place: Place) -> Loop {
        let (first, last) = (Vec::new(), VecDeque::new());
        Loop { place, first, hidden: 0, changes: Changes::default(), last, lines: 0 }
    }

    /// A turn is over.
    pub fn add(&mut self, turn: Seq) {
        self.lines += turn.lines;
        if self.hidden == 0 && self.last.is_empty() && self.first.len() < TURNS {
            self.first.push(turn);
            return;
        }
        self.last.push_back(turn);
        if self.last.len() > TURNS
            && let Some(old) = self.last.pop_front()
        {
            self.hidden += 1;
            self.changes.note(&old);
        }
    }

    /// Keeps no more than so many turns at either end.
    pub fn keep(&mut self, turns: usize) {
        if self.hidden == 0 && self.first.len() + self.last.len() <= 2 * turns {
            return;
        }
        let mut changes = Changes::default();
        while self.first.len() > turns {
            changes.note(&self.first.remove(turns));
            self.hidden += 1;
        }
        changes.append(&self.changes);
        while self.last.len() > turns
            && let Some(old) = self.last.pop_front()
        {
            changes.note(&old);
            self.hidden += 1;
        }
        self.changes = changes;
    }
}

impl Changes {
    fn note(&mut self, turn: &Seq) {
        for item in turn.items() {
            match item {
                Item::Line(l) => {
                    for effect in &l.effects {
                        if let Raw::Assigned { what: Holder::Var(v), value, .. } = effect {
                            self.set(*v, *value, *value);
                        }
                    }
                }
                Item::Loop(l) => {
                    l.first.iter().for_each(|t| self.note(t));
                    self.append(&l.changes);
                    l.last.iter().for_each(|t| self.note(t));
                }
                Item::Call(_) | Item::Deep(_) | Item::Away(_) => {}
            }
        }
    }

    fn append(&mut self, later: &Changes) {
        for &(v, first, last) in &later.0 {
            self.set(v, first, last);
        }
    }

    fn set(&mut self, v: VarId, first: Value, last: Value) {
        if let Some(change) = self.0.iter_mut().find(|c| c.0 == v) {
            change.2 = last;
        } else if self.0.len() < CHANGES {
            self.0.push((v, first, last));
        }
    }
}
