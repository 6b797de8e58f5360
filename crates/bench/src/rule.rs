//! What the output of a tool means: the verdict rules.
//!
//! Each known tool has a rule of its own, following its documentation and its
//! BenchExec module. A verdict is believed only where everything the tool says
//! agrees; a tool that says nothing we know has failed. Unknown tools are read
//! by regular expressions.

use std::fmt;
use std::str::FromStr;

use regex::Regex;

/// What a tool answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToolAnswer {
    True,
    /// The violated property, if the tool says which.
    False(Option<String>),
    /// Why, if the tool says so.
    Unknown(Option<String>),
    /// It failed, or its output matches no rule.
    Error(String),
}

impl fmt::Display for ToolAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolAnswer::True => f.write_str("true"),
            ToolAnswer::False(None) => f.write_str("false"),
            ToolAnswer::False(Some(property)) => write!(f, "false({property})"),
            ToolAnswer::Unknown(None) => f.write_str("unknown"),
            ToolAnswer::Unknown(Some(why)) => write!(f, "unknown({why})"),
            ToolAnswer::Error(what) => write!(f, "error({what})"),
        }
    }
}

/// How a process ended by itself.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    Exit(i32),
    Signal(i32),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(code) => write!(f, "{code}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// How the verdict of a tool is read.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The last line `Verdict: …` of `cairn check`; the exit code must agree.
    Cairn,
    /// `VERIFICATION SUCCESSFUL|FAILED` with exit code 0 or 10. A failed unwinding assertion is no bug.
    Cbmc,
    /// All paths explored, or an error of the assertion kind.
    Klee,
    /// Regular expressions, for other tools, unknown ones included.
    Patterns(Patterns),
}

/// The last match in the output decides; groups tell the property or the reason.
#[derive(Clone, Default, Debug)]
pub struct Patterns {
    pub true_: Vec<Regex>,
    pub false_: Vec<Regex>,
    pub unknown: Vec<Regex>,
}

impl Rule {
    /// The names of the built-in rules.
    pub const NAMES: [&str; 8] =
        ["cairn", "cbmc", "cpachecker", "ultimate", "symbiotic", "esbmc", "klee", "gps"];

    /// The rule for a tool, by its name: `cbmc`, but also `CBMC-6.6` or `duet.exe`.
    pub fn known(tool: &str) -> Option<Rule> {
        let lower = tool.to_ascii_lowercase();
        let starts = |name: &str| lower.starts_with(name);
        Some(if starts("cairn") {
            Rule::Cairn
        } else if starts("cbmc") {
            Rule::Cbmc
        } else if starts("klee") {
            Rule::Klee
        } else if starts("cpa") {
            patterns(
                &["^Verification result: TRUE"],
                &[
                    r"^Verification result: FALSE.*Property violation \(([\w-]+)",
                    "^Verification result: FALSE",
                ],
                &["^Verification result: UNKNOWN"],
            )
        } else if starts("ultimate") {
            patterns(
                &["^TRUE$", "^RESULT: Ultimate proved your program to be correct"],
                &[r"^FALSE(?:\(([\w-]+)\))?", "^RESULT: Ultimate proved your program to be incorrect"],
                &["^UNKNOWN", "^RESULT: Ultimate could not prove your program"],
            )
        } else if starts("symbiotic") {
            patterns(
                &["^RESULT: true"],
                &[r"^RESULT: false(?:\(([\w-]+)\))?"],
                &[r"^RESULT: (?:unknown|timeout)"],
            )
        } else if starts("esbmc") {
            patterns(
                &["^VERIFICATION SUCCESSFUL", "^TRUE$"],
                &["^VERIFICATION FAILED", "^FALSE"],
                &[
                    "^VERIFICATION UNKNOWN",
                    "^UNKNOWN",
                    "(?s)unwinding assertion loop.{0,200}VERIFICATION FAILED",
                ],
            )
        } else if starts("gps") || starts("duet") {
            patterns(&["proven safe"], &["proven unsafe"], &["(?i)unknown"])
        } else {
            return None;
        })
    }

