//! `cairn replay`: a failure once more, from its inputs alone. The executor runs
//! the program with the property in force; then the system's compiler builds the
//! user's sources together with a harness, and the result is run, too.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use cairn_base::{Budget, Cancel, Kind};
use cairn_cfront::Compiled;
use cairn_core::replay::Confirmed;
use cairn_core::{Task, TaskError};
use cairn_csyntax::render;
use cairn_sem::spelled::{self, Spelled};
use cairn_sem::{Birth, End, Given, InputRecord, Outcome};
use cairn_story::{Story, tell};
use cairn_witness::reproduce::{Reproduced, Reproduction, reproduce};
use cairn_witness::testcase::TestValues;
use cairn_witness::witness::Segment;
use cairn_witness::{Claim, TaskInfo, WitnessError, harness, testcase};
use serde::Serialize;

use crate::args::{ReplayArgs, TraceDetail};
use crate::check::request::{self, Request};
use crate::exit::Exit;
use crate::front::{self, Refusal, Setup};
use crate::guard::{self, Limits, word};
use crate::progress::Progress;
use crate::report::{JsonInput, JsonPlace, json_inputs, limit_name};
use crate::trace::{self, JsonTrace};
use crate::validate::{Judged, Subject, violation};
use crate::{follow, input, rerun, terminal};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

/// Compiling takes no longer, nor does running what was compiled.
const NATIVE: Duration = Duration::from_secs(60);

/// Where the inputs come from.
enum Source {
    /// All inputs, in order.
    Values(input::Stated),
    /// Those that calls read, in order, and what else is known by name.
    Test(TestValues),
    /// The results of calls that a violation witness states, and the way it describes.
    Witness(TestValues, Vec<Segment>),
}

impl Source {
    /// Does it say where objects lie?
    fn has_addresses(&self) -> bool {
        match self {
            Source::Values(stated) => stated.has_addresses(),
            Source::Test(test) | Source::Witness(test, _) => test.has_addresses(),
        }
    }

    /// What memory held that nobody had written.
    fn memory(&self) -> &[Spelled] {
        match self {
            Source::Values(stated) => &stated.memory,
            Source::Test(test) | Source::Witness(test, _) => &test.memory,
        }
    }
}

/// What a run on the inputs shows.
enum Shown {
    Failure(Box<Confirmed>, Option<Box<Story>>),
    /// How it ended instead.
    Other(String, Exit),
}

struct Finished<'a> {
    args: &'a ReplayArgs,
    task: &'a Task,
    compiled: &'a Compiled,
    inputs: &'a [InputRecord],
    shown: Shown,
    native: Option<Reproduction>,
    notes: Vec<String>,
    time: Duration,
}

