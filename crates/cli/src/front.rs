//! From the command line to a compiled program, or to a report of why there is none.

use std::path::PathBuf;

use cairn_base::{Diagnostic, Kind};
use cairn_cfront::{Compiled, Externals, Input, Options, Rejected, compile};
use cairn_csyntax::compile_db::CompileDb;
use cairn_csyntax::preprocess::CppOptions;
use cairn_csyntax::{SourceMap, render};
use cairn_witness::{Sources, WitnessError};
use serde::Serialize;

use crate::args::FrontArgs;
use crate::exit::Exit;
use crate::report::JsonPlace;
use crate::terminal;

/// Diagnostics shown in full.
const SHOWN: usize = 20;

/// What there is to compile, and how.
pub struct Setup {
    pub inputs: Vec<Input>,
    pub options: Options,
    pub db: Option<CompileDb>,
}

impl Setup {
    pub fn compile(&self) -> Result<Compiled, Rejected> {
        compile(&self.inputs, &self.options, self.db.as_ref())
    }

    /// The text and syntax that evidence speaks of.
    pub fn sources(&self) -> Result<Sources, WitnessError> {
        Sources::load(&self.inputs, &self.options, self.db.as_ref())
    }

    pub fn files(&self) -> Vec<PathBuf> {
        let file = |i: &Input| match i {
            Input::File(path) => path.clone(),
            Input::Text { name, .. } => PathBuf::from(name),
        };
        self.inputs.iter().map(file).collect()
    }

    /// The preprocessor's options for the files, if they have the same.
    pub fn cpp(&self) -> Option<CppOptions> {
        let Some(db) = &self.db else { return Some(self.options.cpp.clone()) };
        let [only] = &self.files()[..] else { return None };
        Some(db.lookup(only).map_or_else(|| self.options.cpp.clone(), |e| e.options(&self.options.cpp)))
    }
}

/// What the arguments name, with `entry` as the function to start in.
pub fn setup(args: &FrontArgs, entry: &str) -> Result<Setup, Rejected> {
    let global =
        |diagnostic| Rejected { map: Box::default(), diagnostics: vec![diagnostic], internal: false };
    let db = match &args.compile_commands {
        Some(path) => Some(CompileDb::load(path).map_err(global)?),
        None => None,
    };
    let mut files = args.files.clone();
    if let (true, Some(db)) = (files.is_empty(), &db) {
        files = db.files().map(std::path::Path::to_owned).collect();
    }
    let inputs: Vec<Input> = files.into_iter().map(Input::File).collect();
    if inputs.is_empty() {
        return Err(global(Diagnostic::global("the compilation database lists no C file")));
    }
    Ok(Setup {
        inputs,
        options: Options {
            cpp: cpp(args),
            entry: entry.to_owned(),
            keep_decisions: false,
            externals: args.externals(),
        },
        db,
    })
}

/// Compiles what the arguments name, to be run or shown: what is outside stays open unless the
/// arguments say otherwise.
pub fn program(args: &FrontArgs, entry: &str) -> Result<Compiled, Rejected> {
    let mut setup = setup(args, entry)?;
    if args.externals.is_none() {
        setup.options.externals = Externals::Open;
    }
    setup.compile()
}

/// The preprocessor's options in its own spelling.
fn cpp(args: &FrontArgs) -> CppOptions {
    let mut flags = Vec::new();
    let mut add = |flag: &str, value: String| flags.extend([flag.to_owned(), value]);
    args.include_dirs.iter().for_each(|dir| add("-I", dir.display().to_string()));
    args.isystem.iter().for_each(|dir| add("-isystem", dir.display().to_string()));
    args.define.iter().for_each(|name| add("-D", name.clone()));
    args.undefine.iter().for_each(|name| add("-U", name.clone()));
    args.include.iter().for_each(|file| add("-include", file.display().to_string()));
    let plain = CppOptions::default();
    CppOptions { flags, std: args.std.clone().unwrap_or(plain.std), model: args.model(), directory: None }
}

/// Prints warnings.
pub fn warn(map: &SourceMap, warnings: &[Diagnostic]) {
    for warning in warnings.iter().take(SHOWN) {
        terminal::report(&render::render(map, warning, terminal::colour()));
    }
    if warnings.len() > SHOWN {
        terminal::report(&format!("… {} more warnings\n", warnings.len() - SHOWN));
    }
}

