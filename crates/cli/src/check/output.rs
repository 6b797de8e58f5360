//! The verdict as people and tools read it.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use cairn_attack::Reach;
use cairn_base::Kind;
use cairn_cfront::{Externals, Unmodelled};
use cairn_core::{LoopStatus, outside};
use cairn_csyntax::render;
use cairn_sem::{Birth, InputRecord, Site};
use serde::Serialize;

use super::evidence::Evidence;
use super::{Finished, opinion};
use crate::args::TraceDetail;
use crate::conditions::verdict_true;
use crate::exit::Exit;
use crate::guard::word;
use crate::report::{JsonPlace, value_text};
use crate::terminal;
use crate::trace::{self, JsonTrace};
use cairn_portfolio::Decision;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

/// Inputs shown one by one.
const SHOWN_INPUTS: usize = 40;

/// Prints the report, and what of the evidence is missing.
pub fn write(f: &Finished<'_>, evidence: &Evidence) -> Exit {
    let exit = exit_of(&f.decision);
    word::take();
    for what in &evidence.missing {
        terminal::report(&format!("{UNSURE}note:{UNSURE:#} {what}\n"));
    }
    if f.args.json {
        terminal::output(&(json(f, evidence) + "\n"));
    } else if f.args.evidence.to_stdout() > 0 {
        terminal::report(&text(f, evidence));
    } else {
        terminal::say(&text(f, evidence));
    }
    exit
}

fn exit_of(answer: &Decision) -> Exit {
    match answer {
        Decision::Safe(_) => Exit::Normal,
        Decision::Unsafe(..) => Exit::Error,
        Decision::Unknown(why) if why.internal => Exit::Internal,
        Decision::Unknown(_) => Exit::Limit,
    }
}

/// `TRUE`, `TRUE (if …)`, `FALSE (property)`, `UNKNOWN (reason)`.
pub fn verdict_line(f: &Finished<'_>) -> (Style, String) {
    match &f.decision {
        Decision::Safe(_) => (GOOD, verdict_true(&f.task.conditions)),
        Decision::Unsafe(..) => (BAD, format!("FALSE ({})", f.task.property.name())),
        Decision::Unknown(why) => (UNSURE, format!("UNKNOWN ({})", why.reason)),
    }
}

fn text(f: &Finished<'_>, evidence: &Evidence) -> String {
    let mut text = String::new();
    if !f.args.quiet {
        event(f, &mut text);
        loops(f, &mut text);
        ledger(f, evidence, &mut text);
    }
    let (style, line) = verdict_line(f);
    let _ = writeln!(text, "{BOLD}Verdict:{BOLD:#} {style}{line}{style:#}");
    text
}

fn event(f: &Finished<'_>, text: &mut String) {
    let (map, colour) = (&f.compiled.map, terminal::colour());
    match &f.decision {
        Decision::Safe(_) => {}
        Decision::Unsafe(trace, confirmed) => {
            match f.story.get() {
                Some(story) if f.args.trace != TraceDetail::None => {
                    let detail = trace::detail(f.args.trace);
                    let _ = writeln!(text, "{BAD}error{BAD:#}{BOLD}: {}{BOLD:#}", story.report.message);
                    text.push_str(&trace::render(story, &f.task.program, map, detail, terminal::width()));
                }
                _ => {
                    let (report, place) = (&confirmed.report, confirmed.report.place);
                    let message = &report.message;
                    text.push_str(&render::render_places(map, Kind::Error, message, &[(place, "")], colour));
                }
            }
            inputs(f, &confirmed.inputs, text);
            births(f, &trace.births, text);
            if let Some(command) = &f.repeat {
                let _ = writeln!(text, "{BOLD}To repeat:{BOLD:#} {command}");
            }
        }
        Decision::Unknown(why) => {
            if why.place.is_none() {
                let _ = writeln!(text, "{UNSURE}Why unknown:{UNSURE:#} {}", why.detail);
            } else {
                let message = format!("why unknown: {}", why.detail);
                text.push_str(&render::render_places(
                    map,
                    Kind::Warning,
                    &message,
                    &[(why.place, "")],
                    colour,
                ));
            }
            if let Some(step) = &why.next_step {
                let _ = writeln!(text, "{BOLD}Next step:{BOLD:#} {step}");
            }
        }
    }
}

