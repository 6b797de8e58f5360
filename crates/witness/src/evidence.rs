//! From what was found to a witness: the inputs of a confirmed trace as a
//! violation sequence, the facts of a proof as a set of invariants.

use cairn_base::{Place, Span};
use cairn_core::{LoopProof, Proof};
use cairn_ir::Program;
use cairn_sem::{InputRecord, Report};

use crate::expression::c_expression;
use crate::sources::{SiteKind, Sources};
use crate::testcase::is_call;
use crate::value::c_constant;
use crate::witness::{Invariant, Position, Segment, WaypointKind};

/// The segments for a confirmed trace: each input that is read by a call of the user's, in order,
/// then the violating statement. Inputs that cannot be named (a call within a macro, a value such
/// as NaN that equals nothing) are left out: the witness then says less, and nothing wrong.
pub fn violation(
    program: &Program,
    sources: &Sources,
    inputs: &[InputRecord],
    report: &Report,
) -> Vec<Segment> {
    let mut segments = Vec::new();
    for input in inputs.iter().filter(|i| is_call(i)) {
        if let (Some(at), Some(value)) = (closing(program, sources, input), c_constant(input.ty, input.bits))
        {
            let value = value.strip_prefix('(').and_then(|v| v.strip_suffix(')')).unwrap_or(&value);
            let kind = WaypointKind::FunctionReturn {
                constraint: Some(format!("\\result == {value}")),
                function: Some(input.name.to_string()),
            };
            segments.push(Segment::follow(kind, at));
        }
    }
    segments.push(Segment::follow(WaypointKind::Target, target(program, sources, report)));
    segments
}

/// The closing parenthesis of the call that reads an input.
fn closing(program: &Program, sources: &Sources, input: &InputRecord) -> Option<Position> {
    let file = program.files.get(input.place.file)?;
    let site = sources.sites.iter().find(|s| {
        let SiteKind::Call { callee: Some(name), .. } = &s.kind else { return false };
        *name == input.name
            && (s.place.end_line, s.place.end_col) == (input.place.end_line, input.place.end_col)
            && sources.map.file_name(s.place.file) == file
    })?;
    // Within a macro the text there is not the call's.
    let from =
        |line: u32, col: u32| sources.map.line(site.place.file, line)?.get((col as usize).checked_sub(1)?..);
    let whole = sources.map.resolve(Span::new(sources.units[site.unit].1, site.range.0, site.range.1));
    let plain = from(whole.line, whole.col)?.starts_with(input.name.as_bytes())
        && from(site.place.line, site.place.col)?.starts_with(b")");
    plain.then(|| sources.position(site))
}

/// The statement in which the violation happens. Where an error function with a body of its own
/// was entered, that is the statement that calls it.
fn target(program: &Program, sources: &Sources, report: &Report) -> Position {
    let user: Vec<_> = report.stack.iter().filter(|f| !f.is_model).collect();
    let entered = |f: &cairn_sem::StackFrame| {
        // The place of the function itself is no place of a statement.
        program.func_named(f.function.as_str()).is_some_and(|id| program.funcs[id].place == f.place)
    };
    let frame = match user.as_slice() {
        [first, caller, ..] if entered(first) => Some(*caller),
        [first, ..] => Some(*first),
        [] => None,
    };
    let (place, function) = frame.map_or((report.place, None), |f| (f.place, Some(f.function.to_string())));
    let file = program.files.get(place.file).cloned().unwrap_or_default();
    match sources.statement_around(&file, place) {
        Some(site) => sources.position(site),
        None => position(file, place, function),
    }
}

fn position(file: String, place: Place, function: Option<String>) -> Position {
    Position { file, line: place.line, column: Some(place.col.max(1)), function }
}

/// The facts of a proof as loop invariants. Facts that C cannot say at their loop are left out;
/// their number comes second.
pub fn invariants(program: &Program, sources: &Sources, proof: &Proof) -> (Vec<Invariant>, usize) {
    let (mut all, mut left_out) = (Vec::new(), 0);
    for (&head, how) in &proof.loops {
        let LoopProof::Invariant { facts, .. } = how else { continue };
        let Some(place) = program.locs.get(head).and_then(|l| l.loop_stmt) else {
            left_out += facts.len();
            continue;
        };
        let func = &program.funcs[program.locs[head].func];
        let file = program.files.get(place.file).cloned().unwrap_or_default();
        if func.is_model || place.is_none() {
            left_out += facts.len();
            continue;
        }
        let header = sources.loop_header(&file, place);
        for &fact in facts {
            match c_expression(program, &proof.exprs, fact, head, header) {
                Some(value) => all.push(Invariant {
                    at: position(file.clone(), place, Some(func.name.to_string())),
                    is_loop: true,
                    value,
                }),
                None => left_out += 1,
            }
        }
    }
    all.sort_by(|a, b| (&a.at.file, a.at.line, a.at.column).cmp(&(&b.at.file, b.at.line, b.at.column)));
    (all, left_out)
}
