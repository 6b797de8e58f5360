//! DOT, for graphviz and its many viewers.

use std::fmt::Write;

use super::{Look, pictures};
use cairn_ir::{FuncId, Program};

/// One function, or, as clusters, all that a run may enter.
pub fn dot(p: &Program, func: Option<FuncId>) -> String {
    let mut out = String::from(
        "digraph cfa {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
    );
    for (i, picture) in pictures(p, func).iter().enumerate() {
        let mut cluster = || -> std::fmt::Result {
            writeln!(out, "  subgraph cluster_{i} {{")?;
            writeln!(out, "    label=\"{}\";", escape(&picture.title))?;
            for b in &picture.boxes {
                let mut label = escape(&b.head) + "\\l";
                b.lines.iter().for_each(|line| label += &(escape(line) + "\\l"));
                let style = match b.look {
                    Look::Plain | Look::Visited | Look::Closed | Look::Covered | Look::Folded => "",
                    Look::Entry => ", style=filled, fillcolor=\"#e8f5e9\"",
                    Look::Exit => ", style=\"filled,rounded\", fillcolor=\"#eeeeee\"",
                    Look::LoopHead => {
                        ", style=filled, fillcolor=\"#e3f0fc\", color=\"#2d6cc0\", peripheries=2"
                    }
                    Look::Error => ", style=filled, fillcolor=\"#fdeaea\", color=\"#c62828\"",
                    Look::Unreachable => ", style=dashed, color=gray, fontcolor=gray",
                };
                writeln!(out, "    {} [label=\"{label}\"{style}];", b.id)?;
            }
            for a in &picture.arrows {
                let (from, to) = (&picture.boxes[a.from].id, &picture.boxes[a.to].id);
                let back = if a.back { ", constraint=false, color=\"#2d6cc0\"" } else { "" };
                writeln!(out, "    {from} -> {to} [label=\"{}\"{back}];", escape(&a.label))?;
            }
            writeln!(out, "  }}")
        };
        cluster().expect("writing to a string");
    }
    out + "}\n"
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