/// The inputs of a failure: arguments and standard input as a whole, others one by one.
fn inputs(f: &Finished<'_>, inputs: &[InputRecord], text: &mut String) {
    if inputs.is_empty() {
        return;
    }
    let map = &f.compiled.map;
    let _ = writeln!(text, "{BOLD}Inputs{BOLD:#} ({}):", inputs.len());
    for (name, value, place) in outside::shown(inputs) {
        let at = render::position(map, place);
        let _ = writeln!(text, "  {name} = {value}  {DIM}{at}{DIM:#}");
    }
    let single: Vec<(usize, &InputRecord)> = inputs
        .iter()
        .enumerate()
        .filter(|(_, i)| !outside::is_stdin(i) && !outside::is_argument(i))
        .collect();
    for &(n, input) in single.iter().take(SHOWN_INPUTS) {
        let value = value_text(input, f.task.program.model);
        let at = render::position(map, input.place);
        // Arguments, variables read before they are assigned, and what a call changes are no calls.
        let name = match input.name.strip_suffix('?') {
            Some(variable) => variable.to_owned(),
            None if n < f.task.arguments => input.name.to_string(),
            None => outside::called(&input.name),
        };
        let _ = writeln!(text, "  {name} = {value}  {DIM}{at}{DIM:#}");
    }
    if single.len() > SHOWN_INPUTS {
        let _ = writeln!(text, "  … {} more (--json has all)", single.len() - SHOWN_INPUTS);
    }
}

fn loops(f: &Finished<'_>, text: &mut String) {
    if f.loops.is_empty() {
        return;
    }
    let _ = writeln!(text, "{BOLD}Loops:{BOLD:#}");
    for l in &f.loops {
        let at = render::position(&f.compiled.map, l.place);
        let _ = writeln!(text, "  {at} in {}: {}", l.function, loop_text(&l.status));
    }
}

/// What is known of a loop.
pub fn loop_text(status: &LoopStatus) -> String {
    match status {
        LoopStatus::Bounded(n) => format!("head visited at most {n} times"),
        LoopStatus::Invariant { k, facts } if facts.is_empty() => format!("proved by {k}-induction"),
        LoopStatus::Invariant { k, facts } => format!("proved by {k}-induction with {}", facts.join(" && ")),
        LoopStatus::Cases(n) => format!("followed turn by turn, in a proof of {n} cases"),
        LoopStatus::GaveUp(n) => format!("gave up after {n} turns"),
    }
}

/// What memory held that nobody had written, where the error depends on it.
fn births(f: &Finished<'_>, births: &[Birth], text: &mut String) {
    const MOST: usize = 16;
    if births.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "{BOLD}Uninitialised memory{BOLD:#} that the error depends on (a compiled program may hold other values):"
    );
    for birth in births.iter().take(MOST) {
        let shown: Vec<String> =
            birth.bytes.iter().take(MOST).map(|(at, byte)| format!("{at} = {byte:#04x}")).collect();
        let more = if birth.bytes.len() > MOST { ", …" } else { "" };
        let at = render::position(&f.compiled.map, born_at(f, birth));
        let object = birth.object(&f.task.program);
        let _ = writeln!(text, "  {object}: byte {}{more}  {DIM}{at}{DIM:#}", shown.join(", "));
    }
    if births.len() > MOST {
        let _ = writeln!(text, "  … {} more objects (--json has all)", births.len() - MOST);
    }
}

fn born_at(f: &Finished<'_>, birth: &Birth) -> cairn_base::Place {
    match birth.site {
        Site::Static(o) => f.task.program.objects[o].place,
        Site::Edge(e, _) => f.task.program.edges[e].place,
    }
}

