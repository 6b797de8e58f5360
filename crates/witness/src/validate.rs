//! Witnesses built into the program, so that checking one is verifying another
//! program.
//!
//! *Invariants*: at the head of its loop, before the condition, an invariant is
//! handed to `__cairn_invariant`, which calls [`BROKEN`] if it does not hold.
//! `while (c)` becomes `while ((__cairn_invariant(!!(E)), (c)))`; the body of a
//! `do` begins with the check, which is where our automata have the head. If
//! [`BROKEN`] is never called the invariants hold, and [`facts`] finds them in
//! the compiled program for whoever proves the property with them.
//!
//! *Violations*: a global counter `__cairn_at` says how many segments have been
//! passed. At the place of a waypoint the counter advances if it stands at the
//! waypoint's segment and the constraint holds (one step per visit and place);
//! passing a waypoint to avoid ends the execution. The target arms the error:
//! [`guard_errors`] lets only executions that have arrived there fail. If an
//! error is then reachable, the witness is confirmed, by an execution of the
//! user's program. Whatever a witness says can only remove executions, so no
//! witness makes a correct program look wrong.
//!
//! All text goes into preprocessed text and keeps every line where it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cairn_cfront::Input;
use cairn_core::engine::Fact;
use cairn_ir::verify::debug_verify;
use cairn_ir::{BinOp, Builtin, Callee, EdgeId, ExprId, Op, Program, Ty, VarKind};

use crate::edits::Edits;
use crate::error::WitnessError;
use crate::sources::{Branch, Loop, Site, SiteKind, Sources};
use crate::witness::{Choice, Invariant, Position, Segment, Waypoint, WaypointKind};

/// The function that is called where an invariant does not hold.
pub const BROKEN: &str = "__cairn_invariant_broken";
const CHECK: &str = "__cairn_invariant";
const COUNTER: &str = "__cairn_at";

/// More waypoints at one place are not followed.
const MAX_PER_SITE: usize = 2000;

/// The program with the invariants built in.
pub fn with_invariants(sources: &Sources, invariants: &[Invariant]) -> Result<Vec<Input>, WitnessError> {
    let mut edits: Vec<Edits> = sources.units.iter().map(|_| Edits::default()).collect();
    let mut empty = BTreeSet::new();
    for i in invariants {
        let value = checked(&i.value, &i.at)?;
        let check = format!("{CHECK}(!!({value}))");
        let wanted = |s: &Site| match s.kind {
            SiteKind::Loop(_) => i.is_loop,
            SiteKind::Statement { .. } => !i.is_loop,
            _ => false,
        };
        let mut sites = sources.at(&i.at, wanted);
        if i.at.column.is_none() {
            sites.truncate(1);
        }
        if sites.is_empty() {
            let what = if i.is_loop { "loop" } else { "statement" };
            return Err(nothing_there(what, &i.at));
        }
        for site in sites.into_iter().map(|n| &sources.sites[n]) {
            let edits = &mut edits[site.unit];
            match &site.kind {
                SiteKind::Loop(Loop::Head { cond, .. }) if cond.0 == cond.1 => {
                    edits.around(*cond, 1, format!("{check}, "), "");
                    empty.insert((site.unit, *cond));
                }
                SiteKind::Loop(Loop::Head { cond, .. }) => {
                    edits.around(*cond, 1, format!("({check}, ("), "))")
                }
                SiteKind::Loop(Loop::Do { body }) => edits.around(*body, 0, format!("{{ {check}; "), " }"),
                SiteKind::Statement { in_block: true, .. } => {
                    edits.around(site.range, 0, format!("{check}; "), "");
                }
                _ => edits.around(site.range, 0, format!("{{ {check}; "), " }"),
            }
        }
    }
    // Conditions that were empty still need a value, after all checks.
    for (unit, cond) in empty {
        edits[unit].around(cond, 10, "1", "");
    }
    let prelude = |first: bool| {
        if first {
            format!(
                "extern void {BROKEN}(void); void {CHECK}(int);  \
                 void {CHECK}(int __cairn_holds) {{ if (!__cairn_holds) {BROKEN}(); }}"
            )
        } else {
            format!("extern void {CHECK}(int);")
        }
    };
    finish(sources, &edits, prelude)
}

