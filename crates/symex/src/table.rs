//! The subsumption table: interpolants by place. A place is a location with a call
//! stack and the objects that are alive; only states at the same place compare.

use std::rc::Rc;

use cairn_encode::pointer::Instance;
use cairn_ir::LocId;
use cairn_term::Pool;
use rustc_hash::FxHashMap;

use crate::backprop::{Backprop, Interpolant};
use crate::machine::{Config, StackId, Stay};
use crate::path::Path;

/// The latest interpolants of a place that are tried.
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
        for frame in [&c.state.frame].into_iter().chain(c.frames().map(|(_, f)| &f.frame)) {
            objects.push(u64::MAX);
            for (o, address) in frame {
                objects.push(u64::from(o.as_u32()) << 32 | u64::from(address.as_u32()));
            }
        }
        Some(PlaceKey { at: c.at, stack: c.stack, objects, returns: c.state.result.is_some() })
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
}

#[derive(Default)]
pub struct Table {
    entries: FxHashMap<PlaceKey, Vec<Rc<Entry>>>,
    pub size: usize,
}

impl Table {
    pub fn add(&mut self, key: PlaceKey, entry: Entry) {
        self.size += 1;
        self.entries.entry(key).or_default().push(Rc::new(entry));
    }

    /// An entry that the state of a path implies.
    pub fn find(&self, key: &PlaceKey, path: &Path, b: &mut Backprop<'_, '_, '_, '_>) -> Option<Rc<Entry>> {
        let entries = self.entries.get(key)?;
        let mut tried = entries.iter().rev().take(TRIED);
        tried.find(|e| e.interpolant.iter().all(|&t| b.holds(path, t))).cloned()
    }

    /// All entries, in an order that does not depend on hashing.
    pub fn all(&self) -> Vec<(&PlaceKey, &Rc<Entry>)> {
        let mut all: Vec<_> =
            self.entries.iter().flat_map(|(k, es)| es.iter().map(move |e| (k, e))).collect();
        all.sort_by_key(|(k, _)| (k.at, k.stack));
        all
    }
}