    /// What a run that ended by itself says.
    pub fn read(&self, output: &str, end: End) -> ToolAnswer {
        match self {
            Rule::Cairn => cairn(output, end),
            Rule::Cbmc => cbmc(output, end),
            Rule::Klee => klee(output, end),
            Rule::Patterns(patterns) => patterns.read(output, end),
        }
    }
}

/// `true:REGEX`, `false:REGEX`, `unknown:REGEX`: one more way to recognise an answer.
impl FromStr for Patterns {
    type Err = String;

    fn from_str(text: &str) -> Result<Patterns, String> {
        let (kind, pattern) = text.split_once(':').unwrap_or((text, ""));
        let mut patterns = Patterns::default();
        let list = match kind {
            "true" => &mut patterns.true_,
            "false" => &mut patterns.false_,
            "unknown" => &mut patterns.unknown,
            _ => {
                let names = Rule::NAMES.join(", ");
                return Err(format!(
                    "`{text}` is no verdict rule (one of {names}, or true:REGEX, false:REGEX, unknown:REGEX)"
                ));
            }
        };
        list.push(compile(pattern)?);
        Ok(patterns)
    }
}

/// A pattern of a verdict; `^` and `$` are the ends of lines.
pub fn compile(pattern: &str) -> Result<Regex, String> {
    if pattern.is_empty() {
        return Err("an empty pattern matches everything".to_owned());
    }
    Regex::new(&format!("(?m){pattern}")).map_err(|e| {
        let text = e.to_string();
        format!("`{pattern}` is no regular expression: {}", text.lines().last().unwrap_or_default())
    })
}

fn patterns(true_: &[&str], false_: &[&str], unknown: &[&str]) -> Rule {
    let all = |list: &[&str]| list.iter().filter_map(|p| compile(p).ok()).collect();
    Rule::Patterns(Patterns { true_: all(true_), false_: all(false_), unknown: all(unknown) })
}

impl Patterns {
    pub fn merge(&mut self, other: Patterns) {
        self.true_.extend(other.true_);
        self.false_.extend(other.false_);
        self.unknown.extend(other.unknown);
    }

    fn read(&self, output: &str, end: End) -> ToolAnswer {
        // Where two end at the same place, the cautious reading and the more telling pattern win.
        let mut best: Option<(usize, ToolAnswer)> = None;
        let mut consider = |list: &[Regex], answer: fn(Option<String>) -> ToolAnswer| {
            for regex in list {
                let Some(found) = regex.captures_iter(output).last() else { continue };
                let told = found.get(1).map(|m| m.as_str().to_owned());
                let at = found.get(0).map_or(0, |m| line_of(output, m.end()));
                if best.as_ref().is_none_or(|(b, _)| at > *b) {
                    best = Some((at, answer(told)));
                }
            }
        };
        consider(&self.unknown, ToolAnswer::Unknown);
        consider(&self.false_, ToolAnswer::False);
        consider(&self.true_, |_| ToolAnswer::True);
        best.map_or_else(|| silent(end), |(_, answer)| answer)
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count()
}

fn silent(end: End) -> ToolAnswer {
    ToolAnswer::Error(match end {
        End::Exit(code) => format!("no verdict, exit code {code}"),
        End::Signal(signal) => format!("killed by signal {signal}"),
    })
}

fn cairn(output: &str, end: End) -> ToolAnswer {
    let last = output.lines().rev().find_map(|l| l.trim_end().strip_prefix("Verdict: "));
    let Some(verdict) = last else { return silent(end) };
    let (word, told) = match verdict.split_once(' ') {
        Some((word, rest)) => {
            let inner = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')'));
            (word, Some(inner.unwrap_or(rest).to_owned()))
        }
        None => (verdict, None),
    };
    match (word, end) {
        // With conditions (`TRUE (if f has no effect)`) it is TRUE as well.
        ("TRUE", End::Exit(0)) if told.as_ref().is_none_or(|t| t.starts_with("if ")) => ToolAnswer::True,
        ("FALSE", End::Exit(10)) => ToolAnswer::False(told),
        ("UNKNOWN", End::Exit(5)) => ToolAnswer::Unknown(told),
        _ => ToolAnswer::Error(format!("`Verdict: {verdict}` does not go with exit {end}")),
    }
}

