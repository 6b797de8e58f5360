//! From the tree to the entries that are shown. Where they are too many, the
//! insides of calls that returned go first, then turns of loops, then what is
//! left is cut in the middle.

use cairn_base::Symbol;
use cairn_ir::Program;
use rustc_hash::FxHashMap;

use super::tree::{Call, Item, Line, Loop, Raw, Seq, TURNS};
use super::value::{Source, Words};
use super::{Change, Detail, Effect, Entry, Event};

/// Limits beyond which turns and calls are folded.
#[derive(Copy, Clone)]
struct FoldLimits {
    /// Turns at either end of a loop.
    turns: usize,
    /// Lines that a call may have inside after it returned.
    inside: usize,
}

const FULL: FoldLimits = FoldLimits { turns: TURNS, inside: usize::MAX };
/// From generous to terse.
const SHAPES: [FoldLimits; 5] = [
    FULL,
    FoldLimits { turns: TURNS, inside: 8 },
    FoldLimits { turns: TURNS, inside: 0 },
    FoldLimits { turns: 1, inside: 3 },
    FoldLimits { turns: 1, inside: 0 },
];

pub(super) fn entries(root: &Call, program: &Program, source: &Source<'_>, detail: Detail) -> Vec<Entry> {
    let words = Words { program, source, heap: FxHashMap::default() };
    let mut teller = Teller { words, shape: FULL, told: Vec::new() };
    // Heap objects have the same numbers however much is told.
    teller.seq(&root.body, program.funcs[root.func].name, 0);
    let Detail::Entries(most) = detail else { return teller.told };
    for shape in SHAPES {
        if teller.told.len() <= most {
            return teller.told;
        }
        teller.shape = shape;
        teller.told.clear();
        teller.seq(&root.body, program.funcs[root.func].name, 0);
    }
    cut(teller.told, most)
}

/// Leaves out the middle. The end matters more than the beginning.
fn cut(mut told: Vec<Entry>, most: usize) -> Vec<Entry> {
    if told.len() <= most {
        return told;
    }
    let most = most.max(2);
    let (first, last) = (most / 3, most - most / 3 - 1);
    let rest = told.split_off(told.len() - last);
    let count = (told.len() - first) as u64;
    if let Some(at) = told.get(first).cloned() {
        told.truncate(first);
        told.push(Entry { event: Event::Lines { count }, ..at });
    }
    told.extend(rest);
    told
}

struct Teller<'s> {
    words: Words<'s>,
    shape: FoldLimits,
    told: Vec<Entry>,
}

impl Teller<'_> {
    fn seq(&mut self, seq: &Seq, function: Symbol, depth: usize) {
        for item in &seq.first {
            self.item(item, function, depth);
        }
        if seq.dropped > 0 {
            let place = self.told.last().map_or(cairn_base::Place::NONE, |e| e.place);
            self.told.push(Entry { depth, function, place, event: Event::Lines { count: seq.dropped } });
        }
        for item in &seq.last {
            self.item(item, function, depth);
        }
    }

    fn item(&mut self, item: &Item, function: Symbol, depth: usize) {
        let place = self.told.last().map_or(cairn_base::Place::NONE, |e| e.place);
        let event = match item {
            Item::Line(line) => return self.line(line, function, depth),
            Item::Call(call) => return self.call(call, function, depth),
            Item::Loop(l) => return self.turns(l, function, depth),
            Item::Deep(count) => Event::Calls { count: *count },
            Item::Away(count) => Event::Steps { count: *count },
        };
        self.told.push(Entry { depth, function, place, event });
    }

    fn line(&mut self, line: &Line, function: Symbol, depth: usize) {
        let effects: Vec<Effect> = line.effects.iter().map(|e| self.effect(e)).collect();
        // The condition of a loop joins what the last turn did on its line.
        let decided = |e: &Effect| matches!(e, Effect::Decided { .. });
        if let Some(last) = self.told.last_mut()
            && (last.depth, last.place.file, last.place.line) == (depth, line.place.file, line.place.line)
            && let Event::Line { effects: before, more } = &mut last.event
            && *more + line.more == 0
            && effects.iter().all(decided)
            && !before.iter().any(decided)
        {
            before.extend(effects);
            return;
        }
        let event = Event::Line { effects, more: line.more };
        self.told.push(Entry { depth, function, place: line.place, event });
    }

    fn effect(&mut self, effect: &Raw) -> Effect {
        match effect {
            Raw::Assigned { what, value, input: None } => {
                Effect::Assigned { name: self.words.holder(what), value: self.words.value(value) }
            }
            Raw::Assigned { what, value, input: Some(function) } => Effect::Input {
                name: Some(self.words.holder(what)),
                function: *function,
                value: self.words.value(value),
            },
            Raw::Input { name, value, .. } => {
                Effect::Input { name: None, function: *name, value: self.words.value(value) }
            }
            Raw::Decided { edge, reads } => {
                let e = &self.words.program.edges[*edge];
                let reads = reads.iter().map(|(h, v)| (self.words.holder(h), self.words.value(v))).collect();
                Effect::Decided {
                    place: e.place,
                    condition: self.words.text(e.place),
                    holds: e.branch.is_some_and(|b| b.taken),
                    reads,
                }
            }
        }
    }

    fn call(&mut self, call: &Call, function: Symbol, depth: usize) {
        let callee = self.words.program.funcs[call.func].name;
        let arguments = call
            .args
            .iter()
            .map(|(v, value)| (self.words.program.vars[*v].name.to_string(), self.words.value(value)));
        let arguments: Vec<(String, String)> = arguments.collect();
        let hidden = call.returned.is_some() && call.body.weight() > self.shape.inside;
        let inside = hidden.then_some(call.body.lines);
        let event = Event::Enter { function: callee, arguments, inside };
        self.told.push(Entry { depth, function, place: call.site, event });
        if !hidden {
            self.seq(&call.body, callee, depth + 1);
        }
        if let Some((place, result)) = &call.returned {
            let result = result.as_ref().map(|v| self.words.value(v));
            let event = Event::Leave { function: callee, result };
            self.told.push(Entry { depth: depth + 1, function: callee, place: *place, event });
        }
    }

    fn turns(&mut self, l: &Loop, function: Symbol, depth: usize) {
        let mut shown = l.clone();
        shown.keep(self.shape.turns);
        for turn in &shown.first {
            self.seq(turn, function, depth);
        }
        if shown.hidden > 0 {
            let changes = shown.changes.0.iter().map(|(v, first, last)| Change {
                name: self.words.program.vars[*v].name.to_string(),
                first: self.words.value(first),
                last: self.words.value(last),
            });
            let changes = changes.collect();
            let event = Event::Turns { count: shown.hidden, changes };
            self.told.push(Entry { depth, function, place: l.place, event });
        }
        for turn in &shown.last {
            self.seq(turn, function, depth);
        }
    }
}
