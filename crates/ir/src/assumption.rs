//! What a reading supposes about the world outside the program, where the standard
//! promises less: that a function without a body has no effect, that inline
//! assembly changes no more than it says. Lowering notes it
//! here, at its place; a verdict that may rest on it names it.

use std::collections::BTreeSet;

use crate::callgraph::CallGraph;
use crate::graph::Graph;
use crate::{EdgeId, FuncId, Program};

/// Something that is supposed wherever an execution comes to a place of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    pub site: Site,
    /// A short sentence that can follow "if": `f has no effect`.
    pub text: String,
}

/// Where an assumption is made.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Site {
    /// Whenever the function is called, be it with a body or without.
    Func(FuncId),
    /// Whenever the edge is taken.
    Edge(EdgeId),
}

impl Program {
    /// Notes an assumption, once.
    pub fn suppose(&mut self, site: Site, text: impl Into<String>) {
        let assumption = Assumption { site, text: text.into() };
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }

    /// The assumptions that an execution from `entry` may come to, in the order in which they were
    /// noted, each text once.
    pub fn assumptions_from(&self, entry: FuncId) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        if self.assumptions.is_empty() {
            return found;
        }
        let entered: BTreeSet<FuncId> = CallGraph::new(self).reachable(entry).into_iter().collect();
        for a in &self.assumptions {
            let counts = match a.site {
                Site::Func(f) => entered.contains(&f),
                Site::Edge(e) => {
                    let src = self.edges[e].src;
                    let func = self.locs[src].func;
                    entered.contains(&func)
                        && Graph::new(self, func).is_some_and(|g| g.is_reachable(g.node(src)))
                }
            };
            if counts && !found.contains(&a.text) {
                found.push(a.text.clone());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::text::parse;
    use crate::{EdgeId, FuncId, Site};

    #[test]
    fn only_what_can_be_reached_counts() {
        let text = "program LP64\nentry main.0\nbranches 0\nassume in b.1 \"b is kind\"\nassume in c.2 \"c is kind\"\n\
                    assume at e0 \"the call returns\"\nassume at e2 \"no execution comes here\"\n\
                    func main.0 () -> i32 {\n  entry l0 exit l1\n  l0:\n    e0 -> l2: call b.1()\n  l2:\n    \
                    e1 -> l1: return 0i32\n  l1:\n  l3:\n    e2 -> l1: return 1i32\n}\nfunc b.1 ()\nfunc c.2 ()\n";
        let mut p = parse(text).unwrap();
        let main = FuncId::from_u32(0);
        assert_eq!(p.assumptions_from(main), ["b is kind", "the call returns"]);
        p.suppose(Site::Func(FuncId::from_u32(1)), "b is kind");
        assert_eq!(p.assumptions.len(), 4, "noted once");
        crate::simplify::simplify(&mut p);
        // What stood at an edge that is gone is supposed of its function.
        assert_eq!(p.assumptions[3].site, Site::Func(main));
        assert_eq!(p.assumptions[2].site, Site::Edge(EdgeId::from_u32(0)));
    }
}
