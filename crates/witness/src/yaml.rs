//! Witnesses in the YAML format 2.0 of SV-COMP.

use std::collections::BTreeMap;

use cairn_base::DataModel;
use serde::{Deserialize, Serialize};

use crate::error::WitnessError;
use crate::task::TaskInfo;
use crate::witness::{Choice, Claim, Invariant, Position, Segment, Waypoint, WaypointKind, Witness};

#[derive(Serialize, Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    content: Vec<Content>,
}

#[derive(Serialize, Deserialize)]
struct Metadata {
    format_version: String,
    #[serde(default)]
    uuid: String,
    #[serde(default)]
    creation_time: String,
    producer: Producer,
    #[serde(default)]
    task: Option<Task>,
}

#[derive(Serialize, Deserialize)]
struct Producer {
    name: String,
    #[serde(default)]
    version: String,
}

#[derive(Serialize, Deserialize)]
struct Task {
    #[serde(default)]
    input_files: Vec<String>,
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    #[serde(default)]
    specification: String,
    #[serde(default)]
    data_model: String,
    #[serde(default)]
    language: String,
}

#[derive(Serialize, Deserialize)]
struct Content {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    segment: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invariant: Option<Fact>,
}

#[derive(Serialize, Deserialize)]
struct Step {
    waypoint: Point,
}

#[derive(Serialize, Deserialize)]
struct Point {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    location: Location,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize, Deserialize)]
struct Constraint {
    value: Scalar,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

/// Others write `value: true` and `value: 3` without quotes.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Int(i64),
    Text(String),
}

#[derive(Serialize, Deserialize)]
struct Fact {
    #[serde(rename = "type")]
    kind: String,
    location: Location,
    value: Scalar,
    #[serde(default)]
    format: String,
}

#[derive(Serialize, Deserialize)]
struct Location {
    #[serde(default)]
    file_name: String,
    line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    function: Option<String>,
}

/// The text of the witness. The identifier depends on the content only.
pub fn write(witness: &Witness) -> Result<String, WitnessError> {
    let (entry_type, content) = match &witness.claim {
        Claim::Violation(segments) => {
            ("violation_sequence", segments.iter().map(segment).collect::<Result<Vec<_>, _>>()?)
        }
        Claim::Correctness(invariants) => ("invariant_set", invariants.iter().map(invariant).collect()),
    };
    let task = &witness.task;
    let uuid = task.uuid(&format!("{:?}", witness.claim));
    let hashes = task.files.iter().filter_map(|(f, h)| Some((f.clone(), h.clone()?))).collect();
    let entry = Entry {
        entry_type: entry_type.into(),
        metadata: Metadata {
            format_version: "2.0".into(),
            uuid,
            creation_time: task.creation_time.clone(),
            producer: Producer { name: task.producer.clone(), version: task.version.clone() },
            task: Some(Task {
                input_files: task.files.iter().map(|(f, _)| f.clone()).collect(),
                input_file_hashes: hashes,
                specification: task.specification.clone(),
                data_model: task.model.map_or_else(String::new, |m| m.to_string()),
                language: "C".into(),
            }),
        },
        content,
    };
    serde_saphyr::to_string(&[entry])
        .map_err(|e| WitnessError::System(format!("the witness cannot be written: {e}")))
}

fn segment(s: &Segment) -> Result<Content, WitnessError> {
    let mut steps = Vec::new();
    for (action, w) in s.avoid.iter().map(|w| ("avoid", w)).chain([("follow", &s.follow)]) {
        let text = |value: &str, format: &str| {
            Some(Constraint { value: Scalar::Text(value.into()), format: Some(format.into()) })
        };
        let plain = |value: &str| Some(Constraint { value: Scalar::Text(value.into()), format: None });
        let (kind, constraint) = match &w.kind {
            WaypointKind::Assumption(e) => ("assumption", text(e, "c_expression")),
            WaypointKind::AssumptionAfter(_) => {
                return Err(WitnessError::Unsupported(
                    "assumptions after a statement cannot be written in format 2.0".into(),
                ));
            }
            WaypointKind::Branching(choice) => (
                "branching",
                match choice {
                    Choice::True => plain("true"),
                    Choice::False => plain("false"),
                    Choice::Case(c) => plain(c),
                    Choice::Default => plain("default"),
                },
            ),
            WaypointKind::FunctionEnter(_) => ("function_enter", None),
            WaypointKind::FunctionReturn { constraint, .. } => {
                ("function_return", constraint.as_deref().and_then(|c| text(c, "acsl_expression")))
            }
            WaypointKind::Target => ("target", None),
        };
        steps.push(Step {
            waypoint: Point {
                kind: kind.into(),
                action: action.into(),
                location: location(&w.at),
                constraint,
            },
        });
    }
    Ok(Content { segment: Some(steps), invariant: None })
}