/// What is considered of something from outside.
fn considered(f: &Finished<'_>, name: &Unmodelled) -> &'static str {
    match (name.is_function, f.request.front.externals()) {
        (false, _) => "any contents are considered",
        (true, Externals::Pure) => "any result is considered, and no other effect",
        (true, _) => "any result is considered, and any change to what it can reach",
    }
}

/// What the verdict rests on.
fn ledger(f: &Finished<'_>, evidence: &Evidence, text: &mut String) {
    for name in &f.compiled.unmodelled {
        let at = render::position(&f.compiled.map, name.place);
        let _ = writeln!(
            text,
            "{UNSURE}No body and no model:{UNSURE:#} {} at {at}; {}",
            name.name,
            considered(f, name)
        );
    }
    for note in f.notes.iter().chain(&evidence.notes) {
        let _ = writeln!(text, "{UNSURE}Note:{UNSURE:#} {note}");
    }
    if !f.task.conventions.is_empty() {
        let _ = writeln!(text, "{DIM}Taken for granted: {}{DIM:#}", f.task.conventions.join("; "));
    }
    let checked = match &f.decision {
        Decision::Safe(_) => "; the proof passed the independent checker",
        Decision::Unsafe(..) => "; the error was replayed by the executor",
        Decision::Unknown(_) => "",
    };
    let _ = writeln!(
        text,
        "{DIM}Data model {}, property {}, engine {}{checked}; {:.3} s{DIM:#}",
        f.task.program.model,
        f.task.property.name(),
        f.engine,
        f.time.as_secs_f64()
    );
}

#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    verdict: &'static str,
    property: &'a str,
    result: String,
    exit_code: u8,
    engine: &'a str,
    data_model: String,
    signed_overflow: &'static str,
    seconds: f64,
    /// Those that the check of the evidence took.
    checking_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<JsonError<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<JsonUnknown<'a>>,
    loops: Vec<JsonLoop<'a>>,
    unmodelled: Vec<JsonName<'a>>,
    /// What TRUE rests on (all that the verdict line names, or counts).
    conditions: &'a [String],
    notes: Vec<&'a String>,
    /// What runs of the program say to the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<JsonAttack<'a>>,
    /// What the reading of any program takes for granted and matters for this one.
    conventions: &'a [String],
}

#[derive(Serialize)]
struct JsonError<'a> {
    message: &'a str,
    place: Option<JsonPlace<'a>>,
    inputs: Vec<JsonInput<'a>>,
    /// What memory held that nobody had written, where it matters.
    uninitialised: Vec<JsonBirth<'a>>,
    /// What the program is called with, its name first, and its standard input, if it looks at them;
    /// as C strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdin: Option<String>,
    /// The command that repeats it.
    repeat: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<JsonTrace<'a>>,
}

#[derive(Serialize)]
struct JsonInput<'a> {
    function: &'a str,
    value: String,
    place: Option<JsonPlace<'a>>,
}

#[derive(Serialize)]
struct JsonBirth<'a> {
    object: String,
    place: Option<JsonPlace<'a>>,
    /// By offset.
    bytes: &'a std::collections::BTreeMap<u64, u8>,
}

#[derive(Serialize)]
struct JsonUnknown<'a> {
    reason: &'a str,
    detail: &'a str,
    place: Option<JsonPlace<'a>>,
    next_step: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonLoop<'a> {
    function: &'a str,
    place: Option<JsonPlace<'a>>,
    status: &'static str,
    turns: Option<u32>,
    k: Option<u32>,
    invariants: &'a [String],
}

#[derive(Serialize)]
struct JsonAttack<'a> {
    /// Executions that were compared with the symbolic reading.
    runs: u32,
    checks: usize,
    /// Checks that no execution reaches.
    never_reached: Vec<JsonPlace<'a>>,
    /// Checks that no execution was found to reach.
    not_seen_reached: Vec<JsonPlace<'a>>,
}

#[derive(Serialize)]
struct JsonName<'a> {
    name: &'a str,
    place: Option<JsonPlace<'a>>,
}

