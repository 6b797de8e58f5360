//! Drawings of control-flow automata: DOT for graphviz, and SVG drawn here.
//!
//! Both show the same picture: straight-line chains as one box with a line per
//! operation in the style of C, conditions on the arrows, loop heads and errors
//! marked, unreachable code dashed.

mod dot;
mod layout;
mod svg;
#[cfg(test)]
mod tests;

pub use dot::dot;
pub use svg::svg;

use crate::callgraph::CallGraph;
use crate::dom::Dominators;
use crate::graph::{Blocks, Graph};
use crate::loops::Loops;
use crate::{Builtin, Callee, EdgeId, FuncId, LocId, Op, Program};

/// One function as boxes and arrows.
struct Picture {
    title: String,
    boxes: Vec<Shape>,
    arrows: Vec<Arrow>,
}

struct Shape {
    /// A name for the box, unique in the program.
    id: String,
    /// Where it is: locations, source line, labels.
    head: String,
    /// One operation each.
    lines: Vec<String>,
    look: Look,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Look {
    Plain,
    Entry,
    Exit,
    LoopHead,
    /// Control ends here in an error or in undefined behaviour.
    Error,
    Unreachable,
}

struct Arrow {
    from: usize,
    to: usize,
    label: String,
    /// For the two arrows of a branch, which one it is.
    holds: Option<bool>,
    /// Closes a cycle.
    back: bool,
}

impl Picture {
    /// The picture of a function, if it has a body.
    fn new(p: &Program, f: FuncId) -> Option<Picture> {
        let g = Graph::new(p, f)?;
        let blocks = Blocks::new(p, &g);
        let loops = Loops::new(p, &g, &Dominators::forward(&g));
        let cuts = loops.cut_points(&g);
        let mut boxes = Vec::new();
        let mut arrows = Vec::new();
        for (i, block) in blocks.blocks.iter().enumerate() {
            let mut ops: Vec<EdgeId> = block.edges.clone();
            let inside = |e: EdgeId| !matches!(p.edges[e].op, Op::Assume { .. });
            ops.extend(block.out.iter().map(|o| o.0).filter(|&e| inside(e)));
            let lines = ops.iter().map(|&e| p.show_edge(e)).filter(|line| !line.is_empty()).collect();
            let first = block.locs[0];
            let look = if !g.is_reachable(g.node(first)) {
                Look::Unreachable
            } else if ends_in_error(p, &ops) {
                Look::Error
            } else if block.locs.iter().any(|l| cuts.binary_search(l).is_ok()) {
                Look::LoopHead
            } else if g.node(first) == g.entry {
                Look::Entry
            } else if block.locs.iter().any(|&l| g.node(l) == g.exit) {
                Look::Exit
            } else {
                Look::Plain
            };
            boxes.push(Shape { id: first.to_string(), head: head(p, &block.locs, &ops), lines, look });
            for &(e, to) in &block.out {
                let edge = &p.edges[e];
                let (label, holds) = match edge.op {
                    Op::Assume { cond, holds } => {
                        (p.show_cond(cond, holds), (block.out.len() > 1).then_some(holds))
                    }
                    _ => (String::new(), None),
                };
                // Blocks are in reverse post-order.
                arrows.push(Arrow { from: i, to: to as usize, label, holds, back: to as usize <= i });
            }
        }
        // An exit that nothing reaches says nothing.
        if let Some(i) = boxes.iter().position(|b| b.id == g.loc(g.exit).to_string())
            && blocks.blocks[i].preds.is_empty()
        {
            boxes.remove(i);
            for arrow in &mut arrows {
                arrow.from -= usize::from(arrow.from > i);
                arrow.to -= usize::from(arrow.to > i);
            }
        }
        let params: Vec<String> = p.funcs[f].params.iter().map(|&v| p.show_var(v)).collect();
        Some(Picture { title: format!("{}({})", p.funcs[f].name, params.join(", ")), boxes, arrows })
    }
}

/// Location, source line and labels of a box.
fn head(p: &Program, locs: &[LocId], ops: &[EdgeId]) -> String {
    let mut head = locs[0].to_string();
    if let Some(last) = locs.last().filter(|_| locs.len() > 1) {
        head += &format!("..{last}");
    }
    let out = locs.last().into_iter().flat_map(|&l| p.locs[l].out.iter().copied());
    let lines = ops.iter().copied().chain(out).map(|e| p.edges[e].place).filter(|place| !place.is_none());
    if let Some(line) = lines.map(|place| place.line).min() {
        head += &format!("  line {line}");
    }
    for label in locs.iter().flat_map(|&l| &p.locs[l].labels) {
        head += &format!("  {label}:");
    }
    head
}

/// Does control meet an error or undefined behaviour before a call that ends the program?
fn ends_in_error(p: &Program, ops: &[EdgeId]) -> bool {
    for &e in ops {
        let func = match &p.edges[e].op {
            Op::Trap(_) => return true,
            Op::Call { callee: Callee::Builtin(Builtin::Error | Builtin::AssertFail), .. } => return true,
            Op::Call { callee: Callee::Func(f), .. } => &p.funcs[*f],
            op if !op.returns() => return false,
            _ => continue,
        };
        if matches!(func.name.as_str(), "reach_error" | "__VERIFIER_error" | "__assert_fail") {
            return true;
        }
        if func.noreturn {
            return false;
        }
    }
    false
}

/// The picture of the given function, or those of all that a run may enter (of all, if the program
/// has no entry) and that have a body.
fn pictures(p: &Program, func: Option<FuncId>) -> Vec<Picture> {
    let funcs = match (func, p.entry) {
        (Some(f), _) => vec![f],
        (None, Some(entry)) => CallGraph::new(p).reachable(entry),
        (None, None) => p.funcs.keys().collect(),
    };
    funcs.into_iter().filter_map(|f| Picture::new(p, f)).collect()
}
