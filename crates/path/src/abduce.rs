//! Abduction (Figure 7 of the paper): what must be known besides `e` for a
//! conclusion, made of constraints that hold already and of parts of the conclusion
//! itself.
//!
//! Constraints are literals over the symbols of a state. CORE drops those that are
//! not needed; SEPARATE tells apart what shares variables with `e`, directly or
//! through others, and what does not: for the latter the conclusion is its own
//! best reason (the frame rule).

use cairn_term::{Pool, TermId};
use rustc_hash::FxHashSet;

use cairn_smt::chain::{Chain, Found};

/// Beyond so many constraints the solver's own core is not made smaller.
const FEW: usize = 10;

/// CORE: constraints of `phi` that with `e` imply all of `psi`. `None` if they do not all together.
pub fn core(
    pool: &mut Pool,
    chain: &mut Chain<'_>,
    phi: &[TermId],
    e: &[TermId],
    psi: &[TermId],
) -> Option<Vec<TermId>> {
    let all = pool.and(psi);
    let fails = pool.not(all);
    let query = |phi: &[TermId]| -> Vec<TermId> { phi.iter().chain(e).copied().chain([fails]).collect() };
    // Often nothing else is needed.
    if matches!(chain.check(pool, &query(&[])), Found::Unsat) {
        return Some(Vec::new());
    }
    let found = chain.core(pool, &query(phi))?;
    let mut kept: Vec<TermId> = phi.iter().copied().filter(|t| found.contains(t)).collect();
    if found.contains(&Pool::FALSE) {
        return Some(kept);
    }
    let mut n = 0;
    while n < kept.len() && kept.len() <= FEW {
        let without: Vec<TermId> =
            kept.iter().enumerate().filter(|(i, _)| *i != n).map(|(_, t)| *t).collect();
        if matches!(chain.check(pool, &query(&without)), Found::Unsat) {
            kept = without;
        } else {
            n += 1;
        }
    }
    Some(kept)
}

/// SEPARATE: the constraints that share variables with `vars`, directly or through others, and the
/// rest. `vars` grows by the variables of the former.
pub fn separate(
    pool: &Pool,
    chain: &mut Chain<'_>,
    gamma: &[TermId],
    vars: &mut FxHashSet<TermId>,
) -> (Vec<TermId>, Vec<TermId>) {
    let (mut with, mut without) = (Vec::new(), gamma.to_vec());
    loop {
        let before = with.len();
        without.retain(|&t| {
            let own = chain.vars(pool, t);
            let shares = own.iter().any(|v| vars.contains(v));
            if shares {
                vars.extend(own.iter());
                with.push(t);
            }
            !shares
        });
        if with.len() == before {
            return (with, without);
        }
    }
}

