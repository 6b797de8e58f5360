//! Sequence interpolants.
//!
//! For formulas `A1, ..., An` that contradict each other, `I1, ..., In-1` are
//! such that `A1` implies `I1`, each `Ik` and `Ak+1` imply `Ik+1`, `In-1` and `An`
//! contradict each other, and each `Ik` only speaks of what both `A1..Ak` and
//! `Ak+1..An` speak of (McMillan, "Lazy abstraction with interpolants", 2006).
//!
//! No solver of ours has them built in. But the conditions are constrained Horn
//! clauses over unknown predicates `Ik`, which Z3's Spacer solves; it is run as
//! a process, and what it returns is checked here, clause by clause, with a
//! solver of the caller's choice. A wrong interpolant is a failure.

use std::collections::BTreeMap;
use std::fmt::Write;

use cairn_base::Budget;
use cairn_term::parse::{self, Names};
use cairn_term::sexp::{Node, Tree};
use cairn_term::{Pool, TermId};

use crate::pipe::{self, Program};
use crate::{Answer, Solver, Why};

/// The interpolants between neighbours, one fewer than there are parts. `spacer` must be a Z3.
/// The solver must hold no assertions that the caller minds being used.
pub fn sequence(
    pool: &mut Pool,
    parts: &[TermId],
    spacer: &Program,
    checker: &mut dyn Solver,
    budget: &Budget,
) -> Result<Vec<TermId>, Why> {
    let shared = shared_vars(pool, parts);
    let reply = pipe::run(spacer, horn_clauses(pool, parts, &shared), budget)?;
    let interpolants = read_reply(pool, &reply, &shared)?;
    for (k, &part) in parts.iter().enumerate() {
        let before = if k == 0 { Pool::TRUE } else { interpolants[k - 1] };
        let after = interpolants.get(k).copied().unwrap_or(Pool::FALSE);
        let not_after = pool.not(after);
        checker.push();
        for t in [before, part, not_after] {
            checker.assert(pool, t);
        }
        let answer = checker.check(pool, &[], budget);
        checker.pop();
        match answer {
            Answer::Unsat => {}
            Answer::Sat => return Err(Why::Failed(format!("interpolant {} is wrong", k + 1))),
            Answer::Unknown(why) => return Err(why),
        }
    }
    Ok(interpolants)
}

/// For each gap between parts, the variables on both sides, in the order of their ids. Paths are long, so
/// each part is looked at once: a variable is shared from the first part that has it to the last.
fn shared_vars(pool: &Pool, parts: &[TermId]) -> Vec<Vec<TermId>> {
    let mut seen: BTreeMap<TermId, (usize, usize)> = BTreeMap::new();
    for (k, &part) in parts.iter().enumerate() {
        for v in pool.free_vars(&[part]) {
            seen.entry(v).or_insert((k, k)).1 = k;
        }
    }
    let mut shared = vec![Vec::new(); parts.len().saturating_sub(1)];
    for (v, (first, last)) in seen {
        shared[first..last].iter_mut().for_each(|gap| gap.push(v));
    }
    shared
}

fn horn_clauses(pool: &Pool, parts: &[TermId], shared: &[Vec<TermId>]) -> String {
    let mut text = String::from("(set-logic HORN)\n");
    for (k, vars) in shared.iter().enumerate() {
        let sorts: Vec<String> = vars.iter().map(|&v| pool.sort_text(pool.sort_id_of(v))).collect();
        let _ = writeln!(text, "(declare-fun |gap {k}| ({}) Bool)", sorts.join(" "));
    }
    let name = |v: TermId| pool.text(v);
    let predicate = |k: usize| {
        let args: Vec<String> = shared[k].iter().map(|&v| name(v)).collect();
        if args.is_empty() { format!("|gap {k}|") } else { format!("(|gap {k}| {})", args.join(" ")) }
    };
    for (k, &part) in parts.iter().enumerate() {
        let mut vars = pool.free_vars(&[part]);
        let gaps = k.checked_sub(1).into_iter().chain((k < shared.len()).then_some(k));
        vars.extend(gaps.flat_map(|gap| shared[gap].iter().copied()));
        vars.sort_unstable();
        vars.dedup();
        let before = if k == 0 { "true".to_owned() } else { predicate(k - 1) };
        let after = if k < shared.len() { predicate(k) } else { "false".to_owned() };
        let clause = format!("(=> (and {before} {}) {after})", pool.text(part));
        if vars.is_empty() {
            let _ = writeln!(text, "(assert {clause})");
        } else {
            let bound: Vec<String> = vars
                .iter()
                .map(|&v| format!("({} {})", name(v), pool.sort_text(pool.sort_id_of(v))))
                .collect();
            let _ = writeln!(text, "(assert (forall ({}) {clause}))", bound.join(" "));
        }
    }
    text.push_str("(check-sat)\n(get-model)\n");
    text
}

