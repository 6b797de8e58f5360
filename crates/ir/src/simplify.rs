//! Making a program smaller without changing what it does: no location that
//! cannot be reached, no chain of `Nop`s, no temporary that is not needed.
//!
//! Undefined behaviour stays. A temporary's assignment goes only if evaluating
//! it is defined whatever happens, cannot overflow (which a run may be asked to
//! report) and reads nothing that may be indeterminate. Source positions,
//! labels, loop heads and decisions stay where they were: a location that
//! carries one is merged with a neighbour only if control passes through both
//! or through neither.

use cairn_base::EntityRef;
use cairn_value::{BinOp, Ty, UnOp};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::assigned::unassigned_reads;
use crate::compact::{Drops, compact};
use crate::graph::{Blocks, Graph};
use crate::verify::debug_verify;
use crate::visit::VarsOf;
use crate::{EdgeId, Expr, ExprId, ExprPool, FuncId, LocId, Op, Program, VarKind};

pub fn simplify(p: &mut Program) {
    let mut drops = Drops::none(p);
    remove_unused_temporaries(p);
    for f in p.funcs.keys().collect::<Vec<_>>() {
        cut_unreachable(p, f, &mut drops);
        merge_nops(p, f, &mut drops);
    }
    // Operations that are gone may have been the last to mention a temporary.
    compact(p, &drops);
    drop_unmentioned(p);
    debug_verify(p, "simplify");
}

/// Replaces assignments to temporaries that nothing needs by `Nop`s. A variable is needed if an
/// operation that must stay reads it, or one that assigns a needed variable.
fn remove_unused_temporaries(p: &mut Program) {
    let mut indeterminate = FixedBitSet::with_capacity(p.edges.len());
    for f in p.funcs.keys() {
        if let Some(g) = Graph::new(p, f) {
            let reads = unassigned_reads(p, &g, &Blocks::new(p, &g));
            reads.iter().for_each(|(e, _)| indeterminate.insert(e.index()));
        }
    }
    let overflow = may_overflow(&p.exprs);
    let removable = |e: EdgeId| match p.edges[e].op {
        Op::Assign { dst, value } => {
            p.vars[dst].kind == VarKind::Temp
                && p.exprs.is_total(value)
                && !overflow.contains(value.index())
                && !indeterminate.contains(e.index())
        }
        _ => false,
    };
    let mut vars_of = VarsOf::new(&p.exprs);
    let mut needed = FixedBitSet::with_capacity(p.vars.len());
    let mut work = Vec::new();
    let mut assigns: Vec<Vec<EdgeId>> = vec![Vec::new(); p.vars.len()];
    for (e, edge) in &p.edges {
        match edge.op {
            Op::Assign { dst, .. } if removable(e) => assigns[dst.index()].push(e),
            _ => vars_of.op(&edge.op, |v| work.push(v)),
        }
    }
    while let Some(v) = work.pop() {
        if !needed.put(v.index()) {
            for &e in &assigns[v.index()] {
                vars_of.op(&p.edges[e].op, |v| work.push(v));
            }
        }
    }
    for (v, edges) in p.vars.keys().zip(&assigns) {
        if !needed.contains(v.index()) {
            edges.iter().for_each(|&e| p.edges[e].op = Op::Nop);
        }
    }
}

/// The expressions in which signed arithmetic may leave its type.
fn may_overflow(pool: &ExprPool) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(pool.len());
    let signed = |e: ExprId| matches!(pool.ty(e), Ty::Int(i) if i.signed);
    for (e, node) in pool.iter() {
        let here = match node {
            Expr::Unary(UnOp::Neg, a) => signed(a),
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl, a, _) => signed(a),
            _ => false,
        };
        if here || pool.children(e).iter().any(|c| set.contains(c.index())) {
            set.insert(e.index());
        }
    }
    set
}

