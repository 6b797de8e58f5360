//! What an object holds: bytes. Up to a few thousand of them are kept one by one;
//! more, or unknown many, or many that are indexed by a term, as an array of the
//! solver from 32-bit offsets to bytes.
//!
//! A value read is its bytes glued together; the pool makes a word again of
//! bytes that were cut from it, and [`Bytes::glue`] does the same through choices.

use std::rc::Rc;

use cairn_term::{Op, Pool, TermId};
use rustc_hash::FxHashMap;

/// Objects up to this size are kept byte by byte; larger ones where executions are followed one by one,
/// which know most indices.
pub const SINGLE: u64 = 1 << 12;
pub const SINGLE_BY_CASES: u64 = 1 << 16;

/// An access by a term with more possible positions than this makes an array of the object.
const POSITIONS: usize = 300;

#[derive(Clone, Debug)]
pub enum Content {
    Single(Rc<Vec<TermId>>),
    Array(TermId),
}

impl Content {
    /// Is it too much to be made an array of?
    pub fn is_table(&self) -> bool {
        matches!(self, Content::Single(all) if all.len() > 1 << 16)
    }

    /// Surely the same?
    pub fn same(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Single(a), Content::Single(b)) => Rc::ptr_eq(a, b) || a == b,
            (Content::Array(a), Content::Array(b)) => a == b,
            _ => false,
        }
    }
}

/// Operations on contents. What is remembered only saves work.
pub struct Bytes {
    /// Objects up to this size are kept byte by byte.
    pub single: u64,
    glued: FxHashMap<Vec<TermId>, TermId>,
    low: LowBits,
}

impl Bytes {
    pub fn new(single: u64) -> Bytes {
        Bytes { single, glued: FxHashMap::default(), low: LowBits::default() }
    }

    /// Contents of which nothing is known.
    pub fn unknown(&self, pool: &mut Pool, size: Option<u64>, hint: &str) -> Content {
        match size {
            Some(n) if n <= self.single => {
                let word = pool.bits_sort(64);
                let mut all = Vec::with_capacity(n as usize);
                while (all.len() as u64) < n {
                    let w = pool.fresh(hint, word);
                    for i in 0..8u8.min((n - all.len() as u64).min(8) as u8) {
                        let byte = pool.extract(8 * i + 7, 8 * i, w);
                        all.push(byte);
                    }
                }
                Content::Single(Rc::new(all))
            }
            _ => {
                let (index, byte) = (pool.bits_sort(32), pool.bits_sort(8));
                let sort = pool.array_sort(index, byte);
                Content::Array(pool.fresh(hint, sort))
            }
        }
    }

    pub fn zero(&self, pool: &mut Pool, size: Option<u64>) -> Content {
        let zero = pool.bits(8, 0);
        self.uniform(pool, size, zero)
    }

    /// Contents of one byte everywhere.
    pub fn uniform(&self, pool: &mut Pool, size: Option<u64>, byte: TermId) -> Content {
        match size {
            Some(n) if n <= self.single => Content::Single(Rc::new(vec![byte; n as usize])),
            _ => {
                let (index, element) = (pool.bits_sort(32), pool.bits_sort(8));
                let sort = pool.array_sort(index, element);
                Content::Array(pool.const_array(sort, byte))
            }
        }
    }

    /// The content of another object as that of one of this size. (Bytes beyond the other mean nothing.)
    pub fn sized(&self, pool: &mut Pool, content: Content, size: Option<u64>) -> Content {
        match (content, size) {
            (Content::Single(all), Some(n)) if all.len() as u64 != n && n <= self.single => {
                let mut all = (*all).clone();
                all.resize(n as usize, pool.bits(8, 0));
                Content::Single(Rc::new(all))
            }
            (Content::Single(all), size) if size != Some(all.len() as u64) => {
                Content::Array(as_array(pool, &Content::Single(all)))
            }
            (content, _) => content,
        }
    }