fn json(f: &Finished<'_>, evidence: &Evidence) -> String {
    let place = |p: cairn_base::Place| (!p.is_none()).then(|| JsonPlace::new(&f.compiled.map, p));
    let (_, result) = verdict_line(f);
    let json = Json {
        cairn: env!("CARGO_PKG_VERSION"),
        command: "check",
        verdict: match &f.decision {
            Decision::Safe(_) => "TRUE",
            Decision::Unsafe(..) => "FALSE",
            Decision::Unknown(_) => "UNKNOWN",
        },
        property: f.task.property.name(),
        result,
        exit_code: exit_of(&f.decision) as u8,
        engine: f.engine,
        data_model: f.task.program.model.to_string(),
        signed_overflow: match f.task.options.signed_overflow {
            cairn_sem::SignedOverflow::Wrap => "wrap",
            cairn_sem::SignedOverflow::Undefined => "undefined",
        },
        seconds: f.time.as_secs_f64(),
        checking_seconds: f.checking.as_secs_f64(),
        error: match &f.decision {
            Decision::Unsafe(t, c) => Some(JsonError {
                message: f.story.get().map_or(&c.report.message, |s| &s.report.message),
                place: place(c.report.place),
                inputs: c
                    .inputs
                    .iter()
                    .map(|i| JsonInput {
                        function: i.name.as_str(),
                        value: value_text(i, f.task.program.model),
                        place: place(i.place),
                    })
                    .collect(),
                uninitialised: t
                    .births
                    .iter()
                    .map(|b| JsonBirth {
                        object: b.object(&f.task.program),
                        place: place(born_at(f, b)),
                        bytes: &b.bytes,
                    })
                    .collect(),
                arguments: outside::arguments(&c.inputs)
                    .map(|all| all.iter().map(|a| outside::quoted(a)).collect()),
                stdin: outside::stdin_text(&c.inputs).map(|text| outside::quoted(&text)),
                repeat: f.repeat.as_deref(),
                trace: f.story.get().map(|s| trace::json(s, &f.task.program, &f.compiled.map)),
            }),
            _ => None,
        },
        unknown: match &f.decision {
            Decision::Unknown(why) => Some(JsonUnknown {
                reason: &why.reason,
                detail: &why.detail,
                place: place(why.place),
                next_step: why.next_step.as_deref(),
            }),
            _ => None,
        },
        loops: f
            .loops
            .iter()
            .map(|l| JsonLoop {
                function: l.function.as_str(),
                place: place(l.place),
                status: match l.status {
                    LoopStatus::Bounded(_) => "bounded",
                    LoopStatus::Invariant { .. } => "invariant",
                    LoopStatus::Cases(_) => "cases",
                    LoopStatus::GaveUp(_) => "gave-up",
                },
                turns: match l.status {
                    LoopStatus::Bounded(n) | LoopStatus::GaveUp(n) => Some(n),
                    LoopStatus::Invariant { .. } | LoopStatus::Cases(_) => None,
                },
                k: match l.status {
                    LoopStatus::Invariant { k, .. } => Some(k),
                    _ => None,
                },
                invariants: match &l.status {
                    LoopStatus::Invariant { facts, .. } => facts,
                    _ => &[],
                },
            })
            .collect(),
        unmodelled: f
            .compiled
            .unmodelled
            .iter()
            .map(|u| JsonName { name: u.name.as_str(), place: place(u.place) })
            .collect(),
        conditions: &f.task.conditions,
        notes: f.notes.iter().chain(&evidence.notes).collect(),
        attack: f.attack.as_ref().map(|a| {
            let at = |status| opinion::places(a, status).into_iter().filter_map(place).collect();
            JsonAttack {
                runs: a.runs,
                checks: a.checks.len(),
                never_reached: at(Reach::Never),
                not_seen_reached: at(Reach::NotFound),
            }
        }),
        conventions: &f.task.conventions,
    };
    // Plain structs of text and numbers always serialise.
    serde_json::to_string_pretty(&json).unwrap_or_default()
}