/// Marks locations (but for the exit) that control never reaches, and the edges that leave them.
/// Nothing passes a trap or a call that never returns; locations whose address is taken as a
/// label count as reached.
fn cut_unreachable(p: &mut Program, f: FuncId, drops: &mut Drops) {
    let Some(body) = p.funcs[f].body.as_ref() else { return };
    let labels = p.labels.values().filter(|l| l.func == f).map(|l| l.loc);
    let passed = p.reached(labels.chain([body.entry]));
    let out = passed.iter().flat_map(|&l| &p.locs[l].out);
    let entered: FxHashSet<LocId> = out.map(|&e| p.edges[e].dst).collect();
    let exit = body.exit;
    let (mut dead_edges, mut dead_locs) = (Vec::new(), Vec::new());
    for &l in &body.locs {
        if passed.contains(&l) || l == exit {
            continue;
        }
        dead_edges.extend(p.locs[l].out.iter().copied());
        if !entered.contains(&l) {
            dead_locs.push(l);
        }
    }
    for e in dead_edges {
        p.unlink(e);
        drops.edges.insert(e.index());
    }
    dead_locs.iter().for_each(|l| drops.locs.insert(l.index()));
}

/// Merges the ends of `Nop` edges where that keeps what the locations stand for.
fn merge_nops(p: &mut Program, f: FuncId, drops: &mut Drops) {
    let Some(body) = p.funcs[f].body.as_ref() else { return };
    let (entry, edges) = (body.entry, body.edges.clone());
    let pinned: FxHashSet<LocId> = p.labels.values().filter(|l| l.func == f).map(|l| l.loc).collect();
    for e in edges {
        let (src, dst) = (p.edges[e].src, p.edges[e].dst);
        if drops.edges.contains(e.index()) || p.edges[e].op != Op::Nop || src == dst {
            continue;
        }
        let plain = |l: LocId| p.locs[l].labels.is_empty() && p.locs[l].loop_stmt.is_none();
        let both_loops = p.locs[src].loop_stmt.is_some() && p.locs[dst].loop_stmt.is_some();
        if p.locs[dst].inn.len() == 1 && dst != entry && !pinned.contains(&dst) && !both_loops {
            // Control passes through both: the source takes over what leaves the target.
            p.unlink(e);
            p.move_out(dst, src);
            let labels = std::mem::take(&mut p.locs[dst].labels);
            p.locs[src].labels.extend(labels);
            let loop_stmt = p.locs[dst].loop_stmt.take();
            let slot = &mut p.locs[src].loop_stmt;
            *slot = slot.or(loop_stmt);
            drops.locs.insert(dst.index());
        } else if plain(src) && src != entry && !pinned.contains(&src) {
            // The source need not be told apart: edges into it lead to the target at once.
            p.unlink(e);
            p.move_in(src, dst);
            drops.locs.insert(src.index());
        } else {
            continue;
        }
        drops.edges.insert(e.index());
    }
}

/// Drops temporaries that no operation mentions any more.
fn drop_unmentioned(p: &mut Program) {
    let mut drops = Drops::none(p);
    let mut mentioned = FixedBitSet::with_capacity(p.vars.len());
    let mut vars_of = VarsOf::new(&p.exprs);
    for edge in p.edges.values() {
        edge.op.def().into_iter().for_each(|v| mentioned.insert(v.index()));
        vars_of.op(&edge.op, |v| mentioned.insert(v.index()));
    }
    for (v, var) in &p.vars {
        drops.vars.set(v.index(), var.kind == VarKind::Temp && !mentioned.contains(v.index()));
    }
    if !drops.vars.is_clear() {
        compact(p, &drops);
    }
}

#[cfg(test)]
mod tests {
    use super::simplify;
    use crate::text::{parse, print};

    /// Simplifies a program given as the lines of one function.
    fn check(before: &str, after: &str) {
        let head = "program LP64\nbranches 1\n";
        let mut p = parse(&format!("{head}{before}")).expect("parses");
        crate::verify(&p).expect("verifies");
        simplify(&mut p);
        let text = print(&p);
        let text = text.strip_prefix(head).expect("the same head");
        assert!(text == after, "got\n{text}\nexpected\n{after}");
    }