/// A program in which only executions along the witness fail.
pub struct Followed {
    pub inputs: Vec<Input>,
    /// For [`guard_errors`].
    pub armed: u32,
}

/// The program with the segments of a violation witness built in.
pub fn with_segments(sources: &Sources, segments: &[Segment]) -> Result<Followed, WitnessError> {
    // GraphML states values of globals at the lines that declare them, which no execution passes.
    let passed = |s: &&Segment| match s.follow.kind {
        WaypointKind::AssumptionAfter(_) => !sources.at(&s.follow.at, is_statement).is_empty(),
        _ => true,
    };
    let segments: Vec<&Segment> = segments.iter().filter(passed).collect();
    let mut plan = Plan::default();
    let mut armed = segments.len() as u32;
    for (n, segment) in segments.iter().enumerate() {
        for (w, follow) in segment.avoid.iter().map(|w| (w, false)).chain([(&segment.follow, true)]) {
            if w.kind == WaypointKind::Target && w.at.line == 0 {
                // Nothing is said of the place: it is enough to have come so far.
                armed = n as u32;
                continue;
            }
            plan.add(sources, w, n as u32, follow)?;
        }
    }
    let mut edits: Vec<Edits> = sources.units.iter().map(|_| Edits::default()).collect();
    for ((site, class), steps) in &plan.steps {
        if steps.len() > MAX_PER_SITE {
            return Err(WitnessError::Unsupported(format!(
                "more than {MAX_PER_SITE} waypoints at one place"
            )));
        }
        let site = &sources.sites[*site];
        insert(sources, &mut edits[site.unit], site, *class, &chain(steps), armed);
    }
    let prelude = |first: bool| {
        let storage = if first { "" } else { "extern " };
        format!("{storage}int {COUNTER}; {storage}int __cairn_seen; extern void __cairn_assume(int);")
    };
    Ok(Followed { inputs: finish(sources, &edits, prelude)?, armed })
}

/// What of a list of assumptions can be said after a statement. GraphML's may be about variables
/// of other scopes, which have no name here; saying less is harmless.
fn sayable(sources: &Sources, site: &Site, parts: &[String], at: &Position) -> Result<String, WitnessError> {
    let mut all = Vec::new();
    for part in parts {
        let visible =
            words(part).all(|w| OPERATORS.contains(&w) || sources.is_visible(w, site.unit, site.range.1));
        if visible {
            all.push(format!("({})", checked(part, at)?));
        }
    }
    Ok(if all.is_empty() { "1".into() } else { all.join(" && ") })
}

/// The identifiers of an expression (and keywords, which are nowhere declared).
fn words(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    pieces.filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !TYPES.contains(w))
}

const TYPES: [&str; 9] = ["int", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool"];

fn is_statement(s: &Site) -> bool {
    matches!(s.kind, SiteKind::Statement { .. })
}

/// Where in a site something is inserted; in this order, where several stand at the same place.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Before,
    Target,
    After,
    Decide,
    Return,
    Enter,
}

struct Step {
    segment: u32,
    follow: bool,
    condition: String,
}

#[derive(Default)]
struct Plan {
    steps: BTreeMap<(usize, Class), Vec<Step>>,
}