pub fn replay(args: &ReplayArgs, cancel: &Cancel) -> Exit {
    let start = Instant::now();
    let values = match args.input.as_deref().map(input::read).transpose() {
        Ok(values) => values,
        Err(message) => {
            terminal::usage_error(&message);
            return Exit::Usage;
        }
    };
    let rejected = |message: &str, what: &str| {
        let line = format!("Result: rejected ({what})");
        Refusal { line: &line, message, exit: Exit::Rejected }.say("replay", args.json)
    };
    let request = match request::read(&args.front, args.property.as_deref()) {
        Ok(request) => request,
        Err(message) => return rejected(&message, "input"),
    };
    let deadline = guard::deadline_of(args.time);
    word::prepare_least();
    guard::arm(&Limits { deadline, ..Limits::default() });
    let budget = Budget { cancel: cancel.clone(), deadline, ..Budget::default() };
    let setup = front::setup(&request.front, &request.entry);
    let (setup, mut compiled) = match setup.and_then(|s| s.compile().map(|c| (s, c))) {
        Ok(both) => both,
        Err(why) => return front::reject(&why, "replay", args.json),
    };
    if let Some(name) = request.missing_function(&compiled) {
        return rejected(&TaskError::NoFunction(name).to_string(), "property");
    }
    let original = std::mem::replace(&mut compiled.program, cairn_ir::Program::new(request.model()));
    let options = request.front.options(args.signed_overflow.into());
    let mut task = match Task::new(original, request.property.clone(), options) {
        Ok(task) => task,
        Err(TaskError::NoEntry) => {
            return rejected(&format!("there is no function `{}` to start in", request.entry), "no entry");
        }
        Err(TaskError::Internal(what)) => {
            terminal::report(&format!("internal error: {what}\nResult: internal error\n"));
            return Exit::Internal;
        }
        Err(error @ TaskError::Parameter { .. }) => return rejected(&error.to_string(), "entry"),
        Err(error) => return rejected(&error.to_string(), "property"),
    };
    let mut notes = Vec::new();
    let source = match (values, &args.test, &args.witness) {
        (Some(values), ..) => Ok(Source::Values(values)),
        (_, Some(path), _) => test_case(path).map(Source::Test),
        (.., Some(path)) => from_witness(path, &setup, &request, &mut notes),
        _ => Ok(Source::Values(input::Stated::default())),
    };
    let source = match source {
        Ok(source) => source,
        Err(message) => return rejected(&message, "input"),
    };
    // A failure for which objects have to lie somewhere is one of the reading with addresses as inputs.
    if source.has_addresses()
        && !task.program.places_objects()
        && let Ok(looking) = task.looking_at_addresses()
    {
        task = looking;
    }
    let births = match spelled::births(&task.program, source.memory()) {
        Ok(births) => births,
        Err(message) => return rejected(&message, "input"),
    };
    let progress = Progress::start("replaying");
    let given = match &source {
        Source::Values(stated) => stated.values.iter().map(|v| v.given).collect(),
        Source::Test(test) | Source::Witness(test, _) => rerun::aligned(&task, test, &births, &budget),
    };
    let outcome = rerun::execute(&task, &given, &births, &budget);
    match &source {
        Source::Values(stated) => notes.extend(input::remarks(&stated.values, &outcome.inputs)),
        Source::Test(_) | Source::Witness(..) => {
            notes.extend(input::unused(given.len(), &outcome.inputs));
        }
    }
    if !births.is_empty() {
        notes.push("the compiled program may hold other values in uninitialised memory".to_owned());
    }
    let guessed = outcome.inputs.len().saturating_sub(given.len());
    if guessed > 0 {
        notes.push(format!("{guessed} more inputs were read than given; random values stand for them"));
    }
    let mut shown = judge(&task, &outcome, &births, &budget, args);
    let mut inputs = outcome.inputs;
    // A witness cannot state everything: where objects lie, what uninitialised memory holds.
    if let Source::Witness(_, segments) = &source
        && !matches!(shown, Shown::Failure(..) | Shown::Other(_, Exit::Limit))
        && let Ok(sources) = setup.sources()
    {
        progress.say("looking for an execution along the witness");
        let subject = Subject { setup: &setup, sources: &sources, compiled: &compiled, task: &task };
        let (judged, looking) = violation::judge(&subject, segments, &budget);
        if let Judged::Violated(confirmed, story) = judged {
            notes.clear();
            notes.push("the witness does not state every input; an execution along it was looked for".into());
            inputs = confirmed.inputs.clone();
            shown = Shown::Failure(confirmed, story);
            task = looking.unwrap_or(task);
        }
    }
    let native = match shown {
        _ if args.no_native => None,
        Shown::Other(_, Exit::Limit) => None,
        _ => {
            progress.say("compiling and running the program");
            Some(natively(&setup, &request, &task, &inputs))
        }
    };
    progress.hide();
    let finished = Finished {
        args,
        task: &task,
        compiled: &compiled,
        inputs: &inputs,
        shown,
        native,
        notes,
        time: start.elapsed(),
    };
    let exit = finished.exit();
    if args.json {
        terminal::output(&(finished.json() + "\n"));
    } else {
        terminal::say(&finished.text());
    }
    match &args.harness {
        Some(path) => {
            let text = harness::harness_c(&task.original, &task.property, &inputs);
            match std::fs::write(path, text) {
                Ok(()) => exit,
                Err(error) => {
                    terminal::usage_error(&format!("cannot write {}: {error}", path.display()));
                    Exit::Usage
                }
            }
        }
        None => exit,
    }
}

