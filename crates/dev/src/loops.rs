//! Random small programs with loops, whose inputs have so few values that all
//! executions can be run: what engines say of them is compared with that.
//!
//! A program is made three times from the same seed. First every execution is
//! run to see between which values an expression ends up; from these an
//! assertion is made that just holds or just fails. Then every execution is run
//! with the assertion. Then the engines get the program as users would write it,
//! with inputs that are restricted to their few values.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use oorandom::Rand64;

use crate::cairn::Cairn;
use crate::process::{Status, run};

/// Turns of loops of one execution.
const FUEL: u32 = 5000;
/// Executions of a program.
const EXECUTIONS: u32 = 4000;
/// The run of all executions takes no longer.
const RUN_TIME_LIMIT: Duration = Duration::from_secs(60);

const TYPES: [(&str, &str, i64, i64); 5] = [
    ("int", "int", i32::MIN as i64, i32::MAX as i64),
    ("unsigned", "uint", 0, u32::MAX as i64),
    ("signed char", "char", -128, 127),
    ("unsigned char", "uchar", 0, 255),
    ("short", "short", -32768, 32767),
];

/// What is known of a program from running it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// All executions end without a failure.
    Safe,
    Unsafe,
    /// Some execution is too long, or there are too many; none that was run fails.
    Open,
}

/// What an engine says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Said {
    True,
    False,
    Unknown,
    /// It refuses the program or fails.
    Fault,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub seed: u64,
    pub truth: Truth,
    /// For each engine, what it says and how long that took.
    pub said: Vec<(String, Said, Duration)>,
    /// The program.
    pub text: String,
}

impl Outcome {
    /// What is wrong, if anything: an engine contradicts the executions or another engine.
    pub fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let some = |what: Said| self.said.iter().any(|(_, said, _)| *said == what);
        for (engine, said, _) in &self.said {
            match (said, self.truth) {
                (Said::True, Truth::Unsafe) => {
                    wrong.push(format!("{engine} says TRUE, but an execution fails"))
                }
                (Said::False, Truth::Safe) => {
                    wrong.push(format!("{engine} says FALSE, but no execution fails"))
                }
                (Said::True, Truth::Open) if some(Said::False) => {
                    wrong.push(format!("{engine} says TRUE, another engine FALSE"));
                }
                (Said::Fault, _) => wrong.push(format!("{engine} fails")),
                _ => {}
            }
        }
        wrong
    }
}

/// How a program is to be written.
#[derive(Clone, PartialEq, Debug)]
enum Way {
    /// All executions, printing the least and the greatest value of an expression at the end.
    Probe,
    /// All executions, with an assertion.
    All(String),
    /// One program, for engines.
    Task(String),
}

/// Makes the program of a seed, runs all of its executions, and asks the engines about it.
pub fn compare(
    cairn: &Cairn,
    seed: u64,
    engines: &[&str],
    time: Duration,
    dir: &Path,
) -> Result<Outcome, String> {
    let file = |name: &str, text: &str| {
        let path = dir.join(format!("{seed}-{name}.c"));
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display())).map(|()| path)
    };
    let execute = |path: &Path| {
        let mut command = Command::new(&cairn.exe);
        command.args(["run", "--quiet"]).arg(path);
        run(&mut command, b"", RUN_TIME_LIMIT).map_err(|e| format!("{}: {e}", cairn.exe.display()))
    };
    let probed = execute(&file("probe", &program(seed, &Way::Probe))?)?.stdout_text();
    let mut numbers = probed.split_whitespace().filter_map(|w| w.parse::<i64>().ok());
    let (low, high) = (numbers.next(), numbers.next());
    let assertion = assertion(seed, low.zip(high));
    let ran = execute(&file("all", &program(seed, &Way::All(assertion.clone())))?)?;
    let truth = match ran.stdout_text().trim() {
        "safe" => Truth::Safe,
        "unsafe" => Truth::Unsafe,
        "open" => Truth::Open,
        _ if ran.status == Status::TimedOut => Truth::Open,
        other => {
            return Err(format!("seed {seed}: all executions end with `{other}`: {}", ran.stderr_text()));
        }
    };
    let text = program(seed, &Way::Task(assertion));
    let task = file("task", &text)?;
    let mut said = Vec::new();
    for engine in engines {
        let mut command = Command::new(&cairn.exe);
        let seconds = format!("{}", time.as_secs_f64());
        command.args(["check", "--quiet", "--64", "--engine", engine, "--time", &seconds]).arg(&task);
        let ran = run(&mut command, b"", 4 * time + Duration::from_secs(20)).map_err(|e| e.to_string())?;
        let out = ran.stdout_text();
        let verdict = out.lines().rev().find_map(|l| l.strip_prefix("Verdict: ")).unwrap_or("");
        let what = match verdict.split(' ').next() {
            Some("TRUE") => Said::True,
            Some("FALSE") => Said::False,
            Some("UNKNOWN") if ran.status != Status::Exit(6) => Said::Unknown,
            _ => Said::Fault,
        };
        said.push(((*engine).to_owned(), what, ran.time));
    }
    Ok(Outcome { seed, truth, said, text })
}