impl Plan {
    fn add(
        &mut self,
        sources: &Sources,
        w: &Waypoint,
        segment: u32,
        follow: bool,
    ) -> Result<(), WitnessError> {
        let call = |s: &Site, name: &Option<String>| match &s.kind {
            SiteKind::Call { callee, .. } => {
                name.as_ref().is_none_or(|n| callee.is_some_and(|c| c.as_str() == n))
            }
            _ => false,
        };
        let (what, sites) = match &w.kind {
            WaypointKind::Assumption(_) | WaypointKind::Target => {
                ("statement", sources.at(&w.at, is_statement))
            }
            WaypointKind::AssumptionAfter(_) => {
                let simple = |s: &Site| matches!(s.kind, SiteKind::Statement { simple: true, .. });
                let found = sources.at(&w.at, simple);
                ("statement", if found.is_empty() { sources.at(&w.at, is_statement) } else { found })
            }
            WaypointKind::Branching(_) => {
                ("decision", sources.at(&w.at, |s| matches!(s.kind, SiteKind::Branch(_))))
            }
            WaypointKind::FunctionEnter(name) => ("call", sources.at(&w.at, |s| call(s, name))),
            WaypointKind::FunctionReturn { function, .. } => {
                ("call", sources.at(&w.at, |s| call(s, function)))
            }
        };
        if sites.is_empty() {
            return Err(nothing_there(what, &w.at));
        }
        for n in sites {
            let site = &sources.sites[n];
            let (class, condition) = match &w.kind {
                WaypointKind::Assumption(e) => (Class::Before, checked(e, &w.at)?),
                WaypointKind::AssumptionAfter(parts) => match site.kind {
                    SiteKind::Statement { simple: true, .. } => {
                        (Class::After, sayable(sources, site, parts, &w.at)?)
                    }
                    // What follows a jump or a whole block is not known here: it is enough to pass.
                    _ => (Class::Before, "1".into()),
                },
                WaypointKind::Target => (Class::Target, "1".into()),
                WaypointKind::Branching(choice) => (Class::Decide, decision(sources, site, choice, &w.at)?),
                WaypointKind::FunctionEnter(_) => (Class::Enter, "1".into()),
                WaypointKind::FunctionReturn { constraint: None, .. } => (Class::Return, "1".into()),
                WaypointKind::FunctionReturn { constraint: Some(c), .. } => {
                    let plain = c.replace("\\result", "__cairn_v");
                    (Class::Return, checked(&plain, &w.at)?)
                }
            };
            self.steps.entry((n, class)).or_default().push(Step { segment, follow, condition });
        }
        Ok(())
    }
}

fn decision(sources: &Sources, site: &Site, choice: &Choice, at: &Position) -> Result<String, WitnessError> {
    let text = |r: (u32, u32)| {
        String::from_utf8_lossy(&sources.text(site.unit)[r.0 as usize..r.1 as usize]).replace('\n', " ")
    };
    match (&site.kind, choice) {
        (SiteKind::Branch(Branch::Cond(_)), Choice::True) => Ok("__cairn_v".into()),
        (SiteKind::Branch(Branch::Cond(_)), Choice::False) => Ok("!__cairn_v".into()),
        (SiteKind::Branch(Branch::Switch { .. }), Choice::Case(c)) => {
            Ok(format!("__cairn_v == ({})", checked(c, at)?))
        }
        (SiteKind::Branch(Branch::Switch { cases, .. }), Choice::Default) => {
            let mut any = String::from("0");
            for &(low, high) in cases {
                let _ = match high {
                    None => write!(any, " || __cairn_v == ({})", text(low)),
                    Some(high) => {
                        write!(any, " || (__cairn_v >= ({}) && __cairn_v <= ({}))", text(low), text(high))
                    }
                };
            }
            Ok(format!("!({any})"))
        }
        _ => {
            Err(WitnessError::malformed(format!("the decision at {} does not have this outcome", shown(at))))
        }
    }
}

/// An expression that makes the steps of one visit: at most one forward.
fn chain(steps: &[Step]) -> String {
    let mut out = format!("__cairn_seen = {COUNTER}");
    for s in steps.iter().filter(|s| !s.follow) {
        let _ = write!(out, ", __cairn_assume(!(__cairn_seen == {} && ({})))", s.segment, s.condition);
    }
    for s in steps.iter().filter(|s| s.follow) {
        let test = format!("__cairn_seen == {} && ({})", s.segment, s.condition);
        let _ = write!(out, ", ({test}) ? ({COUNTER} = {}) : 0", s.segment + 1);
    }
    out
}

