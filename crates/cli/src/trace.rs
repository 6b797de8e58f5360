//! The way to an error, for people: the lines of the source in the order in
//! which they were executed, and to the right what they did. The same for tools.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use cairn_base::Place;
use cairn_core::outside;
use cairn_csyntax::{SourceMap, render as draw};
use cairn_ir::Program;
use cairn_story::{Detail, Effect, Entry, Event, Story};
use serde::Serialize;

use crate::args::TraceDetail;
use crate::report::JsonPlace;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const NAME: Style = AnsiColor::Cyan.on_default();
const INPUT: Style = AnsiColor::Yellow.on_default().bold();
const CALL: Style = AnsiColor::Blue.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Entries of a short trace, in text.
pub const SHORT: Detail = Detail::Entries(60);
/// Entries of a trace for tools.
pub const FOR_TOOLS: Detail = Detail::Entries(1000);

/// What the command line asks for.
pub fn detail(asked: TraceDetail) -> Detail {
    match asked {
        TraceDetail::Full => Detail::Full,
        TraceDetail::Short | TraceDetail::None => SHORT,
    }
}

/// Levels of calls that are indented.
const LEVELS: usize = 10;
/// The narrowest room for the source.
const NARROW: usize = 24;

/// The source text at a place, if it lies on one line.
pub fn source_text(map: &SourceMap, place: Place) -> Option<String> {
    if place.is_none() || place.line != place.end_line {
        return None;
    }
    let line = map.line(place.file, place.line)?;
    let (from, to) = (place.col as usize - 1, place.end_col as usize - 1);
    line.get(from..to).map(|text| String::from_utf8_lossy(text).into_owned())
}

/// The entries of a story with the source's own words.
pub fn entries(story: &Story, program: &Program, map: &SourceMap, detail: Detail) -> Vec<Entry> {
    story.entries(program, &|place| source_text(map, place), detail)
}

/// A line of a file without its indentation, fit to be printed, and how much was taken away.
fn line_text(map: &SourceMap, place: Place) -> (String, usize) {
    let line = if place.is_none() { None } else { map.line(place.file, place.line) };
    let Some(line) = line else { return (draw::position(map, place), usize::MAX) };
    let text = String::from_utf8_lossy(line);
    let trimmed = text.trim_start();
    let cut = text.len() - trimmed.len();
    let clean = trimmed.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c });
    (clean.collect(), cut)
}

/// Words with their styles; widths count the words only.
#[derive(Default)]
struct Words(Vec<(Style, String)>);

impl Words {
    fn add(&mut self, style: Style, text: impl Into<String>) {
        self.0.push((style, text.into()));
    }

    /// Puts a comma between the first words and what came after them.
    fn separate(&mut self, first: usize) {
        if self.0.len() > first
            && let Some(last) = self.0[..first].last_mut()
        {
            last.1.push(',');
        }
    }

    fn assigned(&mut self, name: &str, value: &str) {
        self.add(NAME, format!("{name} = {value}"));
    }

    /// The words in lines of at most `width` characters.
    fn lines(&self, width: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        let mut used = 0;
        for (style, text) in &self.0 {
            let length = text.chars().count();
            if used > 0 && used + 1 + length.min(width) > width {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                let space = if used > 0 { " " } else { "" };
                let _ = write!(line, "{space}{style}{text}{style:#}");
                used += length + space.len();
            }
        }
        lines
    }
}

