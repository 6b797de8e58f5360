//! Houdini (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java",
//! 2001): which of many candidates hold together, each of them under the assumption
//! of the others? All are assumed; as long as some execution refutes candidates,
//! those are dropped and the question is asked again. What is left is the largest
//! set that holds, whatever the order, as dropping a candidate only admits more
//! executions.
//!
//! What the candidates are facts of, and which question shows that they hold (one
//! step of a loop, a whole program, a call by contract), is the caller's affair.

use std::collections::{BTreeMap, BTreeSet};

/// A set of candidates that gets smaller.
pub trait Candidates {
    /// Names one of those that are left.
    type Id: Ord;

    /// Drops some; says how many of them there were.
    fn drop_refuted(&mut self, refuted: &BTreeSet<Self::Id>) -> usize;
}

/// What came of the question whether all candidates hold.
pub enum Reply<I, R> {
    /// They do; with what the caller wants to keep of that.
    Hold(R),
    /// An execution refutes these.
    Refuted(BTreeSet<I>),
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure<E> {
    /// The question was not answered.
    Question(E),
    /// An execution was found that refutes nothing: the question is not the right one, or a solver is wrong.
    Idle,
}

/// Drops what is refuted until nothing is.
pub fn sift<C: Candidates, R, E>(
    kept: &mut C,
    mut ask: impl FnMut(&C) -> Result<Reply<C::Id, R>, E>,
) -> Result<R, Failure<E>> {
    loop {
        match ask(kept).map_err(Failure::Question)? {
            Reply::Hold(result) => return Ok(result),
            Reply::Refuted(refuted) if kept.drop_refuted(&refuted) == 0 => return Err(Failure::Idle),
            Reply::Refuted(_) => {}
        }
    }
}

/// Drops the members of a list whose numbers are refuted; says how many there were.
pub fn drop_numbers<T>(list: &mut Vec<T>, refuted: impl Fn(usize) -> bool) -> usize {
    let before = list.len();
    let mut numbers = 0..before;
    list.retain(|_| numbers.next().is_some_and(|n| !refuted(n)));
    before - list.len()
}

/// Lists of candidates by place: a candidate is named by its place and its number in the list.
impl<K: Ord + Clone, T> Candidates for BTreeMap<K, Vec<T>> {
    type Id = (K, usize);

    fn drop_refuted(&mut self, refuted: &BTreeSet<(K, usize)>) -> usize {
        self.iter_mut().map(|(k, list)| drop_numbers(list, |n| refuted.contains(&(k.clone(), n)))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates are numbers, and each holds if those that it needs do: what is left is the largest
    /// set that is closed, whichever of the refuted ones an execution shows.
    #[test]
    fn what_is_left_is_the_largest_set_that_holds() {
        let needs: [&[usize]; 7] = [&[], &[0], &[3], &[4], &[2, 6], &[1, 5], &[6, 9]];
        for mask in 1..4u32 {
            let mut kept: BTreeMap<u8, Vec<usize>> =
                BTreeMap::from([(0, vec![0, 1, 2, 3]), (1, vec![4, 5, 6])]);
            let mut asked = 0;
            let result = sift(&mut kept, |kept| {
                asked += 1;
                let all: BTreeSet<usize> = kept.values().flatten().copied().collect();
                let mut refuted = BTreeSet::new();
                for (&k, list) in kept {
                    for (n, &c) in list.iter().enumerate() {
                        if !needs[c].iter().all(|x| all.contains(x)) {
                            refuted.insert((k, n));
                        }
                    }
                }
                while refuted.len() > mask as usize {
                    refuted.pop_last();
                }
                Ok::<_, ()>(if refuted.is_empty() { Reply::Hold(all.len()) } else { Reply::Refuted(refuted) })
            });
            assert_eq!(result, Ok(3));
            assert_eq!(kept, BTreeMap::from([(0, vec![0, 1]), (1, vec![5])]));
            assert!(asked > 2);
        }
    }

    #[test]
    fn an_execution_that_refutes_nothing_is_a_failure() {
        let mut kept = BTreeMap::from([((), vec!['a'])]);
        let idle = sift(&mut kept, |_| Ok::<Reply<_, ()>, ()>(Reply::Refuted(BTreeSet::from([((), 1)]))));
        assert_eq!(idle, Err(Failure::Idle));
        let error = sift(&mut kept, |_| Err::<Reply<_, ()>, _>("no"));
        assert_eq!((error, kept[&()].len()), (Err(Failure::Question("no")), 1));
    }
}
