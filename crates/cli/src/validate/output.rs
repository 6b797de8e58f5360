//! The judgement on a witness as people and tools read it.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use cairn_base::{Kind, Place};
use cairn_csyntax::render;
use serde::Serialize;

use super::{Finished, Judged};
use crate::args::ValidateArgs;
use crate::conditions::verdict_true;
use crate::exit::Exit;
use crate::report::{JsonInput, JsonPlace, json_inputs};
use crate::terminal;
use crate::trace::{self, JsonTrace};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

pub fn write(f: &Finished<'_>) -> Exit {
    if f.args.json {
        terminal::output(&json(f));
    } else {
        terminal::say(&text(f));
    }
    exit_of(&f.judged)
}

/// A file that is no witness at all.
pub fn without_program(args: &ValidateArgs, judged: Judged) -> Exit {
    let exit = match &judged {
        // There is nothing that more time would change.
        Judged::Unknown(why) if !why.internal => Exit::Rejected,
        other => exit_of(other),
    };
    if args.json {
        terminal::output(&serialised(&Json { exit_code: exit as u8, ..heading(&judged, "none", "", &[]) }));
    } else {
        let mut text = String::new();
        judgement(&judged, &mut text);
        let (style, line) = verdict(&judged, "", &[]);
        let _ = writeln!(text, "{BOLD}Verdict:{BOLD:#} {style}{line}{style:#}");
        terminal::say(&text);
    }
    exit
}

fn exit_of(judged: &Judged) -> Exit {
    match judged {
        Judged::Correct(_) => Exit::Normal,
        Judged::Violated(..) => Exit::Error,
        Judged::Rejected(_, exit) => *exit,
        Judged::Unknown(why) if why.internal => Exit::Internal,
        Judged::Unknown(_) => Exit::Limit,
    }
}

fn verdict(judged: &Judged, property: &str, conditions: &[String]) -> (Style, String) {
    match judged {
        Judged::Correct(_) => (GOOD, verdict_true(conditions)),
        Judged::Violated(..) => (BAD, format!("FALSE ({property})")),
        Judged::Rejected(..) => (UNSURE, "UNKNOWN (witness rejected)".to_owned()),
        Judged::Unknown(why) => (UNSURE, format!("UNKNOWN ({})", why.reason)),
    }
}

fn judgement(judged: &Judged, text: &mut String) {
    let _ = match judged {
        Judged::Correct(why) => writeln!(text, "{BOLD}Witness:{BOLD:#} {GOOD}confirmed{GOOD:#} ({why})"),
        Judged::Violated(..) => {
            writeln!(text, "{BOLD}Witness:{BOLD:#} {GOOD}confirmed{GOOD:#} (an execution along it fails)")
        }
        Judged::Rejected(why, _) => writeln!(text, "{BOLD}Witness:{BOLD:#} {BAD}REJECTED{BAD:#} ({why})"),
        Judged::Unknown(why) => writeln!(text, "{UNSURE}Why unknown:{UNSURE:#} {}", why.detail),
    };
}

fn text(f: &Finished<'_>) -> String {
    let mut text = String::new();
    let (map, model) = (&f.compiled.map, f.task.program.model);
    if !f.args.quiet {
        if let Judged::Violated(confirmed, story) = &f.judged {
            let (message, place) = (&confirmed.report.message, confirmed.report.place);
            match story {
                Some(s) => {
                    let width = terminal::width();
                    text.push_str(&trace::render(s, &f.task.program, map, trace::SHORT, width));
                }
                None => text.push_str(&render::render_places(
                    map,
                    Kind::Error,
                    message,
                    &[(place, "")],
                    terminal::colour(),
                )),
            }
        }
        for note in f.task.notes.iter().chain(&f.notes) {
            let _ = writeln!(text, "{UNSURE}Note:{UNSURE:#} {note}");
        }
        if !f.task.conventions.is_empty() {
            let _ = writeln!(text, "{DIM}Taken for granted: {}{DIM:#}", f.task.conventions.join("; "));
        }
        let (property, time) = (f.task.property.name(), f.time.as_secs_f64());
        let kind = f.kind;
        let _ = writeln!(
            text,
            "{DIM}Data model {model}, property {property}, {kind} witness; {time:.3} s{DIM:#}"
        );
    }
    judgement(&f.judged, &mut text);
    let (style, line) = verdict(&f.judged, f.task.property.name(), &f.task.conditions);
    let _ = writeln!(text, "{BOLD}Verdict:{BOLD:#} {style}{line}{style:#}");
    text
}

#[derive(Serialize, Default)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    /// `violation`, `correctness` or `none`.
    kind: &'static str,
    /// `confirmed`, `rejected` or `unknown`.
    witness: &'static str,
    reason: String,
    verdict: &'static str,
    result: String,
    exit_code: u8,
    property: &'a str,
    data_model: String,
    place: Option<JsonPlace<'a>>,
    inputs: Vec<JsonInput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<JsonTrace<'a>>,
    conditions: &'a [String],
    notes: Vec<&'a str>,
    conventions: &'a [String],
    seconds: f64,
}

fn heading<'a>(judged: &Judged, kind: &'static str, property: &'a str, conditions: &'a [String]) -> Json<'a> {
    let (witness, verdict_word, reason) = match judged {
        Judged::Correct(why) => ("confirmed", "TRUE", why.clone()),
        Judged::Violated(c, _) => ("confirmed", "FALSE", c.report.message.clone()),
        Judged::Rejected(why, _) => ("rejected", "UNKNOWN", why.clone()),
        Judged::Unknown(why) => ("unknown", "UNKNOWN", why.detail.clone()),
    };
    Json {
        cairn: env!("CARGO_PKG_VERSION"),
        command: "validate",
        kind,
        witness,
        reason,
        verdict: verdict_word,
        result: verdict(judged, property, conditions).1,
        exit_code: exit_of(judged) as u8,
        property,
        conditions,
        ..Json::default()
    }
}

fn json(f: &Finished<'_>) -> String {
    let (map, model) = (&f.compiled.map, f.task.program.model);
    let place = |p: Place| (!p.is_none()).then(|| JsonPlace::new(map, p));
    let mut json = Json {
        data_model: model.to_string(),
        notes: f.task.notes.iter().chain(&f.notes).map(String::as_str).collect(),
        conventions: &f.task.conventions,
        seconds: f.time.as_secs_f64(),
        ..heading(&f.judged, f.kind, f.task.property.name(), &f.task.conditions)
    };
    if let Judged::Violated(confirmed, story) = &f.judged {
        json.place = place(confirmed.report.place);
        json.inputs = json_inputs(&confirmed.inputs, model, map);
        json.trace = story.as_ref().map(|s| trace::json(s, &f.task.program, map));
    }
    serialised(&json)
}

fn serialised(json: &Json<'_>) -> String {
    // Plain structs of text and numbers always serialise.
    serde_json::to_string_pretty(json).unwrap_or_default() + "\n"
}
