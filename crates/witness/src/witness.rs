//! Witnesses as data, whatever format they were read from or go to.

use crate::task::TaskInfo;

/// A place in the program as witnesses name it. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub task: TaskInfo,
    pub claim: Claim,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// An execution that passes these segments in order violates the property.
    Violation(Vec<Segment>),
    /// The property holds, and these invariants help to show it.
    Correctness(Vec<Invariant>),
}

/// A stretch of an execution: it passes `follow` at its end and nothing of `avoid` before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Waypoint,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub at: Position,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// Holds before the statement (or declaration).
    Assumption(String),
    /// All hold after the statement; only GraphML has this.
    AssumptionAfter(Vec<String>),
    Branching(Choice),
    /// A function is entered; GraphML says which one.
    FunctionEnter(Option<String>),
    /// A call returns, `\result` being the value; GraphML says of which function.
    FunctionReturn {
        constraint: Option<String>,
        function: Option<String>,
    },
    /// The violation.
    Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    True,
    False,
    /// The value of a `switch`.
    Case(String),
    Default,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub at: Position,
    /// At the head of the loop that starts there; otherwise before the statement.
    pub is_loop: bool,
    /// A C expression.
    pub value: String,
}

impl Segment {
    pub fn follow(kind: WaypointKind, at: Position) -> Segment {
        Segment { avoid: Vec::new(), follow: Waypoint { kind, at } }
    }
}
