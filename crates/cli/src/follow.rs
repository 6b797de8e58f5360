//! Violation witnesses followed: the program with the witness built in, and the
//! inputs that the witness names.

use cairn_cfront::{Compiled, Rejected, compile};
use cairn_core::{Property, Task};
use cairn_sem::Given;
use cairn_witness::witness::{Segment, WaypointKind};
use cairn_witness::{Sources, WitnessError, validate, value};

use crate::front::Setup;

/// Why a witness cannot be built into the program.
pub enum Unfit {
    Witness(WitnessError),
    /// With the witness in it the program is not C any more.
    Compiler(Rejected),
    Other(String),
}

impl Unfit {
    /// One line.
    pub fn text(&self) -> String {
        match self {
            Unfit::Witness(error) => error.to_string(),
            Unfit::Compiler(rejected) => {
                let first = rejected.diagnostics.first().map_or("", |d| d.message.as_str());
                format!("an expression does not fit the program: {first}")
            }
            Unfit::Other(what) => what.clone(),
        }
    }

    /// Did we fail, rather than the witness?
    pub fn internal(&self) -> bool {
        match self {
            Unfit::Witness(error) => matches!(error, WitnessError::Program(_) | WitnessError::System(_)),
            Unfit::Compiler(rejected) => rejected.internal,
            Unfit::Other(_) => true,
        }
    }
}

impl From<WitnessError> for Unfit {
    fn from(error: WitnessError) -> Unfit {
        Unfit::Witness(error)
    }
}

/// Compiles changed text of the program.
pub fn recompile(setup: &Setup, inputs: &[cairn_cfront::Input]) -> Result<Compiled, Unfit> {
    compile(inputs, &setup.options, setup.db.as_ref()).map_err(Unfit::Compiler)
}

/// The task in which only executions along the segments fail.
pub fn task(
    setup: &Setup,
    sources: &Sources,
    segments: &[Segment],
    property: &Property,
    options: &cairn_core::Options,
) -> Result<Task, Unfit> {
    let followed = validate::with_segments(sources, segments)?;
    let program = recompile(setup, &followed.inputs)?.program;
    let other = |e: cairn_core::TaskError| Unfit::Other(e.to_string());
    let mut task = Task::new(program, property.clone(), options.clone()).map_err(other)?;
    if !validate::guard_errors(&mut task.program, followed.armed) {
        return Err(Unfit::Other("the witness cannot be built into the program".to_owned()));
    }
    match cairn_ir::verify(&task.program) {
        Ok(()) => Ok(task),
        Err(broken) => Err(Unfit::Other(broken.first().map_or_else(String::new, ToString::to_string))),
    }
}

/// The results of calls that a witness states outright, in order. They are a guess at the inputs:
/// not every call that a witness names reads one, and it need not name all that do.
pub fn inputs(segments: &[Segment]) -> Vec<Given> {
    let value = |s: &Segment| match &s.follow.kind {
        WaypointKind::FunctionReturn { constraint: Some(text), .. } => stated(text),
        _ => None,
    };
    segments.iter().filter_map(value).collect()
}

/// The value of `\result == VALUE`.
fn stated(constraint: &str) -> Option<Given> {
    let (left, right) = constraint.split_once("==")?;
    let plain = |text: &str| text.trim().trim_matches(['(', ')']).trim().to_owned();
    let text = match (plain(left).as_str(), plain(right).as_str()) {
        ("\\result", value) => value.to_owned(),
        (value, "\\result") => value.to_owned(),
        _ => return None,
    };
    if let Some(given) = value::read(&text) {
        return Some(given);
    }
    // The least integer has no constant of its own, infinity none at all.
    if let Some(Given::Int(n)) = text.strip_suffix("- 1").and_then(value::read) {
        return n.checked_sub(1).map(Given::Int);
    }
    let (above, below) = text.split_once('/')?;
    match (value::read(above)?, value::read(below)?) {
        (Given::Real(a), Given::Real(b)) => Some(Given::Real(a / b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_results() {
        let int = |n| Some(Given::Int(n));
        assert_eq!(stated("\\result == 7"), int(7));
        assert_eq!(stated("(\\result == (-7))"), int(-7));
        assert_eq!(stated("3U == \\result"), int(3));
        assert_eq!(stated("\\result == -2147483647 - 1"), int(i32::MIN.into()));
        assert_eq!(stated("\\result == -1.0f / 0.0f"), Some(Given::Real(f64::NEG_INFINITY)));
        assert_eq!(stated("\\result == 1.5"), Some(Given::Real(1.5)));
        for other in ["\\result > 3", "x == 3", "\\result == x", "\\result == 1 || x", ""] {
            assert_eq!(stated(other), None, "{other}");
        }
    }
}
