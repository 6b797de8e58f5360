//! One path that the client has chosen, followed bit-precisely and with all of
//! memory: is it one of the program's, and on which inputs?

use cairn_base::Budget;
use cairn_core::Trace;
use cairn_ir::{EdgeId, FuncId, Program};
use cairn_smt::Solver;
use cairn_term::Pool;

use crate::machine::Machine;
use crate::path::{Hop, Moved, Path};
use cairn_smt::chain::Chain;

/// Steps after which the budget is looked at again.
const STEPS_PER_BUDGET_CHECK: usize = 64;

/// What became of a path.
#[derive(Clone, Debug)]
pub enum Followed {
    /// This execution leads along it to an error.
    Error(Trace),
    /// No execution takes the edge with this number behind those before it.
    Blocked(usize),
    /// It cannot be told.
    Lost(String),
}

impl Hop {
    fn edge(&self) -> Option<EdgeId> {
        match self {
            Hop::Edge(e, _) | Hop::Branch { edge: e, .. } | Hop::Enter { edge: e, .. } => Some(*e),
            Hop::Leave => None,
        }
    }
}

/// Follows a path from a function's entry to an error, by all its edges (those in callees too).
pub fn follow(
    program: &Program,
    entry: FuncId,
    edges: &[EdgeId],
    solver: &(dyn Fn() -> Box<dyn Solver> + Sync),
    budget: &Budget,
) -> Followed {
    let mut pool = Pool::new();
    let mut machine = Machine::new(program, &mut pool);
    let mut chain = Chain::new(solver, budget.clone());
    let Some(start) = machine.start(entry) else { return Followed::Lost("there is no code".into()) };
    let mut path = Path::new(start);
    let (mut at, mut steps) = (0, 0usize);
    loop {
        steps += 1;
        if steps.is_multiple_of(STEPS_PER_BUDGET_CHECK) && budget.exceeded().is_some() {
            return Followed::Lost("out of time".into());
        }
        let wanted = edges.get(at).copied();
        // What is undefined ends an execution: then there is no way on.
        let mut remarks = Vec::new();
        match path.advance(&mut machine, &mut chain, &mut remarks) {
            (Some(next), Moved::On(hop)) => {
                if let Some(edge) = hop.edge() {
                    if Some(edge) != wanted {
                        return Followed::Blocked(at);
                    }
                    at += 1;
                }
                path = next;
            }
            (_, Moved::Fork(ways, _)) => match ways.into_iter().find(|w| {
                // Of several callees it is the one whose code comes next.
                let next = edges.get(at + 1);
                let inside = |e: &EdgeId| program.edges[*e].src == w.path.config.at;
                let entered = matches!(w.hop, Hop::Enter { .. });
                w.hop.edge() == wanted && (!entered || next.is_none_or(inside))
            }) {
                Some(way) => {
                    at += 1;
                    path = way.path;
                }
                None => return Followed::Blocked(at),
            },
            (Some(end), Moved::Error(e)) if Some(e) == wanted => {
                return Followed::Error(end.trace(&mut machine));
            }
            (_, Moved::Gap(what, _)) => return Followed::Lost(what),
            (_, Moved::Unknown(why)) => return Followed::Lost(why.to_string()),
            _ => return Followed::Blocked(at),
        }
    }
}
