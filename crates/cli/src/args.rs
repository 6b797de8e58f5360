//! The command line.
//!
//! Options that C compilers spell with one dash (`-std=…`, `-include`,
//! `-isystem`, `-m32`) are accepted in that spelling: [`normalise`] rewrites
//! them before clap reads the line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use cairn_base::DataModel;
use cairn_cfront::Externals;
use cairn_core::Arguments;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::bench::BenchArgs;
use crate::cover::{ReachArgs, TestArgs};
use crate::exit::TABLE;

#[derive(Parser, Debug)]
#[command(
    name = "cairn",
    version,
    about = "Cairn, a software model checker for C",
    after_help = TABLE,
    arg_required_else_help = true,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Execute a C program with exact machine semantics
    Run(RunArgs),
    /// Decide a property of a C program: TRUE, FALSE or UNKNOWN, with evidence
    Check(CheckArgs),
    /// Repeat a failure from its inputs, a test case or a witness, with and without Cairn's executor
    Replay(ReplayArgs),
    /// Check a verification witness, ours or another tool's
    Validate(ValidateArgs),
    /// Generate a test suite that covers a C program, or run one (--run)
    Test(TestArgs),
    /// Find out which places of a C program can be reached: inputs for each, or a proof
    Reach(ReachArgs),
    /// Show the control-flow automata of a C program
    Cfg(CfgArgs),
    /// Run sets of tasks with several configurations and tools, and compare them
    Bench(BenchArgs),
}

const RUN_EXAMPLES: &str = "\
Examples:
  cairn run prog.c                         random inputs from seed 0
  cairn run prog.c --input 3,-1,0x7f       values for __VERIFIER_nondet_*()
  cairn run a.c b.c -I include -- x y      two units, program arguments x and y
  cairn run prog.c --32 --check-leaks      32-bit data model, report leaks
  cairn run prog.c --function f --json     start in f, machine-readable result";

const CHECK_EXAMPLES: &str = "\
Examples:
  cairn check prog.c                       can reach_error be called, or an assert fail?
  cairn check prog.c --property no-overflow --32
  cairn check prog.c --property call:panic --function start
  cairn check task.yml --property unreach-call.prp --cpu-time 900
  cairn check prog.c --engine bmc --unwind 10 --json
  cairn check prog.c --witness w.yml --sarif log.sarif --test suite --harness h.c
  cairn check prog.c --engine gps --explain search.html";

const REPLAY_EXAMPLES: &str = "\
Examples:
  cairn replay prog.c --input 7,-1         do these inputs lead to the error?
  cairn replay prog.c --test suite         the same for a test case of Test-Comp
  cairn replay prog.c --witness w.yml --no-native";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  cairn validate prog.c --witness w.yml    format 2.0 (YAML) or 1.0 (GraphML violations)
  cairn validate task.yml --witness w.yml --property unreach-call.prp --time 90

TRUE: the invariants hold and so does the property. FALSE: a violation follows the witness.
A witness that is wrong is rejected (exit code 5); one that is malformed or about another program
is, too (exit code 2).";

const CFG_EXAMPLES: &str = "\
Examples:
  cairn cfg prog.c                         DOT of all functions to standard output
  cairn cfg prog.c --function f --svg f.svg
  cairn cfg prog.c --text                  the intermediate representation as text";

#[derive(Args, Debug)]
#[command(after_help = RUN_EXAMPLES, after_long_help = format!("{RUN_EXAMPLES}\n\n{TABLE}"))]
pub struct RunArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// Values for the inputs: a comma-separated list, or a file with one value per line
    ///
    /// Values are decimal, hexadecimal, negative, floating (1.5, nan, inf) or characters ('a'), and
    /// are used in the order of the calls. `name=value` says which input function is expected to
    /// read the value (`int=5` is short for `__VERIFIER_nondet_int=5`); another reader is reported.
    /// In a file, `#` starts a comment. Inputs beyond the given values are drawn from the seed.
    #[arg(long, value_name = "VALUES|FILE", allow_hyphen_values = true)]
    pub input: Option<String>,

    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// End the run after this many steps (10000, 5M, 2e9)
    #[arg(long, value_name = "N", value_parser = count)]
    pub max_steps: Option<u64>,

    /// End the run after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<Duration>,

    /// Memory the program may hold at once, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub memory: u64,

    /// What signed overflow means
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = Overflow::Wrap)]
    pub signed_overflow: Overflow,

    /// Report memory that is still allocated when the program ends
    #[arg(long)]
    pub check_leaks: bool,

    /// How to execute: the interpreter, native code, or native code for what runs often
    #[arg(long, value_enum, value_name = "TIER", default_value_t = Tier::Auto)]
    pub tier: Tier,

    /// Write the result to standard output as one JSON object; the program's output is part of it
    #[arg(long)]
    pub json: bool,

    /// Print only the result line
    #[arg(long, short)]
    pub quiet: bool,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{TABLE}"))]
