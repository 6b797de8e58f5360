//! Places that a user asks to be reached (`cairn reach --target`): how they are
//! written, and which goals of a program they mean.

use std::str::FromStr;

use cairn_base::Place;
use cairn_cfront::Branching;
use cairn_core::Target;
use cairn_ir::{FuncId, Program};

use crate::criterion::Criterion;
use crate::goals::{Goal, goals};

/// What to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Any operation of a line. The file may be given by the end of its name.
    Line { file: Option<String>, line: u32 },
    /// Wherever a C label of this name stands.
    Label(String),
    /// The body of a function.
    Function(String),
    /// Each failing assertion and each call of an error function, apart.
    Asserts,
    /// Each basic block of the user's functions, apart.
    Blocks,
    /// Each side of each decision of the source, apart.
    Branches,
}

impl FromStr for Asked {
    type Err = String;

    /// `42`, `file.c:42`, `label:L`, `func:f`, `asserts`, `blocks`, `branches`.
    fn from_str(text: &str) -> Result<Asked, String> {
        let line = |number: &str| number.parse::<u32>().ok().filter(|n| *n > 0);
        let asked = match text.rsplit_once(':') {
            None => match text {
                "asserts" => Some(Asked::Asserts),
                "blocks" => Some(Asked::Blocks),
                "branches" => Some(Asked::Branches),
                number => line(number).map(|line| Asked::Line { file: None, line }),
            },
            Some((_, "")) => None,
            Some(("label", name)) => Some(Asked::Label(name.to_owned())),
            Some(("func", name)) => Some(Asked::Function(name.to_owned())),
            Some((file, number)) => {
                line(number).map(|line| Asked::Line { file: Some(file.to_owned()), line })
            }
        };
        asked.ok_or_else(|| {
            format!(
                "`{text}` is no target (try 42, file.c:42, label:NAME, func:NAME, asserts, blocks, branches)"
            )
        })
    }
}

impl Asked {
    /// The goals it means; none if the program has nothing of the kind. An operation counts as reached
    /// when it begins, so that the goal can be measured and proved unreachable.
    pub fn goals(&self, p: &Program, decisions: &[Branching]) -> Vec<Goal> {
        match self {
            Asked::Blocks => goals(p, decisions, &Criterion::Statements),
            Asked::Branches => goals(p, decisions, &Criterion::Branches),
            Asked::Asserts => goals(p, decisions, &Criterion::any_error()),
            Asked::Line { file, line } => on_line(p, file.as_deref(), *line).into_iter().collect(),
            Asked::Label(name) => p
                .locs
                .iter()
                .filter(|(_, l)| l.labels.iter().any(|n| n.as_str() == name))
                .map(|(l, loc)| Goal {
                    what: format!("label {name}"),
                    place: loc.out.first().map_or(Place::NONE, |&e| p.edges[e].place),
                    function: loc.func,
                    targets: vec![Target::Loc(l)],
                })
                .collect(),
            Asked::Function(name) => {
                let called = p.funcs.iter().filter(|(_, f)| f.name.as_str() == name);
                let goal = |(function, f): (FuncId, &cairn_ir::Function)| {
                    let targets = vec![Target::Loc(f.body.as_ref()?.entry)];
                    Some(Goal { what: format!("function {name}"), place: f.place, function, targets })
                };
                called.filter_map(goal).collect()
            }
        }
    }
}

/// The operations of the user's functions on a line.
fn on_line(p: &Program, file: Option<&str>, line: u32) -> Option<Goal> {
    let named = |name: &String| {
        file.is_none_or(|f| name.strip_suffix(f).is_some_and(|r| r.is_empty() || r.ends_with('/')))
    };
    let here =
        |place: Place| place.line == line && (file.is_none() || p.files.get(place.file).is_some_and(named));
    let mut edges =
        p.edges.iter().filter(|(_, e)| here(e.place) && !p.funcs[p.locs[e.src].func].is_model).peekable();
    let place = edges.peek()?.1.place;
    let begun = |(e, edge): (cairn_ir::EdgeId, &cairn_ir::Edge)| match edge.branch {
        None => Target::Loc(edge.src),
        Some(_) => Target::Edge(e),
    };
    let mut targets: Vec<Target> = edges.map(begun).collect();
    targets.sort_unstable();
    targets.dedup();
    let function = match *targets.first()? {
        Target::Edge(e) => p.locs[p.edges[e].src].func,
        Target::Loc(l) => p.locs[l].func,
    };
    Some(Goal { what: format!("line {line}"), place, function, targets })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_targets_are_written() {
        assert_eq!("42".parse(), Ok(Asked::Line { file: None, line: 42 }));
        assert_eq!("a/b.c:7".parse(), Ok(Asked::Line { file: Some("a/b.c".into()), line: 7 }));
        assert_eq!("label:ERROR".parse(), Ok(Asked::Label("ERROR".into())));
        assert_eq!("func:f".parse(), Ok(Asked::Function("f".into())));
        for bad in ["", "0", "-1", "x", "a.c:", "a.c:x", "label:", ":"] {
            assert!(bad.parse::<Asked>().is_err(), "{bad}");
        }
    }
}
