//! Drawings of control-flow automata: DOT for graphviz, and SVG drawn here.
//!
//! Both show the same picture: straight-line chains as one box with a line per
//! operation in the style of C, conditions on the arrows, loop heads and errors
//! marked, unreachable code dashed.
//!
//! Boxes and arrows of any other origin are drawn as SVG, too: see [`Picture`].

mod dot;
mod layout;
mod svg;
#[cfg(test)]
mod tests;

pub use dot::dot;
pub use svg::svg;

use cairn_ir::callgraph::CallGraph;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::{Builtin, Callee, EdgeId, FuncId, LocId, Op, Program};

/// Boxes and arrows: a function, or whatever else is a directed graph.
pub struct Picture {
    pub title: String,
    /// What looks mean, where that has to be said.
    pub legend: Vec<(Look, String)>,
    /// The first ones are drawn first.
    pub boxes: Vec<DrawnBox>,
    pub arrows: Vec<Arrow>,
}

/// A box of a picture.
pub struct DrawnBox {
    /// A name for the box, unique among all that are drawn together.
    pub id: String,
    /// Where it is: locations, source line, labels.
    pub head: String,
    /// One operation each.
    pub lines: Vec<String>,
    /// Remarks, set apart from the lines.
    pub notes: Vec<String>,
    pub look: Look,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Look {
    Plain,
    Entry,
    Exit,
    LoopHead,
    /// Control ends here in an error or in undefined behaviour.
    Error,
    Unreachable,
    /// The search was there.
    Visited,
    /// The search need not go there.
    Closed,
    /// As another box is.
    Covered,
    /// Stands for many.
    Folded,
}

pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub look: ArrowLook,
    /// Closes a cycle.
    pub back: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ArrowLook {
    Plain,
    /// The two arrows of a branch.
    Branch(bool),
    /// Closes a cycle.
    Back,
    /// Is no step, but says that one box stands for another.
    Cover,
    /// The search went along.
    Walked,
    /// The search went along, into an error.
    Fatal,
}

impl Picture {
    /// The picture of a function, if it has a body.
    fn new(p: &Program, f: FuncId) -> Option<Picture> {
        let g = Graph::new(p, f)?;
        let blocks = Blocks::new(p, &g);
        let heads = g.heads();
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
            } else if block.locs.iter().any(|l| heads.binary_search(l).is_ok()) {
                Look::LoopHead
            } else if g.node(first) == g.entry {
                Look::Entry
            } else if block.locs.iter().any(|&l| g.node(l) == g.exit) {
                Look::Exit
            } else {
                Look::Plain
            };
            let (id, head) = (first.to_string(), head(p, &block.locs, &ops));
            boxes.push(DrawnBox { id, head, lines, notes: Vec::new(), look });
            for &(e, to) in &block.out {
                let edge = &p.edges[e];
                // Blocks are in reverse post-order.
                let back = to as usize <= i;
                let (label, look) = match edge.op {
                    Op::Assume { cond, holds } => {
                        let branch = block.out.len() > 1;
                        let look = if branch { ArrowLook::Branch(holds) } else { ArrowLook::Plain };
                        (p.show_cond(cond, holds), look)
                    }
                    _ => (String::new(), ArrowLook::Plain),
                };
                let look = if back { ArrowLook::Back } else { look };
                arrows.push(Arrow { from: i, to: to as usize, label, look, back });
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
        let title = format!("{}({})", p.funcs[f].name, params.join(", "));
        Some(Picture { title, legend: Vec::new(), boxes, arrows })
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