pub struct CheckArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// What must hold: a property file, or unreach-call, no-overflow, no-div-by-zero, assert,
    /// call:FUNCTION, label:LABEL [default: unreach-call]
    #[arg(long, visible_alias = "spec", value_name = "FILE|NAME")]
    pub property: Option<String>,

    /// The engine, a race of engines (`race:bmc,kinduction`: two threads, the first checked answer
    /// counts), or a strategy that runs several
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine)]
    pub engine: String,

    /// Follow loops for N turns and no farther
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub unwind: Option<u32>,

    /// What signed overflow means: wrap-around, or the (silent) end of the execution
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = Overflow::Wrap)]
    pub signed_overflow: Overflow,

    /// Give up after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "900")]
    pub time: Duration,

    /// Give up after this many seconds of CPU time
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub cpu_time: Option<Duration>,

    /// Give up when this much main memory is used, in megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: Option<u64>,

    /// How much of the way to an error is shown
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t = TraceDetail::Short)]
    pub trace: TraceDetail,

    #[command(flatten)]
    pub evidence: EvidenceArgs,

    /// Write the result to standard output as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print only the verdict
    #[arg(long, short)]
    pub quiet: bool,
}

/// Files that back a verdict.
#[derive(Args, Debug)]
pub struct EvidenceArgs {
    /// Write the verdict as SARIF to FILE (`-` for standard output; the report then goes to
    /// standard error)
    #[arg(long, value_name = "FILE", display_order = 50)]
    pub sarif: Option<PathBuf>,

    /// Write a verification witness of format 2.0 (YAML) to FILE
    #[arg(long, value_name = "FILE", display_order = 50)]
    pub witness: Option<PathBuf>,

    /// Write a violation witness of format 1.0 (GraphML) to FILE
    #[arg(long, value_name = "FILE", display_order = 50)]
    pub graphml: Option<PathBuf>,

    /// Write the failing inputs as a test suite in the format of Test-Comp to DIR
    #[arg(long, value_name = "DIR", display_order = 50)]
    pub test: Option<PathBuf>,

    /// Write a C file to FILE that drives the program into the failure
    #[arg(long, value_name = "FILE", display_order = 50)]
    pub harness: Option<PathBuf>,

    /// Draw how summary-guided search came to its verdict: the tree of paths with its labels, covers,
    /// tests and dead ends, as a page (FILE.html) or a picture (FILE.svg)
    #[arg(long, value_name = "FILE", display_order = 50)]
    pub explain: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = REPLAY_EXAMPLES, after_long_help = format!("{REPLAY_EXAMPLES}\n\n{TABLE}"))]
pub struct ReplayArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// What is violated: as for check [default: unreach-call]
    #[arg(long, visible_alias = "spec", value_name = "FILE|NAME")]
    pub property: Option<String>,

    /// Values for the inputs, as for run
    #[arg(long, value_name = "VALUES|FILE", allow_hyphen_values = true, group = "source")]
    pub input: Option<String>,

    /// A test case (.xml) of Test-Comp, or a folder with one
    #[arg(long, value_name = "FILE|DIR", group = "source")]
    pub test: Option<PathBuf>,

    /// A violation witness that says what the inputs are
    #[arg(long, value_name = "FILE", group = "source")]
    pub witness: Option<PathBuf>,

    /// Do not compile and run the program
    #[arg(long)]
    pub no_native: bool,

    /// Write the C file that is compiled together with the program to FILE
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// What signed overflow means: wrap-around, or the (silent) end of the execution
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = Overflow::Wrap)]
    pub signed_overflow: Overflow,

    /// Give up after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "900")]
    pub time: Duration,

    /// How much of the way to the error is shown
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t = TraceDetail::Short)]
    pub trace: TraceDetail,

    /// Write the result to standard output as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print only the result line
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
#[command(after_help = VALIDATE_EXAMPLES, after_long_help = format!("{VALIDATE_EXAMPLES}\n\n{TABLE}"))]
pub struct ValidateArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// The witness
    #[arg(long, value_name = "FILE")]
    pub witness: PathBuf,

    /// What must hold: as for check [default: what the witness says]
    #[arg(long, visible_alias = "spec", value_name = "FILE|NAME")]
    pub property: Option<String>,

    /// What signed overflow means: wrap-around, or the (silent) end of the execution
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = Overflow::Wrap)]
    pub signed_overflow: Overflow,

    /// Give up after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "900")]
    pub time: Duration,

    /// Give up when this much main memory is used, in megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: Option<u64>,

    /// Write the result to standard output as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print only the verdict
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
#[command(after_help = CFG_EXAMPLES, after_long_help = format!("{CFG_EXAMPLES}\n\n{TABLE}"))]
pub struct CfgArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// Write DOT to FILE (`-` for standard output; the default)
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// Write an SVG picture to FILE (`-` for standard output)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Print the intermediate representation as text
    #[arg(long)]
    pub text: bool,

    /// Print what the program uses: loops, recursion, floats, pointers, …
    #[arg(long)]
    pub features: bool,

    /// Keep the automaton as lowering made it
    #[arg(long)]
    pub no_simplify: bool,
}