    /// The bytes as one word, the first lowest. At most 16.
    pub fn glue(&mut self, pool: &mut Pool, bytes: &[TermId]) -> TermId {
        if let [one] = bytes {
            return *one;
        }
        if let Some(&known) = self.glued.get(bytes) {
            return known;
        }
        let choice = bytes.iter().find_map(|&b| (pool.op(b) == Op::Ite).then(|| pool.arg(b, 0)));
        let common = choice.filter(|&c| bytes.iter().all(|&b| pool.op(b) != Op::Ite || pool.arg(b, 0) == c));
        let word = match common {
            Some(c) => {
                let side = |pool: &Pool, n: usize| -> Vec<TermId> {
                    bytes.iter().map(|&b| if pool.op(b) == Op::Ite { pool.arg(b, n) } else { b }).collect()
                };
                let (then, other) = (side(pool, 1), side(pool, 2));
                let (then, other) = (self.glue(pool, &then), self.glue(pool, &other));
                pool.ite(c, then, other)
            }
            None => {
                let mut word = bytes[0];
                for &b in &bytes[1..] {
                    word = pool.concat(b, word);
                }
                word
            }
        };
        self.glued.insert(bytes.to_vec(), word);
        word
    }

    /// `n` bytes at an offset that lies within bounds. (Elsewhere the result means nothing.)
    pub fn read(&mut self, pool: &mut Pool, content: &mut Content, offset: TermId, n: usize) -> Vec<TermId> {
        if let Content::Single(all) = content {
            if let Some(at) = pool.as_bits(offset) {
                let zero = pool.bits(8, 0);
                let get = |i: usize| usize::try_from(at).ok().and_then(|at| all.get(at.checked_add(i)?));
                return (0..n).map(|i| get(i).copied().unwrap_or(zero)).collect();
            }
            if let Some(positions) = self.low.positions(pool, offset, all.len(), n) {
                let Some((&last, rest)) = positions.split_last() else {
                    return vec![pool.bits(8, 0); n];
                };
                let mut out: Vec<TermId> = all[last..last + n].to_vec();
                for &p in rest.iter().rev() {
                    let here = pool.bits(64, p as u128);
                    let hit = pool.eq(offset, here);
                    for (i, o) in out.iter_mut().enumerate() {
                        *o = pool.ite(hit, all[p + i], *o);
                    }
                }
                return out;
            }
        }
        let array = as_array(pool, content);
        *content = Content::Array(array);
        (0..n)
            .map(|i| {
                let index = nth(pool, offset, i);
                pool.select(array, index)
            })
            .collect()
    }

    /// The word of `n` bytes at an offset within bounds.
    pub fn read_word(&mut self, pool: &mut Pool, content: &mut Content, offset: TermId, n: usize) -> TermId {
        if let Content::Single(all) = content
            && pool.as_bits(offset).is_none()
            && let Some(positions) = self.low.positions(pool, offset, all.len(), n)
            && let Some((&last, rest)) = positions.split_last()
        {
            let all = all.clone();
            let mut word = self.glue(pool, &all[last..last + n]);
            for &p in rest.iter().rev() {
                let here = pool.bits(64, p as u128);
                let hit = pool.eq(offset, here);
                let element = self.glue(pool, &all[p..p + n]);
                word = pool.ite(hit, element, word);
            }
            return word;
        }
        let bytes = self.read(pool, content, offset, n);
        self.glue(pool, &bytes)
    }

    /// Writes bytes at an offset where `when` holds; there it lies within bounds.
    pub fn write(
        &mut self,
        pool: &mut Pool,
        content: &mut Content,
        offset: TermId,
        bytes: &[TermId],
        when: TermId,
    ) {
        if let Content::Single(all) = content {
            let chosen = match pool.as_bits(offset) {
                Some(at) => {
                    let at = usize::try_from(at).unwrap_or(usize::MAX);
                    let fits = at.checked_add(bytes.len()).is_some_and(|end| end <= all.len());
                    Some(if fits { vec![at] } else { vec![] })
                }
                None => self.low.positions(pool, offset, all.len(), bytes.len()),
            };
            if let Some(chosen) = chosen {
                let all = Rc::make_mut(all);
                // With unaligned offsets positions overlap; only one of the conditions holds.
                for p in chosen {
                    let here = pool.bits(64, p as u128);
                    let at = pool.eq(offset, here);
                    let hit = pool.and(&[when, at]);
                    for (i, &b) in bytes.iter().enumerate() {
                        all[p + i] = pool.ite(hit, b, all[p + i]);
                    }
                }
                return;
            }
        }
        let before = as_array(pool, content);
        let mut array = before;
        for (i, &b) in bytes.iter().enumerate() {
            let index = nth(pool, offset, i);
            array = pool.store(array, index, b);
        }
        *content = Content::Array(pool.ite(when, array, before));
    }

