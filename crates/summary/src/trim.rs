//! Drops what follows from the rest.

use cairn_term::{Pool, TermId};

use crate::probe::Desk;

/// More facts are left as they are.
const MANY: usize = 60;

/// Removes facts that the others imply, later ones first. Facts that the solver cannot decide stay.
pub fn trim(pool: &mut Pool, desk: &mut Desk, known: &[TermId], facts: &mut Vec<TermId>) {
    facts.retain(|&f| f != Pool::TRUE);
    if facts.len() > MANY {
        return;
    }
    let mut at = facts.len();
    while at > 0 {
        at -= 1;
        let mut all = known.to_vec();
        all.extend(facts.iter().enumerate().filter(|&(n, _)| n != at).map(|(_, &f)| f));
        all.push(pool.not(facts[at]));
        if desk.unsatisfiable(pool, &all) {
            facts.remove(at);
        }
    }
}