/// What all commands read: files and how to preprocess them.
#[derive(Args, Clone, Debug)]
pub struct FrontArgs {
    /// C files (.c, or preprocessed .i); several are linked into one program
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The function to start in, or to show (cfg). Where a verdict is asked for, its parameters, if
    /// they are numbers, are inputs
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// What functions without body and model may do: anything they can reach, or nothing but return
    /// some value [default: any; pure where a task file or a property file is given; run and cfg leave
    /// them without a body]
    #[arg(long = "extern", value_enum, value_name = "WHAT", display_order = 99)]
    pub externals: Option<Extern>,

    /// What the program is called with, where a verdict is asked for and it looks at its arguments: at
    /// most N arguments of at most LEN characters [default: 2:8]
    #[arg(long = "args", value_name = "N:LEN", value_parser = arguments, display_order = 99)]
    pub arguments: Option<Arguments>,

    /// The 32-bit data model (ILP32)
    #[arg(long = "32", group = "model", display_order = 100)]
    pub ilp32: bool,

    /// The 64-bit data model (LP64)
    #[arg(long = "64", group = "model", display_order = 100)]
    pub lp64: bool,

    /// The data model by name
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL", group = "model", display_order = 100)]
    pub data_model: Option<Model>,

    /// Search DIR for included files
    #[arg(short = 'I', value_name = "DIR", display_order = 101)]
    pub include_dirs: Vec<PathBuf>,

    /// Search DIR for included files after the -I directories, as system headers [also: -isystem]
    #[arg(long, value_name = "DIR", display_order = 101)]
    pub isystem: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", display_order = 101)]
    pub define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", display_order = 101)]
    pub undefine: Vec<String>,

    /// Include FILE before each unit [also: -include]
    #[arg(long, value_name = "FILE", display_order = 101)]
    pub include: Vec<PathBuf>,

    /// The language standard handed to the preprocessor [also: -std=…]
    #[arg(long, value_name = "STD", display_order = 101)]
    pub std: Option<String>,