/// An assertion about the expression of a program, which it just fulfils or just does not.
fn assertion(seed: u64, range: Option<(i64, i64)>) -> String {
    let mut rng = Rand64::new(u128::from(seed) ^ 0xa55e_4710);
    let e = "(long long)(result)";
    let Some((low, high)) = range else { return format!("{e} != {}", rng.rand_range(0..20)) };
    let middle = low + (rng.rand_u64() % (high.abs_diff(low) + 1)) as i64;
    match rng.rand_range(0..8) {
        0 | 1 => format!("{e} <= {high}"),
        2 => format!("{e} < {high}"),
        3 => format!("{e} >= {low}"),
        4 => format!("{e} > {low}"),
        5 => format!("{e} != {}", high + 1),
        6 => format!("{e} != {middle}"),
        _ => format!("{e} >= {low} && {e} <= {high}"),
    }
}

fn program(seed: u64, way: &Way) -> String {
    let rng = Rand64::new(u128::from(seed));
    let mut maker = Maker { rng, way, out: String::new(), vars: Vec::new(), counters: 0, inputs: 1 };
    maker.body();
    let body = maker.out;
    match way {
        Way::Task(_) => {
            let mut text =
                String::from("extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n");
            for (ty, name, _, _) in TYPES {
                let _ = writeln!(text, "extern {ty} __VERIFIER_nondet_{name}(void);");
            }
            text + &format!("\nint main(void)\n{{\n{body}}}\n")
        }
        Way::Probe | Way::All(_) => format!("{DRIVER}\n{body}}}\n{}", main(way)),
    }
}

/// The odometer: `choice` answers as it did before, and the next execution changes the last answer
/// that can be greater.
const DRIVER: &str = r#"#include <stdio.h>

static long long answers[64], limits[64], low, high;
static int given, known, any, fuel;

static long long choice(long long least, long long most) {
    if (given == known) {
        if (known == 64) { fuel = 0; return least; }
        answers[known] = least;
        limits[known++] = most;
    }
    return answers[given++];
}

static int execution(void) {"#;

fn main(way: &Way) -> String {
    let verdict = match way {
        Way::Probe => "if (any) printf(\"%lld %lld\\n\", low, high);",
        _ => "puts(failed ? \"unsafe\" : open ? \"open\" : \"safe\");",
    };
    format!(
        "\nint main(void) {{\n    int open = 0, failed = 0;\n    for (int n = 0;; n++) {{\n        given = 0;\n        \
         fuel = {FUEL};\n        int end = execution();\n        open |= end == 2;\n        failed |= end == 1;\n        \
         while (known > 0 && answers[known - 1] == limits[known - 1]) known--;\n        if (known == 0) break;\n        \
         answers[known - 1]++;\n        if (n == {EXECUTIONS}) {{ open = 1; break; }}\n    }}\n    {verdict}\n    \
         return 0;\n}}\n"
    )
}

struct Var {
    name: String,
    ty: usize,
}

struct Maker<'a> {
    rng: Rand64,
    way: &'a Way,
    out: String,
    vars: Vec<Var>,
    counters: u32,
    /// Inputs that may still be taken in loops.
    inputs: u32,
}

