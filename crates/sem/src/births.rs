//! What objects hold when they come to life.
//!
//! Uninitialised memory has some content all the same. In a proof it
//! may be anything; in a counterexample it is part of the trace, as the inputs
//! are. Objects are told apart by where and how often they
//! come to life, so that a reading that makes other objects or none in between
//! means the same one.

use std::collections::BTreeMap;

use cairn_ir::{EdgeId, ObjId, Op, Program};
use rustc_hash::FxHashMap;

/// Where and when an object comes to life.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// It lives from the beginning.
    Static(ObjId),
    /// When this edge, which begins the life of a local or allocates, is executed for the
    /// time with this number, from 0 on.
    Edge(EdgeId, u32),
}

/// What is said of an object that comes to life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Birth {
    pub site: Site,
    /// Uninitialised bytes, by offset; others are zero.
    pub bytes: BTreeMap<u64, u8>,
}

impl Birth {
    /// The object, in words.
    pub fn object(&self, program: &Program) -> String {
        let local = |o: ObjId| format!("'{}'", program.objects[o].name);
        match self.site {
            Site::Static(o) => local(o),
            Site::Edge(e, n) => {
                let what = match program.edges[e].op {
                    Op::Begin { obj } => local(obj),
                    _ => "allocated memory".to_owned(),
                };
                if n == 0 { what } else { format!("{what}, the time after {n} others") }
            }
        }
    }
}

/// What uninitialised memory holds.
#[derive(Clone, Default, Debug)]
pub enum Indeterminate {
    /// Nothing that may be looked at.
    #[default]
    Undefined,
    /// These values.
    Given(Vec<Birth>),
}

/// The births of a run, looked up as objects come to life.
#[derive(Default)]
pub(crate) struct Births {
    /// Is it values that uninitialised memory holds?
    pub given: bool,
    of: FxHashMap<Site, BTreeMap<u64, u8>>,
    /// How often an edge that matters was executed.
    counts: FxHashMap<EdgeId, u32>,
}

impl Births {
    pub fn new(what: &Indeterminate) -> Births {
        let Indeterminate::Given(births) = what else { return Births::default() };
        let mut found = Births { given: true, ..Births::default() };
        for birth in births {
            if let Site::Edge(e, _) = birth.site {
                found.counts.insert(e, 0);
            }
            found.of.insert(birth.site, birth.bytes.clone());
        }
        found
    }

    /// The bytes of an object that this edge brings to life.
    pub fn next(&mut self, edge: EdgeId) -> Option<&BTreeMap<u64, u8>> {
        let count = self.counts.get_mut(&edge)?;
        *count += 1;
        self.of.get(&Site::Edge(edge, *count - 1))
    }
}
