//! Which branches make a decision of the source, for coverage.
//!
//! The condition of an `if`, a loop or a `?:` is lowered to a branch per atomic
//! condition, and a `switch` to a branch per comparison. The automaton does not
//! say which of them belong together, nor which side of a branch settles the
//! decision; this table does.

use cairn_base::Place;

/// How a decision comes out.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    False,
    True,
    /// A `case` of a `switch`; of a range the first number.
    Case(i128),
    Default,
}

/// A branch as part of a decision.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Branching {
    /// Branches with the same number make one decision.
    pub decision: u32,
    /// The condition as a whole.
    pub place: Place,
    /// What either side of the branch settles, if it does.
    pub yes: Option<Outcome>,
    pub no: Option<Outcome>,
}

impl Branching {
    /// A branch that is a decision of its own.
    pub(super) fn whole(decision: u32, place: Place) -> Branching {
        Branching { decision, place, yes: Some(Outcome::True), no: Some(Outcome::False) }
    }

    /// The same with the sides exchanged.
    pub(super) fn negated(self) -> Branching {
        Branching { yes: self.no, no: self.yes, ..self }
    }
}
