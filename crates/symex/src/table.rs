//! The subsumption table: interpolants by place. A place is a location with a call
//! stack and the objects that are alive; only states at the same place compare.
//!
//! # Why so
//!
//! *The table of interpolants is sorted by what they make constant*: a state is compared with those only that
//! agree with it there, so that a thousand states of a loop are no obstacle.

use std::cell::Cell;
use std::rc::Rc;

use cairn_encode::pointer::Instance;
use cairn_ir::{LocId, ObjId};
use cairn_term::{Pool, TermId};
use rustc_hash::FxHashMap;

use cairn_path::backprop::{Backprop, Interpolant};
use cairn_path::machine::{Config, StackId, Stay};
use cairn_path::path::{Path, defines};

/// The latest interpolants of a place that are tried, among those that may apply.
const TRIED: usize = 24;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlaceKey {
    pub at: LocId,
    pub stack: StackId,
    /// Instances that are alive and not static, and the frames they belong to.
    objects: Vec<u64>,
    returns: bool,
}

impl PlaceKey {
    /// `None` if it is not certain which objects are alive. Objects before `first` are static.
    pub fn new(c: &Config, first: Instance) -> Option<PlaceKey> {
        let mut objects = Vec::new();
        for (i, object) in c.state.memory.range(first..) {
            if object.live != Pool::TRUE {
                return None;
            }
            objects.push(i.0.into());
        }
        for frame in [&c.state.frame].into_iter().chain(c.frames().map(|(_, f)| &f.caller.frame)) {
            objects.push(u64::MAX);
            for (o, address) in frame {
                objects.push(u64::from(o.as_u32()) << 32 | u64::from(address.as_u32()));
            }
        }
        Some(PlaceKey { at: c.at, stack: c.stack, objects, returns: c.state.result.is_some() })
    }
}

impl PlaceKey {
    /// The instances that the objects of the functions that are open are.
    pub fn own(&self, pool: &Pool) -> FxHashMap<Instance, ObjId> {
        let frames = self.objects.iter().skip_while(|&&o| o != u64::MAX);
        let mut found = FxHashMap::default();
        for &entry in frames.filter(|&&o| o != u64::MAX) {
            let (object, address) = (ObjId::from_u32((entry >> 32) as u32), TermId::from_u32(entry as u32));
            if let Some(bits) = pool.as_bits(address).filter(|_| !Instance::is_scoped(object)) {
                found.insert(Instance((bits >> 32) as u32), object);
            }
        }
        found
    }
}

/// What is known of a sub-tree that was explored without an error.
#[derive(Clone, Debug)]
pub struct Entry {
    pub interpolant: Interpolant,
    /// Of the loops the place lies in: visits of the head so far, and at most below.
    pub stays: Vec<Stay>,
    pub peaks: Vec<Stay>,
    /// Callers on the stack.
    pub depth: u32,
    /// In the order in which they were found.
    pub number: usize,
    /// Some state implies it other than the one it was found for.
    pub used: Cell<bool>,
}

/// Entries that make the same symbols constant.
struct Group {
    symbols: Vec<TermId>,
    by_values: FxHashMap<Vec<TermId>, Vec<Rc<Entry>>>,
    /// The same by the value of one symbol, for states in which others are not constant.
    by_value: FxHashMap<(TermId, TermId), Vec<Rc<Entry>>>,
    all: Vec<Rc<Entry>>,
}

#[derive(Default)]
pub struct Table {
    entries: FxHashMap<PlaceKey, Vec<Group>>,
    pub size: usize,
}

impl Table {
    pub fn add(&mut self, pool: &Pool, key: PlaceKey, entry: Entry) {
        self.size += 1;
        let mut pinned: Vec<(TermId, TermId)> =
            entry.interpolant.iter().filter_map(|&t| defines(pool, t)).collect();
        pinned.sort_unstable();
        let (symbols, values): (Vec<TermId>, Vec<TermId>) = pinned.into_iter().unzip();
        let groups = self.entries.entry(key).or_default();
        let n = groups.iter().position(|g| g.symbols == symbols).unwrap_or_else(|| {
            let (by_values, by_value) = Default::default();
            groups.push(Group { symbols, by_values, by_value, all: Vec::new() });
            groups.len() - 1
        });
        let entry = Rc::new(entry);
        let group = &mut groups[n];
        for (&symbol, &value) in group.symbols.iter().zip(&values) {
            group.by_value.entry((symbol, value)).or_default().push(entry.clone());
        }
        group.by_values.entry(values).or_default().push(entry.clone());
        group.all.push(entry);
    }

    /// An entry that the state of a path implies.
    pub fn find(&self, key: &PlaceKey, path: &Path, b: &mut Backprop<'_, '_, '_, '_>) -> Option<Rc<Entry>> {
        for group in self.entries.get(key)? {
            let mut values = Vec::with_capacity(group.symbols.len());
            let mut one = None;
            for &symbol in &group.symbols {
                let value = b.symbols.at(b.machine, b.chain, symbol, &path.config);
                if let Some(value) = value.filter(|v| b.machine.pool().is_constant(*v)) {
                    values.push(value);
                    one = Some((symbol, value));
                }
            }
            // Where values are constant, entries with others have nothing to say.
            let list = match (values.len() == group.symbols.len(), one) {
                (true, _) => group.by_values.get(&values).map_or(&[][..], Vec::as_slice),
                (false, Some(one)) => group.by_value.get(&one).map_or(&[][..], Vec::as_slice),
                (false, None) => &group.all,
            };
            let mut tried = list.iter().rev().take(TRIED);
            if let Some(found) = tried.find(|e| e.interpolant.iter().all(|&t| b.holds(path, t))) {
                found.used.set(true);
                return Some(found.clone());
            }
        }
        None
    }

    /// All entries, in an order that does not depend on hashing.
    pub fn all(&self) -> Vec<(&PlaceKey, &Rc<Entry>)> {
        let groups = self.entries.iter().flat_map(|(k, groups)| groups.iter().map(move |g| (k, g)));
        let mut all: Vec<_> = groups.flat_map(|(k, g)| g.all.iter().map(move |e| (k, e))).collect();
        all.sort_by_key(|(_, e)| e.number);
        all
    }
}