fn invariant(i: &Invariant) -> Content {
    let kind = if i.is_loop { "loop_invariant" } else { "location_invariant" };
    let fact = Fact {
        kind: kind.into(),
        location: location(&i.at),
        value: Scalar::Text(i.value.clone()),
        format: "c_expression".into(),
    };
    Content { segment: None, invariant: Some(fact) }
}

fn location(p: &Position) -> Location {
    Location { file_name: p.file.clone(), line: p.line, column: p.column, function: p.function.clone() }
}

/// Reads a witness: one entry of either kind.
pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|e| {
        let message = e.to_string();
        let first = message.lines().next().unwrap_or("no YAML");
        // The position comes first in our message.
        let first = match first.split_once(": ") {
            Some(("error", rest)) => rest.split_once(": ").map_or(rest, |(_, text)| text),
            _ => first,
        };
        WitnessError::Malformed {
            line: e.location().map(|l| l.line()),
            message: format!("not a witness of format 2.0: {first}"),
        }
    })?;
    let mut entries = entries.into_iter();
    let (Some(entry), None) = (entries.next(), entries.next()) else {
        return Err(WitnessError::Unsupported("a witness with other than one entry".into()));
    };
    if !entry.metadata.format_version.starts_with("2.") {
        let version = &entry.metadata.format_version;
        return Err(WitnessError::Unsupported(format!("witness format {version} (2.0 is supported)")));
    }
    let claim = match entry.entry_type.as_str() {
        "violation_sequence" => Claim::Violation(read_segments(entry.content)?),
        "invariant_set" => Claim::Correctness(read_invariants(entry.content)?),
        other => return Err(WitnessError::Unsupported(format!("a witness entry of type '{other}'"))),
    };
    let m = entry.metadata;
    let mut files = Vec::new();
    let (mut specification, mut model) = (String::new(), None);
    if let Some(task) = m.task {
        for f in &task.input_files {
            files.push((f.clone(), task.input_file_hashes.get(f).cloned()));
        }
        for (f, h) in &task.input_file_hashes {
            if !task.input_files.contains(f) {
                files.push((f.clone(), Some(h.clone())));
            }
        }
        specification = task.specification;
        model = match task.data_model.as_str() {
            "ILP32" | "32bit" => Some(DataModel::Ilp32),
            "LP64" | "64bit" => Some(DataModel::Lp64),
            _ => None,
        };
    }
    Ok(Witness {
        task: TaskInfo {
            files,
            specification,
            model,
            creation_time: m.creation_time,
            producer: m.producer.name,
            version: m.producer.version,
        },
        claim,
    })
}

fn read_segments(content: Vec<Content>) -> Result<Vec<Segment>, WitnessError> {
    let bad = |n: usize, m: &str| WitnessError::malformed(format!("segment {}: {m}", n + 1));
    let last = content.len().wrapping_sub(1);
    let mut segments = Vec::new();
    for (n, c) in content.into_iter().enumerate() {
        let steps = c.segment.ok_or_else(|| bad(n, "there is no `segment`"))?;
        let mut avoid = Vec::new();
        let mut follow = None;
        for step in steps {
            if follow.is_some() {
                return Err(bad(n, "a waypoint after the one to follow"));
            }
            let p = step.waypoint;
            let is_follow = match p.action.as_str() {
                "follow" => true,
                "avoid" => false,
                other => return Err(bad(n, &format!("an unknown action '{other}'"))),
            };
            let w = read_waypoint(p).map_err(|m| bad(n, &m))?;
            if is_follow {
                follow = Some(w);
            } else if w.kind == WaypointKind::Target {
                return Err(bad(n, "the target cannot be avoided"));
            } else {
                avoid.push(w);
            }
        }
        let follow = follow.ok_or_else(|| bad(n, "there is no waypoint to follow"))?;
        if (follow.kind == WaypointKind::Target) != (n == last) {
            return Err(bad(n, "the target is what the last segment follows, and only that"));
        }
        segments.push(Segment { avoid, follow });
    }
    if segments.is_empty() {
        return Err(WitnessError::malformed("a violation sequence without segments"));
    }
    Ok(segments)
}

fn read_waypoint(p: Point) -> Result<Waypoint, String> {
    let value = p.constraint.map(|c| match c.value {
        Scalar::Bool(b) => b.to_string(),
        Scalar::Int(n) => n.to_string(),
        Scalar::Text(t) => t,
    });
    let kind = match (p.kind.as_str(), value) {
        ("assumption", Some(e)) => WaypointKind::Assumption(e),
        ("branching", Some(v)) => WaypointKind::Branching(match v.trim() {
            "true" => Choice::True,
            "false" => Choice::False,
            "default" => Choice::Default,
            other => Choice::Case(other.to_owned()),
        }),
        ("function_enter", _) => WaypointKind::FunctionEnter(None),
        ("function_return", constraint) => WaypointKind::FunctionReturn { constraint, function: None },
        ("target", None) => WaypointKind::Target,
        ("target", Some(_)) => return Err("a target has no constraint".into()),
        ("assumption" | "branching", None) => return Err(format!("{} without a constraint", p.kind)),
        (other, _) => return Err(format!("an unknown type of waypoint '{other}'")),
    };
    Ok(Waypoint { kind, at: read_location(p.location) })
}

