//! The result of a run: as text for people, as JSON for tools.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use cairn_base::{DataModel, Kind, Limit, Place};
use cairn_csyntax::{SourceMap, render};
use cairn_ir::{FloatTy, Program, Ty};
use cairn_sem::{End, InputRecord, Outcome, Report};
use cairn_value::eval;
use serde::Serialize;

use crate::exit::Exit;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

/// Inputs shown in the text; the JSON has all of them.
const SHOWN_INPUTS: usize = 20;
/// Frames of the call stack shown at either end.
const SHOWN_FRAMES: usize = 12;

/// What a finished run is reported with.
pub struct Finished<'a> {
    pub program: &'a Program,
    pub map: &'a SourceMap,
    pub outcome: &'a Outcome,
    pub time: Duration,
    /// The command that repeats the run, without the inputs.
    pub command: String,
    pub seed: u64,
    /// Remarks of the command itself.
    pub remarks: Vec<String>,
}

/// How `end` leaves the process.
pub fn exit_of(end: &End) -> Exit {
    match end {
        End::Exit(_) | End::Abort(_) | End::AssumptionFailed(_) | End::NoReturn(_) => Exit::Normal,
        End::ErrorReached(_) => Exit::Error,
        End::Undefined(_) => Exit::Undefined,
        End::Limit(..) => Exit::Limit,
        End::NoEntry(_) => Exit::Rejected,
    }
}

fn report_of(end: &End) -> Option<&Report> {
    match end {
        End::Exit(_) | End::NoEntry(_) => None,
        End::Abort(r)
        | End::ErrorReached(r)
        | End::Undefined(r)
        | End::AssumptionFailed(r)
        | End::NoReturn(r) => Some(r),
        End::Limit(_, r) => Some(r),
    }
}

pub fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "steps",
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Depth => "call depth",
        Limit::Cancelled => "interrupted",
    }
}