    #[test]
    fn nops_and_unreachable_code_go() {
        check(
            r#"func f.0 (i32) -> i32 {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e0 -> l2: nop
  l1:
  l2:
    e1 -> l3: nop
  l3:
    e2 -> l4: when a.0 == 0i32 branch 0 true
    e3 -> l5: unless a.0 == 0i32 branch 0 false
  l4:
    e4 -> l6: nop
  l5:
    e5 -> l6: nop
  l6:
    e6 -> l1: return a.0
  l7: label "dead"
    e7 -> l6: a.0 := 1i32
}
"#,
            r#"func f.0 (i32) -> i32 {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e0 -> l2: when a.0 == 0i32 branch 0 true
    e1 -> l2: unless a.0 == 0i32 branch 0 false
  l1:
  l2:
    e2 -> l1: return a.0
}
"#,
        );
    }

    #[test]
    fn nothing_passes_a_trap_or_an_exit() {
        check(
            r#"func f.0 () {
  entry l0 exit l1
  l0:
    e0 -> l2: call builtin abort()
  l1:
  l2:
    e1 -> l1: return
}
"#,
            r#"func f.0 () {
  entry l0 exit l1
  l0:
    e0 -> l2: call builtin abort()
  l1:
  l2:
}
"#,
        );
    }

    /// A label or loop head moves only where control passes anyway.
    #[test]
    fn labels_and_loop_heads_keep_their_meaning() {
        let text = r#"func f.0 (i32) {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e0 -> l2: when a.0 == 0i32
    e1 -> l3: unless a.0 == 0i32
  l1:
  l2: label "ERROR"
    e2 -> l3: nop
  l3: loop @0:1:1-1:2
    e3 -> l4: when a.0 == 1i32
    e4 -> l5: unless a.0 == 1i32
  l4:
    e5 -> l3: a.0 := a.0 * 2i32
  l5:
    e6 -> l1: return
}
"#;
        let with_file = |text: &str| format!("file 0 \"a.c\"\n{text}");
        check(&with_file(text), &with_file(text));
    }

    #[test]
    fn unused_temporaries_go_unless_they_may_be_undefined() {
        check(
            r#"func f.0 (i32, u32) -> i32 {
  entry l0 exit l1
  params a.0 u.1
  param a.0: i32
  param u.1: u32
  local x.2: i32
  temp t.3: u32
  temp s.4: u32
  temp d.5: i32
  temp o.6: i32
  temp r.7: i32
  l0:
    e0 -> l2: t.3 := u.1 + 1u32
  l1:
  l2:
    e1 -> l3: s.4 := t.3 * 2u32
  l3:
    e2 -> l4: d.5 := a.0 / a.0
  l4:
    e3 -> l5: o.6 := a.0 + 1i32
  l5:
    e4 -> l6: r.7 := x.2
  l6:
    e5 -> l1: return a.0
}
"#,
            r#"func f.0 (i32, u32) -> i32 {
  entry l0 exit l1
  params a.0 u.1
  param a.0: i32
  param u.1: u32
  local x.2: i32
  temp d.3: i32
  temp o.4: i32
  temp r.5: i32
  l0:
    e0 -> l2: d.3 := a.0 / a.0
  l1:
  l2:
    e1 -> l3: o.4 := a.0 + 1i32
  l3:
    e2 -> l4: r.5 := x.2
  l4:
    e3 -> l1: return a.0
}
"#,
        );
    }

    #[test]
    fn endless_loops_stay() {
        check(
            r#"func f.0 () {
  entry l0 exit l1
  l0:
    e0 -> l2: nop
  l1:
  l2:
    e1 -> l3: nop
  l3:
    e2 -> l2: nop
}
"#,
            r#"func f.0 () {
  entry l0 exit l1
  l0:
    e0 -> l2: nop
  l1:
  l2:
    e1 -> l2: nop
}
"#,
        );
    }
}
