//! What objects hold when they come to life and nothing initialises them.
//!
//! Each object has a content of its own that is the same in all states,
//! however often and in whatever pieces it is looked at: so that its bytes can be
//! read off a model of the solver, like the inputs, and the executor can be
//! given them (see `cairn_sem::Birth`). It is cut into constants as it is
//! read; where it is read at unknown places it becomes one constant of array sort.

use std::collections::BTreeMap;

use cairn_ir::{EdgeId, Ty};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};

use crate::object::{Content, Ground};

/// Most bytes that are read off an array which is not zero everywhere.
const MAX_BYTES: u64 = 1 << 16;

/// An object that has come to life.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BirthId(u32);

/// The first content of an object.
#[derive(Clone, Debug)]
pub struct Birth {
    /// Where it comes to life, and a number that tells it apart from others there.
    pub edge: EdgeId,
    pub number: u32,
    pub(crate) content: Content,
    /// The constants it consists of: where they lie, how many bytes they have, and what these are.
    cells: Vec<(u64, u64, TermId)>,
    /// What it is apart from these: the constant, and the bytes of an element.
    whole: Option<(TermId, u64)>,
}

#[derive(Default)]
pub struct Births(Vec<Birth>);

impl Births {
    /// A new object. Constants are named after edge and number.
    pub fn add(&mut self, edge: EdgeId, number: u32) -> BirthId {
        let id = BirthId(self.0.len() as u32);
        let content = Content::new(Ground::First(id));
        self.0.push(Birth { edge, number, content, cells: Vec::new(), whole: None });
        id
    }

    pub fn get(&self, id: BirthId) -> &Birth {
        &self.0[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: BirthId) -> &mut Birth {
        &mut self.0[id.0 as usize]
    }
}

impl Birth {
    /// A new constant for what lies at `at`; `bits` are its bytes.
    pub(crate) fn name(&self, at: u64, ty: Ty) -> String {
        format!("born {} {} {at} {}", self.edge, self.number, crate::object::code(ty))
    }

    pub(crate) fn whole_name(&self, ty: Ty) -> String {
        format!("born {} {} all {}", self.edge, self.number, crate::object::code(ty))
    }

    pub(crate) fn add_cell(&mut self, at: u64, bytes: u64, bits: TermId) {
        self.cells.push((at, bytes, bits));
    }

    pub(crate) fn set_whole(&mut self, array: TermId, step: u64) {
        self.whole = Some((array, step));
    }

    /// The constants of the first content.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.cells.iter().map(|c| c.2).chain(self.whole.map(|w| w.0))
    }

    /// The bytes that the content has by an assignment, as far as it says anything; `size` is that
    /// of the object.
    pub fn bytes(&self, pool: &Pool, values: &Assignment, size: u64) -> BTreeMap<u64, u8> {
        let mut found = BTreeMap::new();
        let mut put = |at: u64, bytes: u64, bits: u128| {
            for i in (0..bytes.min(16)).take_while(|i| at + i < size) {
                found.insert(at + i, (bits >> (8 * i)) as u8);
            }
        };
        if let Some((array, step)) = self.whole
            && let Some(Value::Array(array)) = values.get(&array)
        {
            let default = array.default_value().as_bits().unwrap_or(0);
            if default != 0 {
                for i in 0..size.min(MAX_BYTES).div_ceil(step) {
                    put(i * step, step, default);
                }
            }
            for (index, element) in array.entries() {
                let index = index.as_bits().unwrap_or(0) as u64;
                put(index.saturating_mul(step), step, element.as_bits().unwrap_or(0));
            }
        }
        let mut eval = Evaluator::new(pool, values);
        for &(at, bytes, bits) in &self.cells {
            if pool.free_vars(&[bits]).iter().any(|v| values.contains_key(v)) {
                put(at, bytes, eval.eval(bits).as_bits().unwrap_or(0));
            }
        }
        found
    }
}