fn cbmc(output: &str, end: End) -> ToolAnswer {
    let last = output.lines().rev().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    match end {
        End::Exit(0) if output.contains("VERIFICATION SUCCESSFUL") || last == "TRUE" => ToolAnswer::True,
        End::Exit(10) if last.starts_with("FALSE") => {
            let inner = last.split_once('(').and_then(|(_, r)| r.strip_suffix(')'));
            ToolAnswer::False(inner.map(str::to_owned))
        }
        End::Exit(10) if output.contains("VERIFICATION FAILED") => {
            let failed = || output.lines().map(str::trim_end).filter(|l| l.ends_with(": FAILURE"));
            let unwinding = |l: &str| l.contains("unwinding assertion");
            // Without a table of results there is a trace that ends in one violated property.
            let only_unwinding = match failed().count() {
                0 => output.contains("unwinding assertion"),
                _ => failed().all(unwinding),
            };
            if only_unwinding {
                ToolAnswer::Unknown(Some("unwinding assertion".to_owned()))
            } else {
                ToolAnswer::False(None)
            }
        }
        End::Exit(5) => ToolAnswer::Unknown(None),
        _ if last == "UNKNOWN" => ToolAnswer::Unknown(None),
        _ => silent(end),
    }
}

fn klee(output: &str, end: End) -> ToolAnswer {
    let errors: Vec<&str> = output.lines().filter(|l| l.starts_with("KLEE: ERROR: ")).collect();
    let violations = ["ASSERTION FAIL", "reach_error", "abort failure", "__VERIFIER_error"];
    if errors.iter().any(|l| violations.iter().any(|v| l.contains(v))) {
        return ToolAnswer::False(None);
    }
    if !output.contains("KLEE: done: completed paths") {
        return silent(end);
    }
    let partial = output.lines().filter_map(|l| l.strip_prefix("KLEE: done: partially completed paths = "));
    let halted = ["HaltTimer", "halting execution", "killing states", "concretized symbolic", "silently"];
    if let Some(first) = errors.first() {
        ToolAnswer::Unknown(Some((*first).trim_start_matches("KLEE: ERROR: ").to_owned()))
    } else if halted.iter().any(|h| output.contains(h)) || partial.into_iter().any(|n| n.trim() != "0") {
        ToolAnswer::Unknown(Some("not all paths explored".to_owned()))
    } else {
        ToolAnswer::True
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tool: &str, output: &str, code: i32) -> String {
        Rule::known(tool).expect(tool).read(output, End::Exit(code)).to_string()
    }

    #[test]
    fn cairn_must_agree_with_its_exit_code() {
        assert_eq!(read("cairn", "noise\nVerdict: TRUE\n", 0), "true");
        assert_eq!(read("cairn", "Verdict: TRUE (if f has no effect; g returns)\n", 0), "true");
        assert!(read("cairn", "Verdict: TRUE (perhaps)\n", 0).starts_with("error("));
        assert_eq!(read("cairn", "Verdict: FALSE (unreach-call)\n", 10), "false(unreach-call)");
        assert_eq!(read("cairn", "Verdict: UNKNOWN (time limit)\n", 5), "unknown(time limit)");
        assert!(read("cairn", "Verdict: TRUE\n", 10).starts_with("error("));
        assert!(read("cairn", "Verdict: MAYBE\n", 0).starts_with("error("));
        assert_eq!(read("cairn", "error: no such file\n", 2), "error(no verdict, exit code 2)");
    }

    #[test]
    fn cbmc_unwinding_assertions_are_no_bugs() {
        assert_eq!(read("cbmc", "VERIFICATION SUCCESSFUL\n", 0), "true");
        assert_eq!(
            read("CBMC-6", "[main.assertion.1] line 3 x: FAILURE\nVERIFICATION FAILED\n", 10),
            "false"
        );
        let unwinding = "[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE\n";
        assert_eq!(
            read("cbmc", &format!("{unwinding}VERIFICATION FAILED\n"), 10),
            "unknown(unwinding assertion)"
        );
        let both = format!("{unwinding}[main.assertion.1] line 9 y: FAILURE\nVERIFICATION FAILED\n");
        assert_eq!(read("cbmc", &both, 10), "false");
        assert_eq!(read("cbmc", "VERIFICATION SUCCESSFUL\n", 6), "error(no verdict, exit code 6)");
        assert_eq!(read("cbmc", "FALSE(valid-deref)\n", 10), "false(valid-deref)");
    }

    #[test]
    fn klee_proves_only_what_it_explored() {
        let done = "KLEE: done: total instructions = 5\nKLEE: done: completed paths = 2\n";
        assert_eq!(read("klee", done, 0), "true");
        assert_eq!(read("klee", &format!("KLEE: ERROR: a.c:3: ASSERTION FAIL: x\n{done}"), 0), "false");
        assert!(
            read("klee", &format!("KLEE: ERROR: a.c:3: memory error\n{done}"), 0).starts_with("unknown(")
        );
        assert!(read("klee", &format!("KLEE: HaltTimer invoked\n{done}"), 0).starts_with("unknown("));
        assert!(
            read("klee", &format!("{done}KLEE: done: partially completed paths = 1\n"), 0)
                .starts_with("unknown(")
        );
        assert!(read("klee", "", 1).starts_with("error("));
    }

    #[test]
    fn the_others() {
        for (tool, output, answer) in [
            ("cpachecker", "Verification result: TRUE. No property violation found.\n", "true"),
            (
                "cpa.sh",
                "Verification result: FALSE. Property violation (unreach-call: x) found.\n",
                "false(unreach-call)",
            ),
            ("cpachecker", "Verification result: UNKNOWN, incomplete analysis.\n", "unknown"),
            ("ultimate", "Result:\nTRUE\n", "true"),
            ("Ultimate.py", "Result:\nFALSE(valid-deref)\n", "false(valid-deref)"),
            ("ultimate", "Result:\nUNKNOWN: time\n", "unknown"),
            ("symbiotic", "RESULT: true\n", "true"),
            ("symbiotic", "RESULT: false(unreach-call)\n", "false(unreach-call)"),
            ("symbiotic", "RESULT: unknown\n", "unknown"),
            ("esbmc", "VERIFICATION SUCCESSFUL\n", "true"),
            ("esbmc", "VERIFICATION FAILED\n", "false"),
            ("esbmc", "  unwinding assertion loop 3\nVERIFICATION FAILED\n", "unknown"),
            ("duet.exe", "Error: proven unsafe\n", "false"),
            ("gps", "proven safe\n", "true"),
        ] {
            assert_eq!(read(tool, output, 0), answer, "{tool}: {output}");
        }
        assert_eq!(read("gps", "", 2), "error(no verdict, exit code 2)");
        assert!(Rule::known("mytool").is_none());
        let killed = Rule::known("esbmc").unwrap().read("", End::Signal(11));
        assert_eq!(killed.to_string(), "error(killed by signal 11)");
    }

    #[test]
    fn own_patterns() {
        let mut patterns: Patterns = "true:^safe$".parse().unwrap();
        patterns.merge("false:^bug in (\\w+)".parse().unwrap());
        let rule = Rule::Patterns(patterns);
        assert_eq!(rule.read("bug in f\nsafe\n", End::Exit(0)), ToolAnswer::True);
        assert_eq!(rule.read("safe\nbug in f\n", End::Exit(0)), ToolAnswer::False(Some("f".into())));
        for bad in ["true:", "true:(", "maybe:x", "cbcm"] {
            assert!(bad.parse::<Patterns>().is_err(), "{bad}");
        }
    }
}