fn read_reply(pool: &mut Pool, reply: &str, shared: &[Vec<TermId>]) -> Result<Vec<TermId>, Why> {
    let tree = Tree::parse(reply).map_err(|e| Why::Failed(e.to_string()))?;
    let (&status, rest) =
        tree.roots().split_first().ok_or_else(|| Why::Failed("Spacer says nothing".into()))?;
    match tree.atom(status) {
        Some("sat") => {}
        // Horn clauses without a solution: the parts do not contradict each other.
        Some("unsat") => return Err(Why::Failed("the parts do not contradict each other".into())),
        _ => return Err(Why::Incomplete("Spacer finds no interpolants".into())),
    }
    let mut found: Vec<Option<TermId>> = vec![None; shared.len()];
    let definitions = rest.first().and_then(|&n| tree.list(n)).unwrap_or_default();
    for &definition in definitions {
        // (define-fun |gap 3| ((x!0 Int) (x!1 Int)) Bool body)
        let Some(&[head, name, params, _, body]) = tree.list(definition) else { continue };
        let index =
            tree.atom(name).and_then(|n| n.strip_prefix("gap ")).and_then(|n| n.parse::<usize>().ok());
        let (Some("define-fun"), Some(k)) = (tree.atom(head), index.filter(|&k| k < shared.len())) else {
            continue;
        };
        let names = bind(&tree, params, &shared[k])?;
        let term = parse::read_term(pool, &tree, body, &names)
            .map_err(|e| Why::Unsupported(format!("an interpolant: {e}")))?;
        found[k] = Some(term);
    }
    let missing = || Why::Failed("Spacer gives too few interpolants".into());
    found.into_iter().collect::<Option<Vec<TermId>>>().ok_or_else(missing)
}

fn bind(tree: &Tree, params: Node, vars: &[TermId]) -> Result<Names, Why> {
    let params = tree.list(params).unwrap_or_default();
    if params.len() != vars.len() {
        return Err(Why::Failed("an interpolant over other variables".into()));
    }
    let name = |&p: &Node| tree.list(p).and_then(|pair| tree.atom(*pair.first()?)).map(str::to_owned);
    params
        .iter()
        .zip(vars)
        .map(|(p, &v)| Some((name(p)?, v)))
        .collect::<Option<Names>>()
        .ok_or_else(|| Why::Failed("an interpolant without parameters".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty thousand steps take no time; once each gap looked at the whole path.
    #[test]
    fn long_paths_have_few_shared_variables() {
        let mut pool = Pool::new();
        let zero = pool.int(0);
        let vars: Vec<TermId> = (0..20_001).map(|i| pool.int_var(&format!("x{i}"))).collect();
        let mut parts = vec![pool.eq(vars[0], zero)];
        parts.extend(vars.windows(2).map(|pair| pool.int_le(pair[0], pair[1])));
        let shared = shared_vars(&pool, &parts);
        assert_eq!(shared.len(), parts.len() - 1);
        assert!(shared.iter().zip(&vars).all(|(gap, v)| *gap == [*v]));
        let both = [pool.and(&parts[..2]), pool.eq(vars[1], vars[0]), pool.eq(vars[0], zero)];
        let mut first = vec![vars[0], vars[1]];
        first.sort_unstable();
        assert_eq!(shared_vars(&pool, &both), [first, vec![vars[0]]]);
    }
}