    /// The first where `cond` holds, else the second.
    pub fn merge(pool: &mut Pool, cond: TermId, a: &Content, b: &Content) -> Content {
        if a.same(b) {
            return a.clone();
        }
        match (a, b) {
            (Content::Single(x), Content::Single(y)) if x.len() == y.len() => {
                let all =
                    x.iter().zip(y.iter()).map(|(&p, &q)| if p == q { p } else { pool.ite(cond, p, q) });
                Content::Single(Rc::new(all.collect()))
            }
            _ => {
                let (x, y) = (as_array(pool, a), as_array(pool, b));
                Content::Array(pool.ite(cond, x, y))
            }
        }
    }
}

/// The 32-bit index of byte `i` behind an offset.
fn nth(pool: &mut Pool, offset: TermId, i: usize) -> TermId {
    let low = pool.extract(31, 0, offset);
    let i = pool.bits(32, i as u128);
    pool.bv_add(low, i)
}

fn as_array(pool: &mut Pool, content: &Content) -> TermId {
    match content {
        Content::Array(t) => *t,
        Content::Single(all) => {
            let (index, byte) = (pool.bits_sort(32), pool.bits_sort(8));
            let sort = pool.array_sort(index, byte);
            let zero = pool.bits(8, 0);
            let mut array = pool.const_array(sort, zero);
            for (i, &b) in all.iter().enumerate() {
                if b != zero {
                    let i = pool.bits(32, i as u128);
                    array = pool.store(array, i, b);
                }
            }
            array
        }
    }
}

/// How many low bits of a term are known, and what they are: array indices are multiples of the
/// element's size. Each term is looked at once.
#[derive(Default)]
struct LowBits {
    known: FxHashMap<TermId, (u32, u64)>,
}

impl LowBits {
    /// Where an access of `n` bytes at `offset` may lie in an object of `size` bytes; `None` if there
    /// are too many such places.
    fn positions(&mut self, pool: &Pool, offset: TermId, size: usize, n: usize) -> Option<Vec<usize>> {
        let (bits, residue) = self.of(pool, offset, 0);
        let step = 1usize << bits.min(16);
        let first = (residue as usize) & (step - 1);
        let last = size.checked_sub(n);
        let Some(last) = last else { return Some(Vec::new()) };
        let all: Vec<usize> = (first..=last).step_by(step).take(POSITIONS + 1).collect();
        (all.len() <= POSITIONS).then_some(all)
    }

    fn of(&mut self, pool: &Pool, t: TermId, depth: u32) -> (u32, u64) {
        if let Some(&known) = self.known.get(&t) {
            return known;
        }
        let (bits, value) = if depth > 500 { (0, 0) } else { self.look(pool, t, depth) };
        let bits = bits.min(63);
        let found = (bits, value & ((1 << bits) - 1));
        self.known.insert(t, found);
        found
    }

