//! Path conditions: the assumptions on the way, oldest first. Two executions
//! that meet have a common beginning; only what follows it tells them apart.

use std::rc::Rc;

use cairn_term::{Pool, TermId};

#[derive(Clone, Debug, Default)]
pub struct Path(Rc<Vec<TermId>>);

impl Path {
    /// Adds an assumption; `None` if nothing goes on under it.
    pub fn and(mut self, pool: &Pool, literal: TermId) -> Option<Path> {
        match pool.as_bool(literal) {
            Some(false) => None,
            Some(true) => Some(self),
            None => {
                if self.0.last() != Some(&literal) {
                    Rc::make_mut(&mut self.0).push(literal);
                }
                Some(self)
            }
        }
    }

    /// The assumptions, oldest first.
    pub fn literals(&self) -> &[TermId] {
        &self.0
    }

    pub fn term(&self, pool: &mut Pool) -> TermId {
        pool.and(&self.0)
    }

    /// The condition of either, and one that tells the first from the second.
    pub fn join(a: &Path, b: &Path, pool: &mut Pool) -> (Path, TermId) {
        let common = a.0.iter().zip(b.0.iter()).take_while(|(x, y)| x == y).count();
        let first = pool.and(&a.0[common..]);
        let second = pool.and(&b.0[common..]);
        let either = pool.or(&[first, second]);
        let mut all = a.0[..common].to_vec();
        if pool.as_bool(either) != Some(true) {
            all.push(either);
        }
        // The second's condition negated tells as much, and may be shorter.
        let tells = if b.0.len() < a.0.len() { pool.not(second) } else { first };
        (Path(Rc::new(all)), tells)
    }
}

#[cfg(test)]
mod tests {
    use cairn_term::SortId;

    use super::*;

    #[test]
    fn a_branch_that_meets_again_leaves_nothing_behind() {
        let mut pool = Pool::new();
        let (a, c) = (pool.var("a", SortId::BOOL), pool.var("c", SortId::BOOL));
        let not = pool.not(c);
        let base = Path::default().and(&pool, a).unwrap();
        let (x, y) = (base.clone().and(&pool, c).unwrap(), base.clone().and(&pool, not).unwrap());
        let (joined, tells) = Path::join(&x, &y, &mut pool);
        assert_eq!(joined.term(&mut pool), a);
        assert_eq!(tells, c);
        assert!(base.and(&pool, Pool::FALSE).is_none());
    }
}
