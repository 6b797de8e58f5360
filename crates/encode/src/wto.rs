//! The weak topological order of a function: following it executes every location
//! after all that lead to it within one turn of the loops around it. See
//! [`cairn_graph::wto`].

use cairn_ir::graph::Graph;
use cairn_ir::{FuncId, LocId, Program};

pub type Wto = cairn_graph::Wto<LocId>;

/// The order of a function with a body; locations that nothing reaches are left out.
pub fn order(p: &Program, f: FuncId) -> Vec<Wto> {
    Graph::new(p, f).map_or_else(Vec::new, |g| g.wto())
}