/// The values of a test case, or of the first one in a folder.
fn test_case(path: &Path) -> Result<TestValues, String> {
    let file = if path.is_dir() { first_test(path)? } else { path.to_owned() };
    let text = std::fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    testcase::read_all(&text).map_err(|e| format!("{}: {e}", file.display()))
}

fn first_test(folder: &Path) -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let tests = entries.flatten().map(|e| e.path()).filter(|p| {
        p.extension().is_some_and(|e| e == "xml") && p.file_name().is_none_or(|n| n != "metadata.xml")
    });
    tests.min().ok_or_else(|| format!("{}: there is no test case (.xml) in it", folder.display()))
}

/// The results of calls that a violation witness states.
fn from_witness(
    path: &Path,
    setup: &Setup,
    request: &Request,
    notes: &mut Vec<String>,
) -> Result<Source, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    let about = |e: WitnessError| format!("{name}: {e}");
    let witness = cairn_witness::read(&text).map_err(about)?;
    let files = setup.files();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let now = time::OffsetDateTime::now_utc();
    let version = env!("CARGO_PKG_VERSION");
    let info = TaskInfo::new(&files, &request.property, &request.entry, request.model(), now, version);
    notes.extend(witness.task.belongs_to(&info.map_err(about)?).map_err(about)?);
    match &witness.claim {
        Claim::Violation(segments) => {
            Ok(Source::Witness(TestValues::of(&follow::inputs(segments)), segments.clone()))
        }
        Claim::Correctness(_) => Err(format!("{name}: a correctness witness has no failure to replay")),
    }
}

fn judge(task: &Task, outcome: &Outcome, births: &[Birth], budget: &Budget, args: &ReplayArgs) -> Shown {
    if let End::Limit(limit, _) = &outcome.end {
        return Shown::Other(format!("limit reached ({})", limit_name(*limit)), Exit::Limit);
    }
    let values: Vec<Given> = outcome.inputs.iter().map(|i| Given::Bits(i.bits)).collect();
    match rerun::violates(task, &values, births, budget) {
        Ok((trace, confirmed)) => {
            let wanted = args.json || args.trace != TraceDetail::None;
            let story = wanted.then(|| tell(task, &trace, &confirmed, budget)).flatten();
            Shown::Failure(Box::new(confirmed), story.map(Box::new))
        }
        Err(how) => match &outcome.end {
            End::Undefined(_) => Shown::Other(format!("not reproduced ({how})"), Exit::Undefined),
            _ if budget.exceeded().is_some() => Shown::Other("limit reached (time)".to_owned(), Exit::Limit),
            _ => Shown::Other(format!("not reproduced ({how})"), Exit::Normal),
        },
    }
}

fn natively(setup: &Setup, request: &Request, task: &Task, inputs: &[InputRecord]) -> Reproduction {
    let not_tried =
        |why: &str| Reproduction { result: Reproduced::NotTried(why.to_owned()), commands: vec![] };
    let Some(cpp) = setup.cpp() else {
        return not_tried("the files have different options in the compilation database");
    };
    let harness = harness::harness_c(&task.original, &task.property, inputs);
    reproduce(&setup.files(), &cpp, &harness, &task.property, &request.entry, NATIVE)
}