    fn look(&mut self, pool: &Pool, t: TermId, depth: u32) -> (u32, u64) {
        let mut arg = |n: usize| self.of(pool, pool.arg(t, n), depth + 1);
        match pool.op(t) {
            Op::Word(..) => (u32::from(pool.width(t)), pool.as_bits(t).unwrap_or(0) as u64),
            Op::Concat => {
                let low = u32::from(pool.width(pool.arg(t, 1)));
                let (bits, value) = arg(1);
                if bits < low || low >= 63 {
                    return (bits, value);
                }
                let (more, high) = arg(0);
                (low + more, value | high.checked_shl(low).unwrap_or(0))
            }
            Op::ZeroExt(_) | Op::SignExt(_) => {
                let (bits, value) = arg(0);
                (bits.min(u32::from(pool.width(pool.arg(t, 0)))), value)
            }
            Op::Extract(_, 0) => {
                let (bits, value) = arg(0);
                (bits.min(u32::from(pool.width(t))), value)
            }
            Op::BvNeg => {
                let (bits, value) = arg(0);
                (bits, value.wrapping_neg())
            }
            Op::BvAdd => {
                let (mut bits, mut sum) = (63, 0u64);
                for n in 0..pool.args(t).len() {
                    let (b, v) = arg(n);
                    bits = bits.min(b);
                    sum = sum.wrapping_add(v);
                }
                (bits, sum)
            }
            Op::BvMul => match pool.args(t) {
                &[a, b] => {
                    let (factor, other) = if pool.as_bits(a).is_some() { (a, b) } else { (b, a) };
                    let Some(c) = pool.as_bits(factor) else { return (0, 0) };
                    let (bits, value) = self.of(pool, other, depth + 1);
                    let zeros = (c as u64).trailing_zeros().min(63);
                    (bits + zeros, (c as u64).wrapping_mul(value))
                }
                _ => (0, 0),
            },
            Op::Ite => {
                let ((p, x), (q, y)) = (arg(1), arg(2));
                (p.min(q).min((x ^ y).trailing_zeros()), x)
            }
            _ => (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_whole() {
        let mut pool = Pool::new();
        let mut b = Bytes::new(SINGLE);
        let sort = pool.bits_sort(32);
        let (x, y) = (pool.var("x", sort), pool.var("y", sort));
        let c = pool.var("c", cairn_term::SortId::BOOL);
        let cut =
            |pool: &mut Pool, w| (0..4u8).map(|i| pool.extract(8 * i + 7, 8 * i, w)).collect::<Vec<_>>();
        let (p, q) = (cut(&mut pool, x), cut(&mut pool, y));
        assert_eq!(b.glue(&mut pool, &p), x);
        let mut left = b.unknown(&mut pool, Some(8), "m");
        let mut right = left.clone();
        let four = pool.bits(64, 4);
        b.write(&mut pool, &mut left, four, &p, Pool::TRUE);
        b.write(&mut pool, &mut right, four, &q, Pool::TRUE);
        let mut both = Bytes::merge(&mut pool, c, &left, &right);
        let word = b.read_word(&mut pool, &mut both, four, 4);
        assert_eq!(word, pool.ite(c, x, y));
    }

    #[test]
    fn indices_step_by_elements() {
        let mut pool = Pool::new();
        let sort = pool.bits_sort(64);
        let i = pool.var("i", sort);
        let twelve = pool.bits(64, 12);
        let eight = pool.bits(64, 8);
        let scaled = pool.bv_mul(twelve, i);
        let offset = pool.bv_add(scaled, eight);
        assert_eq!(LowBits::default().positions(&pool, offset, 24, 4), Some(vec![0, 4, 8, 12, 16, 20]));
        assert_eq!(LowBits::default().positions(&pool, i, 3, 2), Some(vec![0, 1]));
        assert_eq!(LowBits::default().positions(&pool, i, 4096, 1), None);
        assert_eq!(LowBits::default().positions(&pool, i, 1, 2), Some(vec![]));
    }

    #[test]
    fn an_index_with_very_many_ways_to_it_is_looked_at_once() {
        let mut pool = Pool::new();
        let (mut i, mut j) = (pool.bits(64, 4), pool.bits(64, 8));
        for n in 0..200 {
            let c = pool.var(&format!("c{n}"), cairn_term::SortId::BOOL);
            let d = pool.var(&format!("d{n}"), cairn_term::SortId::BOOL);
            (i, j) = (pool.ite(c, i, j), pool.ite(d, j, i));
        }
        assert_eq!(LowBits::default().positions(&pool, i, 12, 4), Some(vec![0, 4, 8]));
    }

    #[test]
    fn an_unaligned_write_hits_one_place() {
        let mut pool = Pool::new();
        let mut b = Bytes::new(SINGLE);
        let sort = pool.bits_sort(64);
        let i = pool.var("i", sort);
        let mut c = b.zero(&mut pool, Some(4));
        let (one, two) = (pool.bits(8, 1), pool.bits(8, 2));
        b.write(&mut pool, &mut c, i, &[one, two], Pool::TRUE);
        let Content::Single(all) = c else { panic!("kept byte by byte") };
        for at in 0..3u128 {
            let value = pool.bits(64, at);
            let map = FxHashMap::from_iter([(i, value)]);
            let got: Vec<u128> = all
                .iter()
                .map(|&t| {
                    let t = pool.substitute(t, &map);
                    pool.as_bits(t).unwrap()
                })
                .collect();
            let mut expected = vec![0; 4];
            (expected[at as usize], expected[at as usize + 1]) = (1, 2);
            assert_eq!(got, expected);
        }
    }
}