fn insert(sources: &Sources, edits: &mut Edits, site: &Site, class: Class, steps: &str, armed: u32) {
    match (&site.kind, class) {
        (SiteKind::Statement { in_block, simple }, Class::Before | Class::Target | Class::After) => {
            let level = class as u8;
            let (open, close) = if *in_block { ("", "") } else { ("{ ", " }") };
            match class {
                Class::After => edits.around(site.range, level, open, format!(" {steps};{close}")),
                // Where the end of the target is known, arriving there is no violation any more.
                Class::Target if *simple => {
                    let passed = format!(" __cairn_assume({COUNTER} != {armed});{close}");
                    edits.around(site.range, level, format!("{open}{steps}; "), passed);
                }
                _ => edits.around(site.range, level, format!("{open}{steps}; "), close),
            }
        }
        (SiteKind::Branch(Branch::Cond(cond)), _) if cond.0 == cond.1 => {
            edits.around(*cond, 2, format!("({{ int __cairn_v = 1; {steps}; __cairn_v; }})"), "");
        }
        (SiteKind::Branch(Branch::Cond(cond)), _) => {
            edits.around(*cond, 2, "({ int __cairn_v = !!(", format!("); {steps}; __cairn_v; }})"));
        }
        (SiteKind::Branch(Branch::Switch { value, .. }), _) => {
            edits.around(*value, 2, "({ __auto_type __cairn_v = (", format!("); {steps}; __cairn_v; }})"));
        }
        (SiteKind::Call { void: true, .. }, Class::Return) => {
            edits.around(site.range, 3, "({ ", format!("; {steps}; (void)0; }})"));
        }
        (SiteKind::Call { .. }, Class::Return) => {
            edits.around(
                site.range,
                3,
                "({ __auto_type __cairn_v = (",
                format!("); {steps}; __cairn_v; }})"),
            );
        }
        (SiteKind::Call { args, nested, .. }, Class::Enter) => match args.last() {
            // After the calls among the arguments, before the call itself.
            Some(&last) if *nested => {
                let literal = sources.text(site.unit)[last.0 as usize].is_ascii_digit();
                if literal {
                    edits.around(last, 2, format!("({steps}, "), ")");
                } else {
                    edits.around(
                        last,
                        2,
                        "({ __auto_type __cairn_v = (",
                        format!("); {steps}; __cairn_v; }})"),
                    );
                }
            }
            _ => edits.around(site.range, 4, format!("({steps}, "), ")"),
        },
        _ => {}
    }
}

fn finish(
    sources: &Sources,
    edits: &[Edits],
    prelude: impl Fn(bool) -> String,
) -> Result<Vec<Input>, WitnessError> {
    let mut inputs = Vec::new();
    for (n, (name, _)) in sources.units.iter().enumerate() {
        let text = String::from_utf8(edits[n].apply(sources.text(n))).map_err(|_| {
            WitnessError::Unsupported(format!("{name}: witnesses for text that is not UTF-8"))
        })?;
        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
        let text = format!("# 1 \"<witness>\"\n{}\n# 1 \"{quoted}\"\n{text}", prelude(n == 0));
        inputs.push(Input::Text { name: name.clone(), text });
    }
    Ok(inputs)
}

