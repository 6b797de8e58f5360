//! Path conditions as lists of literals that share their beginnings. Merging two
//! executions needs only what tells them apart since they parted.

use std::cell::Cell;
use std::rc::Rc;

use cairn_term::{Pool, TermId};

/// A conjunction of literals, the newest first.
#[derive(Clone, Debug, Default)]
pub struct Guard(Option<Rc<Node>>);

#[derive(Debug)]
struct Node {
    literal: TermId,
    depth: u32,
    rest: Guard,
    /// The whole condition, once it was asked for.
    whole: Cell<Option<TermId>>,
}

impl Drop for Node {
    /// Long lists must not be dropped recursively.
    fn drop(&mut self) {
        let mut next = self.rest.0.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut n) => next = n.rest.0.take(),
                Err(_) => break,
            }
        }
    }
}

impl Guard {
    fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |n| n.depth)
    }

    /// This and `literal`. `None` if the literal is false.
    pub fn and(&self, pool: &Pool, literal: TermId) -> Option<Guard> {
        match pool.as_bool(literal) {
            Some(true) => Some(self.clone()),
            Some(false) => None,
            None => Some(Guard(Some(Rc::new(Node {
                literal,
                depth: self.depth() + 1,
                rest: self.clone(),
                whole: Cell::new(None),
            })))),
        }
    }

    fn is(&self, other: &Guard) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The whole condition as a term, each of the list built on that of its rest.
    pub fn term(&self, pool: &mut Pool) -> TermId {
        let mut open = Vec::new();
        let mut at = self;
        let mut whole = Pool::TRUE;
        while let Some(node) = &at.0 {
            if let Some(t) = node.whole.get() {
                whole = t;
                break;
            }
            open.push(node);
            at = &node.rest;
        }
        for node in open.into_iter().rev() {
            whole = pool.and(&[whole, node.literal]);
            node.whole.set(Some(whole));
        }
        whole
    }

    /// The conjunction of the literals added since `base`, which is a tail of this list.
    fn since(&self, base: &Guard, pool: &mut Pool) -> TermId {
        let mut literals = Vec::new();
        let mut at = self;
        while !at.is(base) {
            let Some(node) = &at.0 else { break };
            literals.push(node.literal);
            at = &node.rest;
        }
        pool.and(&literals)
    }

    /// Joins two conditions.
    pub fn join(a: &Guard, b: &Guard, pool: &mut Pool) -> Joined {
        let (mut x, mut y) = (a, b);
        while !x.is(y) {
            let lower = if x.depth() >= y.depth() { &mut x } else { &mut y };
            match &lower.0 {
                Some(node) => *lower = &node.rest,
                None => break,
            }
        }
        let base = x.clone();
        let base_depth = base.depth();
        let first = a.since(&base, pool);
        let second = b.since(&base, pool);
        // That literals exclude each other may show only now.
        match (first == Pool::FALSE, second == Pool::FALSE) {
            (true, true) => return Joined::Neither,
            (false, true) => return Joined::First,
            (true, false) => return Joined::Second,
            (false, false) => {}
        }
        let either = pool.or(&[first, second]);
        let Some(joined) = base.and(pool, either) else { return Joined::Neither };
        // The second's condition negated is as good, and often smaller.
        let length = |g: &Guard| g.depth() - base_depth;
        let tells = if length(b) < length(a) { pool.not(second) } else { first };
        Joined::Either(joined, tells)
    }
}

/// What becomes of two conditions where executions meet.
#[derive(Debug)]
pub enum Joined {
    /// The condition that one of them holds, and one that tells the first from the second when one
    /// of them does.
    Either(Guard, TermId),
    /// No execution satisfies the other.
    First,
    Second,
    /// No execution satisfies either.
    Neither,
}

#[cfg(test)]
mod tests {
    use cairn_term::SortId;

    use super::*;

    #[test]
    fn a_condition_that_contradicts_itself_joins_nothing() {
        let mut pool = Pool::new();
        let [a, c, d] = ["a", "c", "d"].map(|name| pool.var(name, SortId::BOOL));
        let not = pool.not(c);
        let base = Guard::default().and(&pool, a).expect("not false");
        let possible = base.and(&pool, d).expect("not false");
        let dead = base.and(&pool, c).and_then(|g| g.and(&pool, not)).expect("each literal may hold");
        let other = base.and(&pool, not).and_then(|g| g.and(&pool, c)).expect("each literal may hold");
        assert!(matches!(Guard::join(&dead, &other, &mut pool), Joined::Neither));
        assert!(matches!(Guard::join(&possible, &other, &mut pool), Joined::First));
        assert!(matches!(Guard::join(&dead, &possible, &mut pool), Joined::Second));
    }
}