impl Finished<'_> {
    /// The last line: `Result: …`.
    fn result_line(&self) -> (Style, String) {
        let at = |r: &Report| match r.place.is_none() {
            true => String::new(),
            false => format!(" at {}", render::position(self.map, r.place)),
        };
        match &self.outcome.end {
            End::Exit(value) => (GOOD, format!("exit {value}")),
            End::Abort(r) => (UNSURE, format!("abort{}", at(r))),
            End::AssumptionFailed(r) => (UNSURE, format!("assumption fails{}", at(r))),
            End::NoReturn(r) => (UNSURE, format!("ends in a function without a body{}", at(r))),
            End::ErrorReached(r) => (BAD, format!("error reached{} ({})", at(r), r.message)),
            End::Undefined(r) => {
                let kind = r.kind.map_or("undefined", |k| k.name());
                (BAD, format!("undefined behaviour ({kind}){}", at(r)))
            }
            End::Limit(limit, r) => (UNSURE, format!("limit reached ({}){}", limit_name(*limit), at(r))),
            End::NoEntry(why) => (BAD, format!("rejected: {why}")),
        }
    }

    /// The whole report. Styles are plain ANSI; the stream removes them where they do not belong.
    pub fn text(&self, quiet: bool, colour: bool) -> String {
        let mut text = String::new();
        if !quiet {
            self.event(&mut text, colour);
            self.inputs(&mut text);
            self.ledger(&mut text);
        }
        let (style, line) = self.result_line();
        let _ = writeln!(text, "{BOLD}Result:{BOLD:#} {style}{line}{style:#}");
        text
    }

    /// What happened, with the source and the call stack.
    fn event(&self, text: &mut String, colour: bool) {
        let Some(report) = report_of(&self.outcome.end) else { return };
        let kind = match self.outcome.end {
            End::ErrorReached(_) | End::Undefined(_) => Kind::Error,
            _ => Kind::Warning,
        };
        text.push_str(&render::render_places(self.map, kind, &report.message, &[(report.place, "")], colour));
        if report.stack.len() < 2 && !report.stack.iter().any(|f| f.is_model) {
            return;
        }
        let _ = writeln!(text, "{BOLD}Call stack{BOLD:#} (innermost first):");
        let frames = report.stack.len();
        for (index, frame) in report.stack.iter().enumerate() {
            if index == SHOWN_FRAMES && frames > 2 * SHOWN_FRAMES {
                let _ = writeln!(text, "  … {} more …", frames - 2 * SHOWN_FRAMES);
            }
            if index >= SHOWN_FRAMES && index + SHOWN_FRAMES < frames {
                continue;
            }
            if frame.is_model {
                let _ = writeln!(text, "  {} (model of the C library)", frame.function);
            } else {
                let _ = writeln!(text, "  {} at {}", frame.function, render::position(self.map, frame.place));
            }
        }
    }

    fn inputs(&self, text: &mut String) {
        let inputs = &self.outcome.inputs;
        if inputs.is_empty() {
            return;
        }
        let given = inputs.iter().filter(|i| i.given).count();
        let source = match given {
            0 => format!("drawn from seed {}", self.seed),
            n if n == inputs.len() => "as given".to_owned(),
            n => format!("{n} given, the others drawn from seed {}", self.seed),
        };
        let _ = writeln!(text, "{BOLD}Inputs{BOLD:#} ({}, {source}):", inputs.len());
        for input in inputs.iter().take(SHOWN_INPUTS) {
            let value = value_text(input, self.program.model);
            let place = render::position(self.map, input.place);
            let _ = writeln!(text, "  {}() = {value}  {DIM}{place}{DIM:#}", input.name);
        }
        if inputs.len() > SHOWN_INPUTS {
            let _ = writeln!(text, "  … {} more (--json has all)", inputs.len() - SHOWN_INPUTS);
        } else if given < inputs.len() {
            let values: Vec<String> = inputs.iter().map(|i| value_text(i, self.program.model)).collect();
            let _ = writeln!(text, "{BOLD}To repeat:{BOLD:#} {} --input {}", self.command, values.join(","));
        }
    }

    /// What the result rests on.
    fn ledger(&self, text: &mut String) {
        for call in &self.outcome.unmodelled {
            let times = if call.count == 1 { String::new() } else { format!(", {} calls", call.count) };
            let place = render::position(self.map, call.place);
            let _ = writeln!(
                text,
                "{UNSURE}No body and no model:{UNSURE:#} {} at {place}{times}; its result is unknown",
                call.name
            );
        }
        for note in self.outcome.notes.iter().chain(&self.remarks) {
            let _ = writeln!(text, "{UNSURE}Note:{UNSURE:#} {note}");
        }
        let _ = writeln!(
            text,
            "{DIM}Data model {}, {} steps in {:.3} s{DIM:#}",
            self.program.model,
            grouped(self.outcome.steps),
            self.time.as_secs_f64()
        );
    }

    /// The result as one JSON object. `output` is what the program wrote.
    pub fn json(&self, stdout: &[u8], stderr: &[u8]) -> String {
        let (_, result) = self.result_line();
        let report = report_of(&self.outcome.end);
        let place = |place: Place| (!place.is_none()).then(|| JsonPlace::new(self.map, place));
        let json = Json {
            cairn: env!("CARGO_PKG_VERSION"),
            command: "run",
            data_model: self.program.model.to_string(),
            status: match &self.outcome.end {
                End::Exit(_) => "exit",
                End::Abort(_) => "abort",
                End::ErrorReached(_) => "error",
                End::Undefined(_) => "undefined",
                End::AssumptionFailed(_) => "assumption",
                End::NoReturn(_) => "no-return",
                End::Limit(..) => "limit",
                End::NoEntry(_) => "rejected",
            },
            result,
            exit_code: exit_of(&self.outcome.end) as u8,
            exit_value: match self.outcome.end {
                End::Exit(value) => Some(value),
                _ => None,
            },
            limit: match self.outcome.end {
                End::Limit(limit, _) => Some(limit_name(limit)),
                _ => None,
            },
            undefined: report.and_then(|r| r.kind).map(|k| k.name()),
            message: report.map(|r| r.message.as_str()),
            place: report.and_then(|r| place(r.place)),
            stack: report
                .map(|r| r.stack.as_slice())
                .unwrap_or_default()
                .iter()
                .map(|f| JsonFrame {
                    function: f.function.as_str(),
                    library: f.is_model,
                    place: place(f.place),
                })
                .collect(),
            inputs: json_inputs(&self.outcome.inputs, self.program.model, self.map),
            unmodelled: self
                .outcome
                .unmodelled
                .iter()
                .map(|u| JsonCall { name: u.name.as_str(), count: u.count, place: place(u.place) })
                .collect(),
            notes: self.outcome.notes.iter().chain(&self.remarks).map(String::as_str).collect(),
            seed: self.seed,
            steps: self.outcome.steps,
            seconds: self.time.as_secs_f64(),
            stdout: String::from_utf8_lossy(stdout).into_owned(),
            stderr: String::from_utf8_lossy(stderr).into_owned(),
        };
        // Maps with text keys and plain values always serialise.
        serde_json::to_string_pretty(&json).unwrap_or_default()
    }
}