fn read_invariants(content: Vec<Content>) -> Result<Vec<Invariant>, WitnessError> {
    let mut invariants = Vec::new();
    for (n, c) in content.into_iter().enumerate() {
        let bad = |m: String| WitnessError::malformed(format!("invariant {}: {m}", n + 1));
        let fact = c.invariant.ok_or_else(|| bad("there is no `invariant`".into()))?;
        let is_loop = match fact.kind.as_str() {
            "loop_invariant" => true,
            "location_invariant" => false,
            other => return Err(WitnessError::Unsupported(format!("an invariant of type '{other}'"))),
        };
        if !matches!(fact.format.as_str(), "" | "c_expression" | "ext_c_expression") {
            return Err(WitnessError::Unsupported(format!("an invariant in the format '{}'", fact.format)));
        }
        let value = match fact.value {
            Scalar::Bool(b) => u8::from(b).to_string(),
            Scalar::Int(i) => i.to_string(),
            Scalar::Text(t) => t,
        };
        invariants.push(Invariant { at: read_location(fact.location), is_loop, value });
    }
    Ok(invariants)
}

fn read_location(l: Location) -> Position {
    Position { file: l.file_name, line: l.line, column: l.column.filter(|&c| c > 0), function: l.function }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn position(line: u32, column: u32) -> Position {
        Position { file: "dir/a.c".into(), line, column: Some(column), function: Some("main".into()) }
    }

    pub(crate) fn violation() -> Witness {
        let result = |c: &str| WaypointKind::FunctionReturn { constraint: Some(c.into()), function: None };
        let mut first = Segment::follow(result("\\result == (-5)"), position(5, 34));
        first
            .avoid
            .push(Waypoint { kind: WaypointKind::Assumption("x > 3: # \"q\"".into()), at: position(4, 1) });
        let claim = Claim::Violation(vec![
            first,
            Segment::follow(WaypointKind::Branching(Choice::True), position(6, 5)),
            Segment::follow(WaypointKind::FunctionEnter(None), position(6, 9)),
            Segment::follow(WaypointKind::Target, position(7, 9)),
        ]);
        Witness { task: crate::task::sample(), claim }
    }

    pub(crate) fn correctness() -> Witness {
        let claim = Claim::Correctness(vec![
            Invariant { at: position(9, 5), is_loop: true, value: "0 <= i && i <= n".into() },
            Invariant { at: position(11, 5), is_loop: false, value: "true != 0".into() },
            Invariant { at: position(12, 5), is_loop: true, value: "x == 1 || ".repeat(150) + "x == 2" },
        ]);
        Witness { task: crate::task::sample(), claim }
    }

    #[test]
    fn written_and_read() {
        for w in [violation(), correctness()] {
            let text = write(&w).unwrap();
            assert_eq!(read(&text).as_ref(), Ok(&w), "{text}");
            assert_eq!(write(&w).unwrap(), text);
        }
    }

    #[test]
    fn what_others_write() {
        let text = "- entry_type: \"violation_sequence\"\n  metadata:\n    format_version: '2.0'\n    producer: {name: X, version: '1', configuration: y}\n  content:\n  - segment:\n    - waypoint:\n        type: branching\n        action: follow\n        constraint: {value: false}\n        location: {file_name: a.c, line: 3}\n  - segment:\n    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 4, column: 2}}\n";
        let w = read(text).unwrap();
        let Claim::Violation(segments) = w.claim else { panic!() };
        assert_eq!(segments[0].follow.kind, WaypointKind::Branching(Choice::False));
        assert_eq!(segments[0].follow.at.column, None);
    }

    #[test]
    fn broken_witnesses_are_refused_with_a_message() {
        let good = write(&violation()).unwrap();
        let changes = [
            ("target", "targets", "unknown type of waypoint"),
            ("action: avoid", "action: follow", "after the one to follow"),
            ("violation_sequence", "loop_invariant", "of type 'loop_invariant'"),
            ("line: 7", "line: seven", "line"),
            ("2.0", "0.1", "witness format 0.1"),
        ];
        for (from, to, message) in changes {
            let text = good.replace(from, to);
            assert_ne!(text, good, "{from}");
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{from}: {error}");
        }
        assert!(read("").is_err() && read("a: b").is_err() && read("[]").is_err());
    }
}
