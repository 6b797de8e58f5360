//! Which locations can still lead to the return of their function. The others
//! lie on ways that end the program: to an error, an `abort`, an `exit`.

use cairn_ir::{Callee, EdgeId, FuncId, LocId, Op, Program};
use rustc_hash::FxHashSet;

/// The locations from which the function they belong to may return.
pub fn returning(p: &Program) -> FxHashSet<LocId> {
    let mut returns: FxHashSet<FuncId> =
        p.funcs.iter().filter(|(_, f)| f.body.is_none() && !f.noreturn).map(|(f, _)| f).collect();
    loop {
        let mut all = FxHashSet::default();
        for (_, f) in p.funcs.iter() {
            let Some(body) = &f.body else { continue };
            let mut work = vec![body.exit];
            while let Some(l) = work.pop() {
                if all.insert(l) {
                    let before = p.locs[l].inn.iter().filter(|&&e| passes(p, e, &returns));
                    work.extend(before.map(|&e| p.edges[e].src));
                }
            }
        }
        let count = returns.len();
        let more = p.funcs.iter().filter(|(_, f)| f.body.as_ref().is_some_and(|b| all.contains(&b.entry)));
        returns.extend(more.map(|(f, _)| f));
        if returns.len() == count {
            return all;
        }
    }
}

/// May an execution get past this edge?
fn passes(p: &Program, e: EdgeId, returns: &FxHashSet<FuncId>) -> bool {
    match &p.edges[e].op {
        Op::Call { callee: Callee::Func(f), .. } => returns.contains(f),
        Op::Call { callee: Callee::Builtin(b), .. } => b.returns(),
        Op::Trap(_) => false,
        _ => true,
    }
}