    /// Take preprocessor options (and, if no FILE is given, the files) from a compilation database
    #[arg(long, value_name = "FILE", display_order = 101)]
    pub compile_commands: Option<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub enum Overflow {
    /// Two's complement wrap-around
    Wrap,
    /// Undefined behaviour, reported
    Undefined,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub enum Extern {
    /// Any result, any change to memory that can be reached
    Any,
    /// Any result, no effect (the convention of SV-COMP)
    Pure,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub enum TraceDetail {
    /// The lines that matter most
    Short,
    /// All that was kept of the execution
    Full,
    /// The place of the error only
    None,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub enum Tier {
    Auto,
    Interp,
    Native,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub enum Model {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

impl From<Overflow> for cairn_sem::SignedOverflow {
    fn from(o: Overflow) -> Self {
        match o {
            Overflow::Wrap => cairn_sem::SignedOverflow::Wrap,
            Overflow::Undefined => cairn_sem::SignedOverflow::Undefined,
        }
    }
}

/// `2:8`.
fn arguments(text: &str) -> Result<Arguments, String> {
    let bad = || format!("`{text}` is not N:LEN, as in 2:8");
    let (count, length) = text.split_once(':').ok_or_else(bad)?;
    let count: u32 = count.parse().map_err(|_| bad())?;
    let length: u32 = length.parse().map_err(|_| bad())?;
    if count > 64 || length > 4096 {
        return Err("at most 64 arguments of 4096 characters can be considered".to_owned());
    }
    Ok(Arguments { count, length })
}

impl FrontArgs {
    /// How functions from outside are read.
    pub fn externals(&self) -> Externals {
        match self.externals {
            Some(Extern::Pure) => Externals::Pure,
            Some(Extern::Any) | None => Externals::Any,
        }
    }

    /// How the program is read by those who decide.
    pub fn options(&self, signed_overflow: cairn_sem::SignedOverflow) -> cairn_core::Options {
        cairn_core::Options {
            signed_overflow,
            arguments: self.arguments.unwrap_or_default(),
            ..Default::default()
        }
    }

    /// Where nothing is said about functions from outside, they have no effect.
    pub fn else_pure(&mut self) {
        self.externals.get_or_insert(Extern::Pure);
    }

    /// The data model asked for, or the host's.
    pub fn model(&self) -> DataModel {
        match self.data_model {
            Some(Model::Ilp32) => DataModel::Ilp32,
            Some(Model::Lp64) => DataModel::Lp64,
            None if self.ilp32 => DataModel::Ilp32,
            None if self.lp64 => DataModel::Lp64,
            None => DataModel::HOST,
        }
    }
}

/// Rewrites the one-dash spellings of C compilers into what clap reads.
pub fn normalise(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut own = true;
    args.into_iter()
        .map(|arg| {
            let Some(text) = arg.to_str().filter(|_| own) else { return arg };
            match text {
                "--" => own = false,
                "-include" | "-isystem" => return format!("-{text}").into(),
                "-m32" => return "--32".into(),
                "-m64" => return "--64".into(),
                _ if text.starts_with("-std=") || text.starts_with("-isystem=") => {
                    return format!("-{text}").into();
                }
                _ => {}
            }
            arg
        })
        .collect()
}

/// A number of steps: digits with `_` between them, a suffix k, M, G, T, or `2e9`.
fn count(text: &str) -> Result<u64, String> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let bad = || format!("`{text}` is not a number of steps (try 1000000, 1M or 1e6)");
    let (mantissa, power) = match digits.char_indices().last() {
        Some((at, 'k' | 'K')) => (&digits[..at], 3),
        Some((at, 'M')) => (&digits[..at], 6),
        Some((at, 'G')) => (&digits[..at], 9),
        Some((at, 'T')) => (&digits[..at], 12),
        _ => match digits.split_once('e') {
            Some((m, e)) => (m, e.parse::<u32>().map_err(|_| bad())?),
            None => (digits.as_str(), 0),
        },
    };
    let scale = 10u64.checked_pow(power).ok_or_else(bad)?;
    mantissa.parse::<u64>().ok().and_then(|m| m.checked_mul(scale)).ok_or_else(bad)
}

/// The name of an engine, a race or a strategy.
fn engine(text: &str) -> Result<String, String> {
    cairn_portfolio::strategy::named(text).map(|_| text.to_owned())
}

/// A time span in seconds, fractions allowed.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>().ok();
    number
        .filter(|s| *s > 0.0 && *s <= 1e9)
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| format!("`{text}` is not a time in seconds (more than 0, at most 1e9)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(normalise(line.split(' ').map(OsString::from)))
    }

    fn run(line: &str) -> RunArgs {
        match parse(line).expect(line).command {
            Command::Run(run) => run,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn compiler_spellings() {
        let args = run(
            "cairn run a.c -std=gnu99 -include x.h -isystem sys -DA=1 -D B -UC -Iinc -m32 -- -include -5",
        );
        assert_eq!(args.front.std.as_deref(), Some("gnu99"));
        assert_eq!(args.front.include, [PathBuf::from("x.h")]);
        assert_eq!(args.front.isystem, [PathBuf::from("sys")]);
        assert_eq!(args.front.define, ["A=1", "B"]);
        assert_eq!(args.front.undefine, ["C"]);
        assert_eq!(args.front.include_dirs, [PathBuf::from("inc")]);
        assert_eq!(args.front.model(), DataModel::Ilp32);
        assert_eq!(args.args, ["-include", "-5"]);
    }

    #[test]
    fn negative_inputs_and_models() {
        assert_eq!(run("cairn run a.c --input -5,3").input.as_deref(), Some("-5,3"));
        assert_eq!(run("cairn run a.c --data-model ilp32").front.model(), DataModel::Ilp32);
        assert_eq!(run("cairn run a.c").front.model(), DataModel::HOST);
        assert!(parse("cairn run a.c --32 --64").is_err());
        assert!(parse("cairn run").is_err());
        assert!(parse("cairn run a.c --no-such-option").is_err());
    }

    #[test]
    fn numbers() {
        assert_eq!(count("1_000"), Ok(1000));
        assert_eq!(count("5M"), Ok(5_000_000));
        assert_eq!(count("2e9"), Ok(2_000_000_000));
        for bad in ["", "-1", "1.5", "e9", "99999999999999999999", "1e30", "M"] {
            assert!(count(bad).is_err(), "{bad}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["", "-1", "0", "nan", "inf", "1e300", "x"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
