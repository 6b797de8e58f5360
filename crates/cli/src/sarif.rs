//! Verdicts as SARIF 2.1.0 (OASIS), the format that code hosts and editors read.
//!
//! A violation is one result with the trace as its code flow. A verdict of TRUE
//! is a successful invocation without results; why there is no verdict is a
//! notification of the tool.

use cairn_base::Place;
use cairn_core::{Property, Why};
use cairn_csyntax::SourceMap;
use cairn_ir::Program;
use cairn_story::{Effect, Entry, Event, Story};
use serde_json::{Value, json};

use crate::trace;

/// What is to be said.
pub enum Outcome<'a> {
    True,
    /// What is wrong, where, and the way to it.
    False {
        message: &'a str,
        place: Place,
        story: Option<&'a Story>,
    },
    Unknown(&'a Why),
}

/// The properties that results are named after.
const RULES: [(&str, &str); 5] = [
    ("unreach-call", "A call that must not happen, or an assertion that must hold"),
    ("assert", "An assertion that must hold"),
    ("unreach-label", "A label that must not be reached"),
    ("no-overflow", "Signed arithmetic stays in the range of its type"),
    ("no-div-by-zero", "Divisors are not zero"),
];

/// The whole log as text. `program` is the one that was run.
pub fn sarif(outcome: &Outcome<'_>, property: &Property, program: &Program, map: &SourceMap) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let mut invocation = json!({ "executionSuccessful": true });
    let mut results = Vec::new();
    match outcome {
        Outcome::True => {}
        Outcome::False { message, place, story } => {
            results.push(violation(message, *place, *story, property, program, map));
        }
        Outcome::Unknown(why) => {
            invocation["executionSuccessful"] = (!why.internal).into();
            invocation["toolExecutionNotifications"] = json!([notification(why, map)]);
        }
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Cairn",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [invocation],
            "results": results,
        }],
    });
    // Text, numbers and lists always serialise.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn violation(
    message: &str,
    place: Place,
    story: Option<&Story>,
    property: &Property,
    program: &Program,
    map: &SourceMap,
) -> Value {
    let mut result = json!({
        "ruleId": property.name(),
        "kind": "fail",
        "level": "error",
        "message": { "text": message },
    });
    if let Some(index) = RULES.iter().position(|r| r.0 == property.name()) {
        result["ruleIndex"] = index.into();
    }
    if let Some(at) = location(map, place) {
        result["locations"] = json!([at]);
    }
    if let Some(story) = story {
        let entries = trace::entries(story, program, map, trace::FOR_TOOLS);
        let mut flow: Vec<Value> = entries.iter().filter_map(|e| flow_location(e, map)).collect();
        if let Some(mut at) = location(map, place) {
            at["message"] = json!({ "text": message });
            flow.push(json!({ "location": at, "nestingLevel": story.depth(), "importance": "essential" }));
        }
        if !flow.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
        }
    }
    result
}

fn notification(why: &Why, map: &SourceMap) -> Value {
    let mut text = format!("{}: {}", why.reason, why.detail);
    if let Some(step) = &why.next_step {
        text.push_str(" Next step: ");
        text.push_str(step);
    }
    let level = if why.internal { "error" } else { "warning" };
    let mut value = json!({ "level": level, "message": { "text": text } });
    if let Some(at) = location(map, why.place) {
        value["locations"] = json!([at]);
    }
    value
}

fn flow_location(entry: &Entry, map: &SourceMap) -> Option<Value> {
    let mut at = location(map, entry.place)?;
    at["message"] = json!({ "text": trace::plain_words(entry, map) });
    let mut value = json!({ "location": at, "nestingLevel": entry.depth });
    if let Event::Line { effects, .. } = &entry.event {
        let mut state = serde_json::Map::new();
        for effect in effects {
            let (name, text) = match effect {
                Effect::Assigned { name, value } => (name.clone(), value),
                Effect::Input { name, function, value } => {
                    (name.clone().unwrap_or_else(|| format!("{function}()")), value)
                }
                Effect::Decided { .. } => continue,
            };
            state.insert(name, json!({ "text": text }));
        }
        if !state.is_empty() {
            value["state"] = state.into();
        }
        if effects.iter().any(|e| matches!(e, Effect::Input { .. })) {
            value["importance"] = "essential".into();
        }
    }
    Some(value)
}

fn location(map: &SourceMap, place: Place) -> Option<Value> {
    if place.is_none() {
        return None;
    }
    let region = json!({
        "startLine": place.line,
        "startColumn": column(map, place, place.line, place.col),
        "endLine": place.end_line.max(place.line),
        "endColumn": column(map, place, place.end_line, place.end_col),
    });
    Some(json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(map.file_name(place.file)) },
        "region": region,
    }}))
}

/// A column of bytes as one of UTF-16 code units.
fn column(map: &SourceMap, place: Place, line: u32, col: u32) -> usize {
    let bytes = (col as usize).saturating_sub(1);
    match map.line(place.file, line) {
        Some(text) => {
            let before = &text[..bytes.min(text.len())];
            String::from_utf8_lossy(before).encode_utf16().count() + 1
        }
        None => bytes + 1,
    }
}

/// A file name as a URI reference.
fn uri(name: &str) -> String {
    let mut text = String::from(if name.starts_with('/') { "file://" } else { "" });
    for b in name.bytes() {
        if b.is_ascii_alphanumeric() || b"/._-~+,=@".contains(&b) {
            text.push(b as char);
        } else {
            text.push_str(&format!("%{b:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::tests::{PROGRAM, told};

    fn run(text: &str) -> Value {
        let log: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(log["runs"][0]["tool"]["driver"]["name"], "Cairn");
        log["runs"][0].clone()
    }

    #[test]
    fn three_verdicts() {
        let (compiled, task, story) = told(PROGRAM, Property::default());
        let (p, map) = (&task.program, &compiled.map);
        let place = story.report.place;
        let log = |o: &Outcome<'_>| run(&sarif(o, &task.property, p, map));

        let violation = log(&Outcome::False { message: "bad", place, story: Some(&story) });
        let result = &violation["results"][0];
        assert_eq!(result["ruleId"], "unreach-call");
        let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(violation["tool"]["driver"]["rules"][rule]["id"], "unreach-call");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        // The letter before it has two bytes and one UTF-16 code unit.
        assert_eq!((region["startLine"].as_u64(), region["startColumn"].as_u64()), (Some(9), Some(28)));
        let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
        assert!(flow.len() > 10);
        assert_eq!(flow[0]["state"]["s"]["text"], "0");
        assert_eq!(flow.last().map(|l| &l["location"]["message"]["text"]), Some(&json!("bad")));
        assert!(flow.iter().any(|l| l["nestingLevel"] == 1));

        let proved = log(&Outcome::True);
        assert_eq!(proved["results"], json!([]));
        assert_eq!(proved["invocations"][0]["executionSuccessful"], true);

        let why = Why::new("loop", "A loop has no bound.").advice("Give one.").at(place);
        let unknown = log(&Outcome::Unknown(&why));
        assert_eq!(unknown["results"], json!([]));
        let note = &unknown["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(note["message"]["text"], "loop: A loop has no bound. Next step: Give one.");
        assert_eq!(note["level"], "warning");
        let fault = log(&Outcome::Unknown(&Why::new("fault", "x").internal()));
        assert_eq!(fault["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn file_names() {
        assert_eq!(uri("a b/\u{e4}.c"), "a%20b/%C3%A4.c");
        assert_eq!(uri("/x/y.c"), "file:///x/y.c");
    }
}