/// The expression of a witness, on one line. What is no side-effect-free expression is refused
/// here; the compiler sees to the rest.
fn checked(value: &str, at: &Position) -> Result<String, WitnessError> {
    let bad = |what: &str| {
        Err(WitnessError::malformed(format!("the expression at {} {what}: {}", shown(at), value.trim())))
    };
    let text = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let bytes = text.as_bytes();
    if text.is_empty() {
        return bad("is empty");
    }
    let mut open = Vec::new();
    for (i, &b) in bytes.iter().enumerate() {
        let before = i.checked_sub(1).map_or(0, |j| bytes[j]);
        let after = bytes.get(i + 1).copied().unwrap_or(0);
        match b {
            b'(' | b'[' => {
                let word: Vec<u8> = bytes[..i]
                    .iter()
                    .rev()
                    .skip_while(|b| **b == b' ')
                    .take_while(|b| is_word(**b))
                    .copied()
                    .collect();
                let word: String = word.iter().rev().map(|&b| char::from(b)).collect();
                if b == b'(' && !word.is_empty() && !OPERATORS.contains(&word.as_str()) {
                    return bad("calls a function");
                }
                open.push(b);
            }
            b')' if open.pop() != Some(b'(') => return bad("has unbalanced parentheses"),
            b']' if open.pop() != Some(b'[') => return bad("has unbalanced parentheses"),
            b';' | b'{' | b'}' | b'#' | b'\\' | b'"' | b'@' => return bad("is no C expression"),
            b'/' if after == b'/' || after == b'*' => return bad("contains a comment"),
            b'+' | b'-'
                if after == b && (is_word(bytes.get(i + 2).copied().unwrap_or(0)) || is_word(before)) =>
            {
                return bad("has a side effect");
            }
            b'=' if after != b'='
                && !(b"=!".contains(&before)
                    || (b"<>".contains(&before) && (i < 2 || bytes[i - 2] != before))) =>
            {
                return bad("has a side effect");
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(text) } else { bad("has unbalanced parentheses") }
}

const OPERATORS: [&str; 5] = ["sizeof", "_Alignof", "__alignof__", "__real__", "__imag__"];

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

fn shown(at: &Position) -> String {
    match at.column {
        Some(c) => format!("{}:{}:{c}", at.file, at.line),
        None => format!("{}:{}", at.file, at.line),
    }
}

fn nothing_there(what: &str, at: &Position) -> WitnessError {
    WitnessError::NoSuchPlace(format!("the program has no {what} at {}", shown(at)))
}

/// The invariants of a program made by [`with_invariants`] that are plain expressions at the head
/// of their loop. They are claims; making them may add expressions to the program.
pub fn facts(program: &mut Program) -> Vec<Fact> {
    let Some(check) = program.func_named(CHECK) else { return Vec::new() };
    let mut found = Vec::new();
    for edge in program.edges.values() {
        let Op::Call { callee: Callee::Func(f), args, .. } = &edge.op else { continue };
        let [arg] = &**args else { continue };
        if *f != check {
            continue;
        }
        // Checks of the same loop follow each other.
        let mut at = edge.src;
        while program.locs[at].loop_stmt.is_none()
            && let [before] = program.locs[at].inn.as_slice()
            && let Op::Call { callee: Callee::Func(f), .. } = &program.edges[*before].op
            && *f == check
        {
            at = program.edges[*before].src;
        }
        if program.locs[at].loop_stmt.is_some() {
            found.push((at, *arg));
        }
    }
    let mut facts = Vec::new();
    for (at, arg) in found {
        let mut plain = true;
        program.exprs.each_var(arg, &mut |v| plain &= program.vars[v].kind != VarKind::Temp);
        if plain && let Some(holds) = truth(program, arg) {
            facts.push(Fact { at, holds, by: "witness" });
        }
    }
    facts
}

fn truth(program: &mut Program, e: ExprId) -> Option<ExprId> {
    match program.exprs.ty(e) {
        Ty::Bool => Some(e),
        Ty::Int(i) => {
            let zero = program.exprs.int(i, 0);
            Some(program.exprs.binary(BinOp::Ne, e, zero))
        }
        _ => None,
    }
}

/// Lets only executions fail that have passed all segments: every error of the program (with the
/// property built in) is behind an assumption about the counter. `false`: the program has no
/// counter, it was not made by [`with_segments`].
pub fn guard_errors(program: &mut Program, armed: u32) -> bool {
    let counter = program.vars.iter().find(|(_, v)| v.owner.is_none() && v.name.as_str() == COUNTER);
    let Some((counter, _)) = counter else { return false };
    let errors: Vec<EdgeId> = program
        .edges
        .iter()
        .filter(|(_, e)| {
            matches!(e.op, Op::Call { callee: Callee::Builtin(Builtin::Error | Builtin::AssertFail), .. })
        })
        .map(|(id, _)| id)
        .collect();
    let value = program.exprs.var(counter);
    let Ty::Int(ty) = program.ty(value) else { return false };
    let number = program.exprs.int(ty, armed.into());
    let cond = program.exprs.binary(BinOp::Eq, value, number);
    for e in errors {
        program.insert_before(e, Op::Assume { cond, holds: true });
    }
    debug_verify(program, "guard_errors");
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expressions_without_effects() {
        let at = Position::default();
        for good in [
            "x == 1",
            "a[i] <= (b >> 2)",
            "!p && x>=0",
            "sizeof(x) == 4",
            "(int)x != -y",
            "x\n<\ny",
            "a - -b",
        ] {
            assert!(checked(good, &at).is_ok(), "{good}");
        }
        for bad in [
            "",
            "x = 1",
            "x += 1",
            "x <<= 1",
            "f(x)",
            "x++",
            "--x",
            "x) || (1",
            "1; abort()",
            "x /* */",
            "{0}",
            "a]",
        ] {
            assert!(checked(bad, &at).is_err(), "{bad}");
        }
        assert_eq!(checked("a\n  && b", &at).unwrap(), "a && b");
    }
}
