//! Something in a program that executions may come to.

use cairn_ir::{EdgeId, LocId};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The edge is executed.
    Edge(EdgeId),
    /// Control comes to the location.
    Loc(LocId),
}