fn plural(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// What happened, in words.
fn words(entry: &Entry) -> Words {
    let mut w = Words::default();
    match &entry.event {
        Event::Line { effects, more } => {
            let mut known = Vec::new();
            for effect in effects {
                let before = w.0.len();
                effect_words(effect, &mut known, &mut w);
                w.separate(before);
            }
            if *more > 0 {
                w.add(DIM, format!("and {more} more"));
            }
        }
        Event::Enter { function, arguments, inside } => {
            let arguments: Vec<String> = arguments.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            w.add(CALL, format!("→ {function}({})", arguments.join(", ")));
            if let Some(lines) = inside.filter(|&n| n > 0) {
                w.add(DIM, format!("… {} inside …", plural(lines, "line", "lines")));
            }
        }
        Event::Leave { function, result } => {
            if let Some(result) = result {
                w.add(CALL, format!("← {function} returns {result}"));
            }
        }
        Event::Turns { changes, .. } => {
            for c in changes {
                let before = w.0.len();
                if c.first == c.last {
                    w.assigned(&c.name, &c.last);
                } else {
                    w.add(NAME, format!("{} = {} … {}", c.name, c.first, c.last));
                }
                w.separate(before);
            }
        }
        Event::Calls { .. } | Event::Steps { .. } | Event::Lines { .. } => {}
    }
    w
}

/// `known` are the values that the entry has told already.
fn effect_words(effect: &Effect, known: &mut Vec<(String, String)>, w: &mut Words) {
    match effect {
        Effect::Assigned { name, value } => {
            known.push((name.clone(), value.clone()));
            w.assigned(name, value);
        }
        Effect::Input { name, function, value } => {
            let name = name.clone().unwrap_or_else(|| outside::called(function));
            w.add(INPUT, format!("{name} = {value} (input)"));
            known.push((name, value.clone()));
        }
        Effect::Decided { condition, holds, reads, .. } => {
            // The cases of a `switch` have no text of their own; what it reads says enough.
            if let Some(condition) = condition {
                w.add(BOLD, format!("{condition} is {holds}"));
            }
            let news: Vec<&(String, String)> =
                reads.iter().filter(|r| known.iter().rfind(|k| k.0 == r.0) != Some(r)).collect();
            if !news.is_empty() {
                let texts: Vec<String> = news.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                w.add(DIM, format!("({})", texts.join(", ")));
            }
            known.extend(news.into_iter().cloned());
        }
    }
}

/// What stands to the left: the line, or words where there is none.
fn left(entry: &Entry, map: &SourceMap) -> (Option<u32>, Style, String) {
    let count = |count: u64, one: &str, many: &str| (None, DIM, format!("… {} …", plural(count, one, many)));
    match entry.event {
        Event::Turns { count, .. } => {
            // The heading above names the file.
            let line = entry.place.line;
            let at = if line == 0 { String::new() } else { format!(" of the loop in line {line}") };
            (None, DIM, format!("… {}{at} …", plural(count, "more turn", "more turns")))
        }
        Event::Calls { count: n } => count(n, "call inside", "calls inside each other"),
        Event::Steps { count: n } => count(n, "step", "steps that were not watched"),
        Event::Lines { count: n } => count(n, "line left out", "lines left out"),
        _ => (Some(entry.place.line), Style::new(), line_text(map, entry.place).0),
    }
}

/// The whole trace, ending with the line of the error. Styles are plain ANSI; the stream removes
/// them where they do not belong. `width` is that of the terminal.
pub fn render(story: &Story, program: &Program, map: &SourceMap, detail: Detail, width: usize) -> String {
    let all = entries(story, program, map, detail);
    let shown: Vec<&Entry> =
        all.iter().filter(|e| !matches!(e.event, Event::Leave { result: None, .. })).collect();
    let end = story.report.place;
    let digits = shown.iter().map(|e| e.place.line).chain([end.line]).max().unwrap_or(0).to_string().len();
    let room = width.saturating_sub(digits + 4).max(2 * NARROW);
    let lefts: Vec<(Option<u32>, Style, String)> = shown.iter().map(|e| left(e, map)).collect();
    let indent = |depth: usize| 2 * depth.min(LEVELS);
    let widest = shown.iter().zip(&lefts).filter(|(e, _)| !words(e).0.is_empty());
    let widest = widest.map(|(e, l)| indent(e.depth) + l.2.chars().count()).max().unwrap_or(0);
    let column = widest.clamp(NARROW, (room * 11 / 20).max(NARROW));
    let mut text = String::new();
    let mut file = None;
    let mut heading = |text: &mut String, place: Place| {
        if !place.is_none() && file != Some(place.file) {
            file = Some(place.file);
            let _ = writeln!(text, "{:digits$} {DIM}┌ {}{DIM:#}", "", map.file_name(place.file));
        }
    };
    for (entry, (number, style, source)) in shown.iter().zip(&lefts) {
        heading(&mut text, entry.place);
        let number = number.map_or_else(String::new, |n| n.to_string());
        let right = words(entry);
        let source =
            shorten(&format!("{:1$}{source}", "", indent(entry.depth)), right.0.is_empty(), column, room);
        let length = source.chars().count();
        let _ = write!(text, "{DIM}{number:>digits$} │{DIM:#} {style}{source}{style:#}");
        for (i, line) in right.lines(room.saturating_sub(column + 2)).iter().enumerate() {
            if line.is_empty() {
                continue;
            }
            let pad = if i == 0 { column.saturating_sub(length) } else { column };
            if i > 0 {
                let _ = write!(text, "\n{:digits$} {DIM}│{DIM:#} ", "");
            }
            let _ = write!(text, "{:pad$}  {line}", "");
        }
        text.push('\n');
    }
    heading(&mut text, end);
    failure(story, map, digits, indent(story.depth()), &mut text);
    text
}

/// A line that leaves room for what stands behind it.
fn shorten(line: &str, alone: bool, column: usize, room: usize) -> String {
    let most = if alone { room } else { column };
    if line.chars().count() <= most {
        return line.to_owned();
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The line of the error with a mark below it.
fn failure(story: &Story, map: &SourceMap, digits: usize, indent: usize, text: &mut String) {
    let place = story.report.place;
    let message = &story.report.message;
    let (line, cut) = line_text(map, place);
    if cut == usize::MAX {
        let _ = writeln!(text, "{:digits$} {BAD}│ {message}{BAD:#}", "");
        return;
    }
    let raw = map.line(place.file, place.line).unwrap_or_default();
    let chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
    let from = (place.col as usize - 1).clamp(cut, raw.len());
    let to = if place.end_line == place.line { place.end_col as usize - 1 } else { raw.len() };
    let to = to.clamp(from, raw.len());
    let (before, marked) = (indent + chars(&raw[cut..from]), chars(&raw[from..to]).max(1));
    let _ = writeln!(text, "{BAD}{:>digits$} │ {:indent$}{line}{BAD:#}", place.line, "");
    let _ = writeln!(text, "{:digits$} {BAD}│ {:before$}{} {message}{BAD:#}", "", "", "^".repeat(marked));
}

/// A trace for tools: at most as many entries as [`FOR_TOOLS`] says.
#[derive(Serialize)]
pub struct JsonTrace<'a> {
    steps: u64,
    /// Nothing was left out or folded.
    complete: bool,
    entries: Vec<JsonEntry<'a>>,
    error: Option<JsonPlace<'a>>,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonEntry<'a> {
    kind: &'static str,
    depth: usize,
    function: &'static str,
    place: Option<JsonPlace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    effects: Vec<JsonEffect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    callee: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// What is left out here, in the unit of `kind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum JsonEffect {
    Assigned { name: String, value: String },
    Input { name: Option<String>, function: &'static str, value: String },
    Decided { condition: Option<String>, holds: bool, reads: Vec<JsonEffect> },
    Changed { name: String, first: String, last: String },
}

fn json_effect(effect: Effect) -> JsonEffect {
    match effect {
        Effect::Assigned { name, value } => JsonEffect::Assigned { name, value },
        Effect::Input { name, function, value } => {
            JsonEffect::Input { name, function: function.as_str(), value }
        }
        Effect::Decided { condition, holds, reads, .. } => {
            JsonEffect::Decided { condition, holds, reads: assigned(reads) }
        }
    }
}

fn assigned(pairs: Vec<(String, String)>) -> Vec<JsonEffect> {
    pairs.into_iter().map(|(name, value)| JsonEffect::Assigned { name, value }).collect()
}

/// Is something left out here?
fn is_gap(event: &Event) -> bool {
    match event {
        Event::Line { more, .. } => *more > 0,
        Event::Enter { inside, .. } => inside.is_some(),
        Event::Leave { .. } => false,
        Event::Turns { .. } | Event::Calls { .. } | Event::Steps { .. } | Event::Lines { .. } => true,
    }
}

pub fn json<'a>(story: &'a Story, program: &Program, map: &'a SourceMap) -> JsonTrace<'a> {
    let place = |p: Place| (!p.is_none()).then(|| JsonPlace::new(map, p));
    let all = entries(story, program, map, FOR_TOOLS);
    let complete = !all.iter().any(|e| is_gap(&e.event));
    let entries = all.into_iter().map(|e| {
        let source = matches!(e.event, Event::Line { .. } | Event::Enter { .. } | Event::Leave { .. })
            .then(|| line_text(map, e.place).0);
        let mut entry = JsonEntry {
            kind: "line",
            depth: e.depth,
            function: e.function.as_str(),
            place: place(e.place),
            source,
            effects: vec![],
            callee: None,
            result: None,
            count: None,
        };
        let mut left_out = |kind, count| (entry.kind, entry.count) = (kind, Some(count));
        match e.event {
            Event::Line { effects, .. } => entry.effects = effects.into_iter().map(json_effect).collect(),
            Event::Enter { function, arguments, inside } => {
                entry.kind = "enter";
                entry.callee = Some(function.as_str());
                entry.effects = assigned(arguments);
                entry.count = inside;
            }
            Event::Leave { function, result } => {
                entry.kind = "leave";
                entry.callee = Some(function.as_str());
                entry.result = result;
            }
            Event::Turns { count, changes } => {
                left_out("turns", count);
                let changed = changes.into_iter().map(|c| JsonEffect::Changed {
                    name: c.name,
                    first: c.first,
                    last: c.last,
                });
                entry.effects = changed.collect();
            }
            Event::Calls { count } => left_out("calls", count),
            Event::Steps { count } => left_out("steps", count),
            Event::Lines { count } => left_out("lines", count),
        }
        entry
    });
    JsonTrace {
        steps: story.steps,
        complete,
        entries: entries.collect(),
        error: place(story.report.place),
        message: &story.report.message,
    }
}

/// What happened at an entry, without styles.
pub fn plain_words(entry: &Entry, map: &SourceMap) -> String {
    let text: Vec<String> = words(entry).0.into_iter().map(|(_, t)| t).collect();
    let text = text.join(" ");
    match entry.event {
        Event::Line { .. } | Event::Enter { .. } => text,
        Event::Leave { .. } if !text.is_empty() => text,
        Event::Leave { function, .. } => format!("← {function} returns"),
        _ => format!("{} {text}", left(entry, map).2).trim_end().to_owned(),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use cairn_base::Budget;
    use cairn_cfront::{Compiled, Input, Options, compile};
    use cairn_core::{Property, Task, Trace, replay::replay};
    use cairn_story::tell;

    pub fn told(text: &str, property: Property) -> (Compiled, Task, Story) {
        let input = Input::Text { name: "t.c".into(), text: text.into() };
        let compiled =
            compile(&[input], &Options::default(), None).unwrap_or_else(|r| panic!("{:?}", r.diagnostics));
        let task = Task::new(compiled.program.clone(), property, Default::default()).expect("a task");
        let (trace, budget) = (Trace::default(), Budget::default());
        let confirmed = replay(&task, &trace, &budget, None).expect("an error");
        let story = tell(&task, &trace, &confirmed, &budget).expect("a story");
        (compiled, task, story)
    }

    pub const PROGRAM: &str = "extern void reach_error(void);\nstatic int twice(int v) {\n\treturn 2 * v;\n}\n\
         int main(void) {\n    int s = 0;\n    for (int i = 0; i < 1000; i++)\n        s = twice(i);\n    \
         if (s == 1998) /* \u{e4} */ reach_error();\n    return 0;\n}\n";

    #[test]
    fn source_and_values() {
        let (compiled, task, story) = told(PROGRAM, Property::default());
        let text = render(&story, &task.program, &compiled.map, SHORT, 90);
        let text = anstream::adapter::strip_str(&text).to_string();
        let expected = "  ┌ t.c
6 │ int s = 0;                              s = 0
7 │ for (int i = 0; i < 1000; i++)          i = 0, i < 1000 is true
8 │ s = twice(i);                           → twice(v = 0)
3 │   return 2 * v;                         ← twice returns 0
8 │ s = twice(i);                           s = 0
7 │ for (int i = 0; i < 1000; i++)          i = 1, i < 1000 is true
8 │ s = twice(i);                           → twice(v = 1)
3 │   return 2 * v;                         ← twice returns 2
8 │ s = twice(i);                           s = 2
7 │ for (int i = 0; i < 1000; i++)          i = 2
  │ … 997 more turns of the loop in line…   s = 4 … 1996, i = 3 … 999
7 │ for (int i = 0; i < 1000; i++)          i < 1000 is true (i = 999)
8 │ s = twice(i);                           → twice(v = 999)
3 │   return 2 * v;                         ← twice returns 1998
8 │ s = twice(i);                           s = 1998
7 │ for (int i = 0; i < 1000; i++)          i = 1000, i < 1000 is false
9 │ if (s == 1998) /* \u{e4} */ reach_error();  s == 1998 is true (s = 1998)
9 │ if (s == 1998) /* \u{e4} */ reach_error();
  │                        ^^^^^^^^^^^^^ the error function was called
";
        let squeezed = |t: &str| t.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
        let shown = |t: &str| t.replace(" of the loop in line…", "").replace(" of the loop in line 7 …", "");
        assert_eq!(squeezed(&shown(&text)), squeezed(&shown(expected)), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 90), "{text}");
        let caret = text.lines().last().and_then(|l| l.chars().position(|c| c == '^'));
        let line =
            text.lines().rev().nth(1).and_then(|l| l.find("reach_error").map(|i| l[..i].chars().count()));
        assert_eq!(caret, line, "{text}");
    }

    #[test]
    fn narrow_terminals() {
        let (compiled, task, story) = told(PROGRAM, Property::default());
        for width in [0, 1, 40, 60, 500] {
            let text = render(&story, &task.program, &compiled.map, Detail::Entries(5), width);
            let text = anstream::adapter::strip_str(&text).to_string();
            assert!(text.contains("lines left out") && text.contains("reach_error"), "{text}");
        }
    }

    #[test]
    fn for_tools() {
        let (compiled, task, story) = told(PROGRAM, Property::default());
        let value = serde_json::to_value(json(&story, &task.program, &compiled.map)).expect("JSON");
        assert_eq!(value["complete"], false);
        let entries = value["entries"].as_array().expect("entries");
        let turns = entries.iter().find(|e| e["kind"] == "turns").expect("folded turns");
        assert_eq!(turns["count"], 997);
        assert_eq!(turns["effects"][1]["last"], "999");
        assert!(entries.iter().any(|e| e["kind"] == "leave" && e["result"] == "1998"));
        assert_eq!(value["error"]["line"], 9);
    }
}
