//! Which locations can still lead to the return of their function. The others
//! lie on ways that end the program: to an error, an `abort`, an `exit`.

use cairn_ir::{Callee, FuncId, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The locations from which the function they belong to may return: backwards from the exits, and on
/// from a call as soon as its callee is known to return.
pub fn returning(p: &Program) -> FxHashSet<LocId> {
    let mut found = FxHashSet::default();
    let mut returns: FxHashSet<FuncId> =
        p.funcs.iter().filter(|(_, f)| f.body.is_none() && !f.noreturn).map(|(f, _)| f).collect();
    // Where calls of functions stand of which it is not known yet.
    let mut waiting: FxHashMap<FuncId, Vec<LocId>> = FxHashMap::default();
    let mut work: Vec<LocId> = p.funcs.values().filter_map(|f| f.body.as_ref()).map(|b| b.exit).collect();
    while let Some(l) = work.pop() {
        if !found.insert(l) {
            continue;
        }
        let func = p.locs[l].func;
        if p.funcs[func].body.as_ref().is_some_and(|b| b.entry == l) && returns.insert(func) {
            work.extend(waiting.remove(&func).unwrap_or_default());
        }
        for &e in &p.locs[l].inn {
            let before = p.edges[e].src;
            match &p.edges[e].op {
                Op::Call { callee: Callee::Func(f), .. } if !returns.contains(f) => {
                    waiting.entry(*f).or_default().push(before);
                }
                Op::Call { callee: Callee::Builtin(b), .. } if !b.returns() => {}
                Op::Trap(_) => {}
                _ => work.push(before),
            }
        }
    }
    found
}