impl Maker<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.rng.rand_range(0..n)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    fn body(&mut self) {
        let inputs = 1 + self.below(2);
        for i in 0..inputs + 1 + self.below(2) {
            let ty = [0, 0, 1, 2, 3, 4][self.below(6) as usize];
            let name = ["a", "b", "c", "d"][i as usize].to_owned();
            if i < inputs {
                self.input(1, &name, ty, true);
            } else {
                let value = if self.one_in(3) { self.operand() } else { self.below(4).to_string() };
                self.line(1, &format!("{} {name} = {value};", TYPES[ty].0));
            }
            self.vars.push(Var { name, ty });
        }
        for _ in 0..1 + self.below(3) {
            self.a_loop(1, 2);
        }
        let result = match self.below(5) {
            0 | 1 => self.variable(),
            2 => format!("{} + {}", self.variable(), self.variable()),
            3 => format!("{} - {}", self.variable(), self.variable()),
            _ => format!("{} & {}", self.variable(), 1 + self.below(3)),
        };
        match self.way.clone() {
            Way::Probe => {
                self.line(1, &format!("long long result = (long long)({result});"));
                self.line(1, "if (!any || result < low) low = result;");
                self.line(1, "if (!any || result > high) high = result;");
                self.line(1, "any = 1;");
            }
            Way::All(assertion) => {
                let assertion = assertion.replace("result", &result);
                self.line(1, &format!("if (!({assertion})) return 1;"));
            }
            Way::Task(assertion) => {
                let assertion = assertion.replace("result", &result);
                self.line(1, &format!("if (!({assertion})) reach_error();"));
            }
        }
        self.line(1, "return 0;");
    }

    /// An input with few values, into a new variable or one that is there.
    fn input(&mut self, depth: usize, name: &str, ty: usize, fresh: bool) {
        let (c_type, short, least, most) = TYPES[ty];
        let (low, high) = match self.below(4) {
            _ if !fresh => (0, 1),
            0 if least < 0 => (-5, 4),
            1 => (most - 5, most),
            2 => (0, 7),
            _ => (0, 15),
        };
        let target = if fresh { format!("{c_type} {name}") } else { name.to_owned() };
        if !matches!(self.way, Way::Task(_)) {
            // The same choices are made in all three ways.
            let _ = fresh && self.one_in(2);
            return self.line(depth, &format!("{target} = ({c_type})choice({low}, {high});"));
        }
        let condition = format!("{name} >= {low} && {name} <= {high}");
        self.line(depth, &format!("{target} = __VERIFIER_nondet_{short}();"));
        let assume = fresh && self.one_in(2);
        match assume {
            true => self.line(depth, &format!("__VERIFIER_assume({condition});")),
            false => self.line(depth, &format!("if (!({condition})) return 0;")),
        }
    }

    fn variable(&mut self) -> String {
        let n = self.below(self.vars.len() as u64) as usize;
        self.vars[n].name.clone()
    }

    fn operand(&mut self) -> String {
        if self.vars.is_empty() || self.one_in(2) { self.below(12).to_string() } else { self.variable() }
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.variable(), self.operand());
        let op = ["<", "<=", ">", ">=", "!=", "=="][self.below(6) as usize];
        match self.below(6) {
            0 => format!("{x} % {} == {}", 2 + self.below(3), self.below(2)),
            1 => format!("{x} {op} {y} && {} != {}", self.variable(), self.below(10)),
            _ => format!("{x} {op} {y}"),
        }
    }

    fn a_loop(&mut self, depth: usize, nesting: u32) {
        let counter = format!("i{}", self.counters);
        self.counters += 1;
        // A loop that counts, one that ends when its condition says so, and one that is entered in any
        // case. Few of them may be endless.
        let kind = self.below(10);
        let mut condition = self.condition();
        if kind >= 6 && !self.one_in(5) {
            self.line(depth, &format!("int {counter} = 0;"));
            condition = format!("({condition}) && {counter}++ < {}", 2 + self.below(20));
        }
        match kind {
            0..=5 => {
                let bound = match self.below(12) {
                    0 => self.variable(),
                    1 | 2 => (10 + self.below(200)).to_string(),
                    _ => (2 + self.below(9)).to_string(),
                };
                let ty = ["int", "unsigned", "unsigned char"][self.below(3) as usize];
                let step = if self.one_in(4) { format!("{counter} += 2") } else { format!("{counter}++") };
                self.line(depth, &format!("for ({ty} {counter} = 0; {counter} < {bound}; {step}) {{"));
            }
            6 | 7 => self.line(depth, &format!("while ({condition}) {{")),
            _ => self.line(depth, "do {"),
        }
        if !matches!(self.way, Way::Task(_)) {
            self.line(depth + 1, "if (fuel-- <= 0) return 2;");
        }
        for _ in 0..1 + self.below(3) {
            self.statement(depth + 1, nesting);
        }
        if kind >= 8 {
            self.line(depth, &format!("}} while ({condition});"));
        } else {
            self.line(depth, "}");
        }
    }

    fn statement(&mut self, depth: usize, nesting: u32) {
        match self.below(12) {
            0 if nesting > 1 => self.a_loop(depth, nesting - 1),
            1 | 2 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.assign(depth + 1);
                if self.one_in(2) {
                    self.line(depth, "} else {");
                    self.assign(depth + 1);
                }
                self.line(depth, "}");
            }
            3 => {
                let (condition, word) = (self.condition(), ["break", "continue"][self.below(2) as usize]);
                self.line(depth, &format!("if ({condition}) {word};"));
            }
            4 if self.inputs > 0 => {
                self.inputs -= 1;
                let n = self.below(self.vars.len() as u64) as usize;
                let (name, ty) = (self.vars[n].name.clone(), self.vars[n].ty);
                self.input(depth, &name, ty, false);
            }
            _ => self.assign(depth),
        }
    }

    fn assign(&mut self, depth: usize) {
        let x = self.variable();
        let text = match self.below(12) {
            0..=2 => format!("{x}++;"),
            3 => format!("{x}--;"),
            4 | 5 => format!("{x} += {};", self.operand()),
            6 => format!("{x} -= {};", self.operand()),
            7 => format!("{x} = {};", self.operand()),
            8 => format!("{x} = {} + {};", self.variable(), self.operand()),
            9 => format!("{x} = 2 * {x} + {};", self.below(2)),
            10 => format!("{x} = {x} / {};", 2 + self.below(3)),
            _ => {
                format!("{x} = {x} {} {};", ["&", "|", "^", "%"][self.below(4) as usize], 1 + self.below(14))
            }
        };
        self.line(depth, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to write a program makes the same choices: the loops are the same but for the fuel.
    #[test]
    fn the_three_ways_agree() {
        for seed in 0..300 {
            let strip = |way: &Way| {
                let text = program(seed, way);
                let start = text.rfind("int main").filter(|_| matches!(way, Way::Task(_))).unwrap_or(0);
                let kept = |l: &&str| !l.contains("fuel") && (l.contains("for (") || l.contains("while ("));
                text[start..]
                    .lines()
                    .filter(kept)
                    .filter(|l| !l.contains("known"))
                    .map(str::to_owned)
                    .collect()
            };
            let probe: Vec<String> = strip(&Way::Probe);
            let all: Vec<String> = strip(&Way::All("1".into()));
            let task: Vec<String> = strip(&Way::Task("1".into()));
            let own = |lines: &[String]| {
                lines.iter().filter(|l| !l.contains("for (int n = 0;;")).cloned().collect::<Vec<_>>()
            };
            assert_eq!(own(&probe), own(&task), "seed {seed}");
            assert_eq!(probe, all, "seed {seed}");
            assert!(!task.is_empty(), "seed {seed}");
        }
    }

    #[test]
    fn contradictions_are_seen() {
        let outcome = |truth, a, b| Outcome {
            seed: 0,
            truth,
            said: vec![("x".into(), a, Duration::ZERO), ("y".into(), b, Duration::ZERO)],
            text: String::new(),
        };
        assert!(outcome(Truth::Safe, Said::True, Said::Unknown).wrong().is_empty());
        assert!(outcome(Truth::Open, Said::True, Said::True).wrong().is_empty());
        assert_eq!(outcome(Truth::Safe, Said::False, Said::True).wrong().len(), 1);
        assert_eq!(outcome(Truth::Unsafe, Said::False, Said::True).wrong().len(), 1);
        assert_eq!(outcome(Truth::Open, Said::False, Said::True).wrong().len(), 1);
        assert_eq!(outcome(Truth::Safe, Said::Fault, Said::True).wrong().len(), 1);
    }
}
