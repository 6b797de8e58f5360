//! Work that is counted instead of timed.
//!
//! Where an answer depends on when a piece of work is given up, a clock would make it depend on the
//! machine and on what else runs there. So work is charged by what was done: search steps of solvers,
//! gates, terms, edges that an analysis follows. Each kind has a price, which was measured, and prices
//! are such that a unit is about a microsecond of a machine of 2026 ([`SECOND`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Units that a machine of 2026 does in about a second.
pub const SECOND: u64 = 1_000_000;

/// An amount of work, shared by all clones; without limit by default. What is charged is charged to the
/// amounts that this one is a part of, too.
#[derive(Clone, Default, Debug)]
pub struct Effort(Option<Arc<Amount>>);

#[derive(Debug)]
struct Amount {
    most: i64,
    left: AtomicI64,
    whole: Effort,
}

impl Effort {
    /// So much of it, or what is left of it.
    pub fn part(&self, units: u64) -> Effort {
        let most = i64::try_from(units).unwrap_or(i64::MAX);
        Effort(Some(Arc::new(Amount { most, left: AtomicI64::new(most), whole: self.clone() })))
    }

    /// Is anything counted at all?
    pub fn is_counted(&self) -> bool {
        self.0.is_some()
    }

    pub fn charge(&self, units: u64) {
        let mut next = &self.0;
        while let Some(amount) = next {
            amount.left.fetch_sub(i64::try_from(units).unwrap_or(i64::MAX / 4), Ordering::Relaxed);
            next = &amount.whole.0;
        }
    }

    /// What may still be done; `None` without a limit.
    pub fn left(&self) -> Option<u64> {
        let amount = self.0.as_ref()?;
        let own = u64::try_from(amount.left.load(Ordering::Relaxed)).unwrap_or(0);
        Some(amount.whole.left().map_or(own, |whole| whole.min(own)))
    }

    /// What was charged to this amount so far.
    pub fn spent(&self) -> u64 {
        let spent = |a: &Arc<Amount>| a.most.saturating_sub(a.left.load(Ordering::Relaxed));
        self.0.as_ref().map_or(0, |a| u64::try_from(spent(a)).unwrap_or(0))
    }

    pub fn is_used_up(&self) -> bool {
        self.left() == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_charged_to_the_whole() {
        let none = Effort::default();
        none.charge(5);
        assert!(!none.is_counted() && !none.is_used_up());
        assert_eq!((none.left(), none.spent()), (None, 0));

        let whole = none.part(10);
        let (one, other) = (whole.part(4), whole.part(100));
        one.clone().charge(3);
        assert_eq!((one.left(), other.left(), whole.left()), (Some(1), Some(7), Some(7)));
        one.charge(3);
        assert!(one.is_used_up() && !whole.is_used_up());
        assert_eq!((one.spent(), whole.spent()), (6, 6));
        other.charge(4);
        assert!(whole.is_used_up() && other.is_used_up());
    }
}