/// ABDUCTION: given that `phi` and `e` imply `psi`, constraints that `phi` implies and that with `e`
/// imply `psi`. `None` if the solver could not confirm what is given.
pub fn abduction(
    pool: &mut Pool,
    chain: &mut Chain<'_>,
    phi: &[TermId],
    e: &[TermId],
    psi: &[TermId],
) -> Option<Vec<TermId>> {
    let needed = core(pool, chain, phi, e, psi)?;
    let mut vars = FxHashSet::default();
    for &t in e {
        vars.extend(chain.vars(pool, t).iter());
    }
    // The paper separates the constraints first and then the conclusion. But a constraint may have
    // to do with `e` only through the conclusion (`e` is x > 0, the conclusion x + y > 0, and the
    // constraint y = 0), and then it is needed: both are separated together.
    let all: Vec<TermId> = needed.iter().chain(psi).copied().collect();
    separate(pool, chain, &all, &mut vars);
    let (mut with, _) = separate(pool, chain, &needed, &mut vars);
    let (conclusions, own) = separate(pool, chain, psi, &mut vars);
    if conclusions.is_empty() {
        return Some(own);
    }
    with.extend(own);
    Some(with)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_base::Budget;
    use cairn_smt::ranges::tidy;

    struct Example {
        pool: Pool,
        x: TermId,
        y: TermId,
        z: TermId,
    }

    impl Example {
        fn number(&mut self, n: i32) -> TermId {
            self.pool.bits(32, u128::from(n as u32))
        }

        /// `low < t < high`
        fn between(&mut self, low: i32, t: TermId, high: i32) -> Vec<TermId> {
            let (low, high) = (self.number(low), self.number(high));
            vec![self.pool.bv_slt(low, t), self.pool.bv_slt(t, high)]
        }

        fn plus(&mut self, t: TermId, n: i32) -> TermId {
            let n = self.number(n);
            self.pool.bv_add(t, n)
        }
    }

    /// Example 5.5 of the paper. Figure 8: at <2a> the context is -1 < x < 2, y = 0, z = 1; one side
    /// of `x > 0` leads through `x = x + 1; z = z + 33`, the other through `x = x + 3; y, z = z, y + 2`
    /// (up to names) to the postcondition -3 < x < 6 and y < z.
    #[test]
    fn example_5_5_comes_out_as_printed() {
        let mut pool = Pool::new();
        let sort = pool.bits_sort(32);
        let [x, y, z] = ["x", "y", "z"].map(|n| pool.var(n, sort));
        let mut ex = Example { pool, x, y, z };
        let mut chain = Chain::new(&cairn_smt::standard, Budget::default());
        let (x, y, z) = (ex.x, ex.y, ex.z);
        let (zero, one) = (ex.number(0), ex.number(1));
        let mut phi = ex.between(-1, x, 2);
        phi.push(ex.pool.eq(y, zero));
        phi.push(ex.pool.eq(z, one));
        let guard = ex.pool.bv_slt(zero, x);
        let other = ex.pool.not(guard);

        // Rule (2b): from the postcondition through x := x + 1, z := z + 33.
        let next = ex.plus(x, 1);
        let mut psi = ex.between(-3, next, 6);
        let mut psi_3a = tidy(&mut ex.pool, &psi).unwrap();
        let far = ex.plus(z, 33);
        psi_3a.push(ex.pool.bv_slt(y, far));
        let mut printed = ex.between(-4, x, 5);
        printed.push(ex.pool.bv_slt(y, far));
        assert_eq!(tidy(&mut ex.pool, &psi_3a), tidy(&mut ex.pool, &printed), "at <3a>");

        // The other side: -6 < x < 3 and z - 2 < y.
        let next = ex.plus(x, 3);
        psi = ex.between(-3, next, 6);
        let mut psi_3b = tidy(&mut ex.pool, &psi).unwrap();
        let less = ex.plus(z, -2);
        psi_3b.push(ex.pool.bv_slt(less, y));
        let mut printed = ex.between(-6, x, 3);
        printed.push(ex.pool.bv_slt(less, y));
        assert_eq!(tidy(&mut ex.pool, &psi_3b), tidy(&mut ex.pool, &printed), "at <3b>");

        // Rule (5b): -1 < x < 2 comes from above, the rest from below.
        let one_side = abduction(&mut ex.pool, &mut chain, &phi, &[guard], &psi_3a).unwrap();
        let other_side = abduction(&mut ex.pool, &mut chain, &phi, &[other], &psi_3b).unwrap();
        let both: Vec<TermId> = one_side.into_iter().chain(other_side).collect();
        let mut printed = ex.between(-1, x, 2);
        printed.push(ex.pool.bv_slt(y, far));
        printed.push(ex.pool.bv_slt(less, y));
        assert_eq!(tidy(&mut ex.pool, &both), tidy(&mut ex.pool, &printed), "at <2a>");
    }

    /// With the two separations of Figure 7 as printed, nothing would be left here.
    #[test]
    fn constraints_connected_through_the_conclusion_are_kept() {
        let mut pool = Pool::new();
        let sort = pool.bits_sort(8);
        let [x, y] = ["x", "y"].map(|n| pool.var(n, sort));
        let mut chain = Chain::new(&cairn_smt::standard, Budget::default());
        let zero = pool.bits(8, 0);
        let phi = [pool.eq(y, zero)];
        let e = [pool.bv_slt(zero, x)];
        let sum = pool.bv_add(x, y);
        let psi = [pool.bv_slt(zero, sum)];
        assert_eq!(abduction(&mut pool, &mut chain, &phi, &e, &psi).unwrap(), phi);
    }

    #[test]
    fn what_has_nothing_to_do_with_the_guard_is_its_own_reason() {
        let mut pool = Pool::new();
        let sort = pool.bits_sort(8);
        let [a, b] = ["a", "b"].map(|n| pool.var(n, sort));
        let mut chain = Chain::new(&cairn_smt::standard, Budget::default());
        let (five, nine) = (pool.bits(8, 5), pool.bits(8, 9));
        let phi = [pool.eq(a, five), pool.eq(b, nine)];
        let e = [pool.ne(b, five)];
        let psi = [pool.bv_ult(a, nine)];
        assert_eq!(abduction(&mut pool, &mut chain, &phi, &e, &psi).unwrap(), psi);
    }
}