/// Says why the input is rejected.
pub fn reject(rejected: &Rejected, command: &'static str, json: bool) -> Exit {
    refused(rejected, command, &format!("Result: {}", result_line(rejected)), json)
}

/// Says why `check` cannot read the input. What is unsupported is unknown, not wrong.
pub fn reject_check(rejected: &Rejected, command: &'static str, json: bool) -> Exit {
    let unsupported = rejected.diagnostics.iter().all(|d| d.kind == Kind::Unsupported);
    let line = match (rejected.internal, unsupported) {
        (true, _) => "Verdict: UNKNOWN (internal error)",
        (_, true) => "Verdict: UNKNOWN (unsupported)",
        _ => "Verdict: ERROR (input)",
    };
    refused(rejected, command, line, json)
}

/// Diagnostics, then the line that says what became of the command.
fn refused(rejected: &Rejected, command: &'static str, line: &str, json: bool) -> Exit {
    let exit = if rejected.internal { Exit::Internal } else { Exit::Rejected };
    if json {
        terminal::output(&to_json(rejected, command, line, exit));
        return exit;
    }
    for diagnostic in rejected.diagnostics.iter().take(SHOWN) {
        terminal::report(&render::render(&rejected.map, diagnostic, terminal::colour()));
    }
    let result = format!("Result: {}\n", result_line(rejected));
    terminal::report(&result);
    if line.starts_with("Verdict: ") {
        terminal::output(&format!("{line}\n"));
    }
    exit
}

/// Why a command ends before there is anything to decide or to run.
pub struct Refusal<'a> {
    /// `Verdict: …` or `Result: …`.
    pub line: &'a str,
    pub message: &'a str,
    pub exit: Exit,
}

impl Refusal<'_> {
    pub fn say(&self, command: &'static str, json: bool) -> Exit {
        if json {
            terminal::output(&serialised(&Json::new(command, self.line, self.exit, self.message)));
        } else {
            terminal::usage_error(self.message);
            terminal::output(&format!("{}\n", self.line));
        }
        self.exit
    }
}

fn result_line(rejected: &Rejected) -> String {
    let count = rejected.diagnostics.len();
    let unsupported = rejected.diagnostics.iter().all(|d| d.kind == Kind::Unsupported);
    match (rejected.internal, unsupported, count) {
        (true, ..) => "internal error (a fault of Cairn; please report it with the input)".to_owned(),
        (_, true, 1) => "rejected (unsupported)".to_owned(),
        (_, true, n) => format!("rejected ({n} unsupported constructs)"),
        (_, _, 1) => "rejected (1 error)".to_owned(),
        (_, _, n) => format!("rejected ({n} errors)"),
    }
}

#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    /// `rejected`, `unknown` or `internal`.
    status: &'static str,
    /// `ERROR` or `UNKNOWN`, of commands that have a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a str>,
    result: &'a str,
    exit_code: u8,
    message: &'a str,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

impl<'a> Json<'a> {
    fn new(command: &'static str, line: &'a str, exit: Exit, message: &'a str) -> Json<'a> {
        let (kind, result) = line.split_once(": ").unwrap_or_default();
        let word = result.split(' ').next();
        Json {
            cairn: env!("CARGO_PKG_VERSION"),
            command,
            status: match exit {
                Exit::Internal => "internal",
                Exit::Limit => "unknown",
                _ => "rejected",
            },
            verdict: word.filter(|_| kind == "Verdict"),
            result,
            exit_code: exit as u8,
            message,
            diagnostics: Vec::new(),
        }
    }
}

fn serialised(json: &Json<'_>) -> String {
    // Plain structs of text and numbers always serialise.
    serde_json::to_string_pretty(json).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    kind: &'static str,
    message: &'a str,
    place: Option<JsonPlace<'a>>,
}

fn to_json(rejected: &Rejected, command: &'static str, line: &str, exit: Exit) -> String {
    let diagnostics = rejected.diagnostics.iter().map(|d| JsonDiagnostic {
        kind: match d.kind {
            Kind::Error => "error",
            Kind::Unsupported => "unsupported",
            Kind::Warning => "warning",
        },
        message: &d.message,
        place: d
            .span
            .map(|span| rejected.map.resolve(span))
            .filter(|place| !place.is_none())
            .map(|place| JsonPlace::new(&rejected.map, place)),
    });
    let message = rejected.diagnostics.first().map_or("", |d| d.message.as_str());
    serialised(&Json { diagnostics: diagnostics.collect(), ..Json::new(command, line, exit, message) })
}