/// The stable machine-readable result.
#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    data_model: String,
    status: &'static str,
    result: String,
    exit_code: u8,
    exit_value: Option<i32>,
    limit: Option<&'static str>,
    undefined: Option<&'static str>,
    message: Option<&'a str>,
    place: Option<JsonPlace<'a>>,
    stack: Vec<JsonFrame<'a>>,
    inputs: Vec<JsonInput<'a>>,
    unmodelled: Vec<JsonCall<'a>>,
    notes: Vec<&'a str>,
    seed: u64,
    steps: u64,
    seconds: f64,
    stdout: String,
    stderr: String,
}

#[derive(Serialize)]
pub struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

impl<'a> JsonPlace<'a> {
    pub fn new(map: &'a SourceMap, place: Place) -> JsonPlace<'a> {
        JsonPlace { file: map.file_name(place.file), line: place.line, column: place.col }
    }
}

#[derive(Serialize)]
struct JsonFrame<'a> {
    function: &'a str,
    library: bool,
    place: Option<JsonPlace<'a>>,
}

#[derive(Serialize)]
pub struct JsonInput<'a> {
    name: &'a str,
    r#type: String,
    value: String,
    given: bool,
    place: Option<JsonPlace<'a>>,
}

#[derive(Serialize)]
struct JsonCall<'a> {
    name: &'a str,
    count: u64,
    place: Option<JsonPlace<'a>>,
}

/// The inputs of a run, for tools.
pub fn json_inputs<'a>(
    inputs: &'a [InputRecord],
    model: DataModel,
    map: &'a SourceMap,
) -> Vec<JsonInput<'a>> {
    let input = |i: &'a InputRecord| JsonInput {
        name: i.name.as_str(),
        r#type: i.ty.to_string(),
        value: value_text(i, model),
        given: i.given,
        place: (!i.place.is_none()).then(|| JsonPlace::new(map, i.place)),
    };
    inputs.iter().map(input).collect()
}

/// An input as `--input` reads it back.
pub fn value_text(input: &InputRecord, model: DataModel) -> String {
    match input.ty {
        Ty::Int(ty) if ty.bits == 128 && !ty.signed => input.bits.to_string(),
        Ty::Int(ty) => ty.number(input.bits).to_string(),
        Ty::Bool => input.bits.to_string(),
        Ty::Ptr => format!("{:#x}", input.bits),
        Ty::Float(_) => match eval::cast(input.ty, Ty::Float(FloatTy::F64), input.bits, model) {
            Ok(bits) => format!("{:?}", f64::from_bits(bits as u64)).replace("NaN", "nan"),
            Err(_) => format!("{:#x}", input.bits),
        },
    }
}

/// Digits in groups of three.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_ir::{IntTy, sym};

    #[test]
    fn values_can_be_given_back() {
        let input = |ty, bits| InputRecord { name: sym("f"), ty, bits, place: Place::NONE, given: false };
        let text = |ty, bits| value_text(&input(ty, bits), DataModel::Lp64);
        assert_eq!(text(Ty::Int(IntTy::I8), 0xff), "-1");
        assert_eq!(text(Ty::Int(IntTy::U8), 0xff), "255");
        assert_eq!(text(Ty::Int(IntTy::U128), u128::MAX), u128::MAX.to_string());
        assert_eq!(text(Ty::Float(FloatTy::F64), u128::from(1.5f64.to_bits())), "1.5");
        assert_eq!(text(Ty::Float(FloatTy::F64), u128::from(f64::NAN.to_bits())), "nan");
        assert_eq!(text(Ty::Float(FloatTy::F32), u128::from(f32::NEG_INFINITY.to_bits())), "-inf");
    }

    #[test]
    fn groups_of_digits() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
