//! The command lines of `test` and `reach`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::{FrontArgs, Overflow, seconds};
use crate::exit::TABLE;

const TEST_EXAMPLES: &str = "\
Examples:
  cairn test prog.c                        a suite for all branches, in the folder test-suite
  cairn test prog.c --cover conditions --suite tests --html coverage.html --lcov coverage.info
  cairn test prog.c --property coverage-branches.prp --time 900
  cairn test prog.c --run tests            compile with gcc --coverage, run the suite, ask gcov

Tests are written as soon as they are found; in the end those that add nothing are removed.";

#[derive(Args, Debug)]
#[command(after_help = TEST_EXAMPLES, after_long_help = format!("{TEST_EXAMPLES}\n\n{TABLE}"))]
pub struct TestArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// What to cover: branches, statements, conditions, or error [default: branches]
    #[arg(long, value_name = "CRITERION", conflicts_with = "property")]
    pub cover: Option<String>,

    /// What to cover, as a property file of Test-Comp, or by name (coverage-branches, …)
    #[arg(long, visible_alias = "spec", value_name = "FILE|NAME")]
    pub property: Option<String>,

    /// Write the test suite to DIR
    #[arg(long, value_name = "DIR", default_value = "test-suite")]
    pub suite: PathBuf,

    /// Run the test suite in DIR (whoever made it) natively instead, and measure its coverage
    #[arg(long, value_name = "DIR", conflicts_with_all = ["cover", "property", "suite", "keep_all", "html", "lcov"])]
    pub run: Option<PathBuf>,

    /// With --run: end a test after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "10", requires = "run")]
    pub test_time: Duration,

    /// Keep tests that add nothing to the others
    #[arg(long)]
    pub keep_all: bool,

    /// Write the coverage as a tracefile of LCOV to FILE
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,

    /// Write the coverage as a page with the annotated source to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub search: SearchArgs,
}

/// How to search, and how to say what was found.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// What signed overflow means: wrap-around, or the (silent) end of the execution
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = Overflow::Wrap)]
    pub signed_overflow: Overflow,

    /// End the search after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    pub time: Duration,

    /// End the search when this much main memory is used, in megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: Option<u64>,

    /// Write the result to standard output as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print only the result line
    #[arg(long, short)]
    pub quiet: bool,
}

const REACH_EXAMPLES: &str = "\
Examples:
  cairn reach prog.c                       each basic block: inputs that lead there, or dead code
  cairn reach prog.c --target 42 --target util.c:7 --target label:ERROR --target func:panic
  cairn reach prog.c --target asserts --suite tests --json";

#[derive(Args, Debug)]
#[command(after_help = REACH_EXAMPLES, after_long_help = format!("{REACH_EXAMPLES}\n\n{TABLE}"))]
pub struct ReachArgs {
    #[command(flatten)]
    pub front: FrontArgs,

    /// What to reach: LINE, FILE:LINE, label:NAME, func:NAME, asserts, blocks or branches; may be
    /// given several times [default: blocks]
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<cairn_coverage::Asked>,

    /// Write the inputs that lead to the targets as a test suite to DIR
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,

    #[command(flatten)]
    pub search: SearchArgs,
}