impl Finished<'_> {
    fn exit(&self) -> Exit {
        match &self.shown {
            Shown::Failure(..) => Exit::Error,
            Shown::Other(_, exit) => *exit,
        }
    }

    fn result_line(&self) -> (Style, String) {
        match &self.shown {
            Shown::Failure(confirmed, _) => {
                let at = render::position(&self.compiled.map, confirmed.report.place);
                let too = match self.native.as_ref().map(|n| &n.result) {
                    Some(Reproduced::Yes(_)) => "; the compiled program fails, too",
                    Some(Reproduced::No(_)) => "; the compiled program does not fail",
                    Some(Reproduced::NotTried(_)) | None => "",
                };
                (BAD, format!("reproduced ({} at {at}{too})", self.task.property.name()))
            }
            Shown::Other(line, Exit::Normal) => (GOOD, line.clone()),
            Shown::Other(line, _) => (UNSURE, line.clone()),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if !self.args.quiet {
            self.failure(&mut text);
            self.natively(&mut text);
            for note in self.task.notes.iter().chain(&self.notes) {
                let _ = writeln!(text, "{UNSURE}Note:{UNSURE:#} {note}");
            }
            let (model, property) = (self.task.program.model, self.task.property.name());
            let time = self.time.as_secs_f64();
            let _ = writeln!(text, "{DIM}Data model {model}, property {property}; {time:.3} s{DIM:#}");
        }
        let (style, line) = self.result_line();
        let _ = writeln!(text, "{BOLD}Result:{BOLD:#} {style}{line}{style:#}");
        text
    }

    fn failure(&self, text: &mut String) {
        let Shown::Failure(confirmed, story) = &self.shown else { return };
        let map = &self.compiled.map;
        match story {
            Some(story) => {
                let detail = trace::detail(self.args.trace);
                text.push_str(&trace::render(story, &self.task.program, map, detail, terminal::width()));
            }
            None => {
                let (message, place) = (&confirmed.report.message, confirmed.report.place);
                let colour = terminal::colour();
                text.push_str(&render::render_places(map, Kind::Error, message, &[(place, "")], colour));
            }
        }
    }

    fn natively(&self, text: &mut String) {
        let Some(native) = &self.native else { return };
        let (style, what, how) = match &native.result {
            Reproduced::Yes(how) => (BAD, "fails the same way", how),
            Reproduced::No(how) => (UNSURE, "does not show it", how),
            Reproduced::NotTried(how) => (UNSURE, "was not tried", how),
        };
        let _ = writeln!(text, "{BOLD}The compiled program{BOLD:#} {style}{what}{style:#}: {how}");
        for command in &native.commands {
            let _ = writeln!(text, "  {command}");
        }
        if !native.commands.is_empty() && self.args.harness.is_none() {
            let _ = writeln!(text, "  {DIM}(--harness harness.c writes the harness){DIM:#}");
        }
    }

    fn json(&self) -> String {
        let (_, result) = self.result_line();
        let exit = self.exit();
        let (map, model) = (&self.compiled.map, self.task.program.model);
        let (confirmed, story) = match &self.shown {
            Shown::Failure(confirmed, story) => (Some(confirmed), story.as_deref()),
            Shown::Other(..) => (None, None),
        };
        let json = Json {
            cairn: env!("CARGO_PKG_VERSION"),
            command: "replay",
            status: match exit {
                Exit::Error => "reproduced",
                Exit::Undefined => "undefined",
                Exit::Limit => "limit",
                _ => "not-reproduced",
            },
            result,
            exit_code: exit as u8,
            property: self.task.property.name(),
            data_model: model.to_string(),
            message: confirmed.map(|c| story.map_or(&c.report.message, |s| &s.report.message).as_str()),
            place: confirmed
                .filter(|c| !c.report.place.is_none())
                .map(|c| JsonPlace::new(map, c.report.place)),
            inputs: json_inputs(self.inputs, model, map),
            trace: story.map(|s| trace::json(s, &self.task.program, map)),
            native: self.native.as_ref().map(|n| {
                let (result, detail) = match &n.result {
                    Reproduced::Yes(how) => ("fails", how),
                    Reproduced::No(how) => ("behaves", how),
                    Reproduced::NotTried(how) => ("not-tried", how),
                };
                JsonNative { result, detail, commands: &n.commands }
            }),
            notes: self.task.notes.iter().chain(&self.notes).map(String::as_str).collect(),
            seconds: self.time.as_secs_f64(),
        };
        // Plain structs of text and numbers always serialise.
        serde_json::to_string_pretty(&json).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    status: &'static str,
    result: String,
    exit_code: u8,
    property: &'a str,
    data_model: String,
    message: Option<&'a str>,
    place: Option<JsonPlace<'a>>,
    inputs: Vec<JsonInput<'a>>,
    trace: Option<JsonTrace<'a>>,
    native: Option<JsonNative<'a>>,
    notes: Vec<&'a str>,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonNative<'a> {
    result: &'static str,
    detail: &'a str,
    commands: &'a [String],
}
