//! Coverage as one page: a summary by function, then the sources with what was
//! executed how often, which outcomes are missing, and what is dead. The page needs
//! nothing but itself.

use std::fmt::Write as _;

use cairn_base::FileId;
use cairn_csyntax::SourceMap;
use cairn_csyntax::render::position;

use crate::summary::{Coverage, Fate, FunctionRow, Line, Side, Tally, percent};

/// What stands above the page.
pub struct Heading<'a> {
    pub title: &'a str,
    /// The criterion's goals, in the plural.
    pub noun: &'a str,
    pub tests: usize,
    /// What the result rests on.
    pub ledger: &'a [String],
}

const STYLE: &str = "
:root { --ok: #dff3e0; --no: #fbdcdc; --dead: #e4e0f3; --part: #fff2cc; --ink: #1c2430; --dim: #6a7484; --line: #d8dde5; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.dim { color: var(--dim); } a { color: #2457a8; text-decoration: none; } a:hover { text-decoration: underline; }
table { border-collapse: collapse; } th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--line); }
th, td { padding: .2rem .7rem; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
table.sum td { border-bottom: 1px solid var(--line); }
.bar { display: inline-block; width: 7rem; height: .65rem; background: var(--no); border-radius: 3px; overflow: hidden; vertical-align: middle; }
.bar i { display: block; float: left; height: 100%; background: #4ca35a; } .bar i.d { background: #9a8cd0; }
table.src { width: 100%; font: 13px/1.5 ui-monospace, monospace; }
table.src td { padding: 0 .6rem; white-space: pre; vertical-align: top; }
table.src td.n { color: var(--dim); width: 1%; } table.src td.b { width: 1%; min-width: 11rem; white-space: normal; }
tr.hit td.t { background: var(--ok); } tr.miss td.t { background: var(--no); }
tr.dead td.t { background: var(--dead); } tr.part td.t { background: var(--part); }
tr:target td { outline: 2px solid #2457a8; outline-offset: -2px; }
.s { display: inline-block; border-radius: 3px; padding: 0 .3rem; margin-right: .15rem; }
.s.y { background: #bfe6c3; } .s.x { background: #f4b4b4; } .s.d { background: #cfc6ee; }
.key span { padding: .1rem .5rem; border-radius: 3px; margin-right: .4rem; }
";

/// The text of the page.
pub fn page(coverage: &Coverage<'_>, map: &SourceMap, heading: &Heading<'_>) -> String {
    let mut out = String::new();
    let tally = coverage.tally();
    let title = escape(heading.title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage of {title}</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>Coverage of {title}</h1>\n\
         <p>{} of {} {} covered ({:.1} %) by {} tests; {} unreachable, {} left.</p>\n",
        tally.covered,
        tally.goals,
        escape(heading.noun),
        tally.percent(),
        heading.tests,
        tally.proved + tally.explored,
        tally.left
    );
    out.push_str(
        "<p class=\"key\"><span style=\"background:var(--ok)\">executed</span>\
         <span style=\"background:var(--part)\">executed, an outcome is missing</span>\
         <span style=\"background:var(--no)\">never executed</span>\
         <span style=\"background:var(--dead)\">dead: no execution comes here</span></p>\n",
    );
    functions(coverage, &mut out);
    missing(coverage, map, &mut out);
    for (file, lines) in coverage.lines() {
        let hit = lines.values().filter(|l| l.count > 0).count();
        let _ = writeln!(
            out,
            "<h2>{}</h2>\n<p class=\"dim\">{hit} of {} lines executed ({:.1} %)</p>\n<table class=\"src\">",
            escape(map.file_name(file)),
            lines.len(),
            percent(hit, lines.len())
        );
        let mut number = 1;
        while let Some(text) = map.line(file, number) {
            source_line(file, number, &String::from_utf8_lossy(text), lines.get(&number), &mut out);
            number += 1;
        }
        out.push_str("</table>\n");
    }
    for remark in heading.ledger {
        let _ = writeln!(out, "<p class=\"dim\">{}</p>", escape(remark));
    }
    out.push_str("</body></html>\n");
    out
}

fn functions(coverage: &Coverage<'_>, out: &mut String) {
    out.push_str(
        "<table class=\"sum\"><tr><th>function</th><th class=\"n\">calls</th><th class=\"n\">goals</th>\
         <th class=\"n\">covered</th><th class=\"n\">unreachable</th><th class=\"n\">left</th><th></th></tr>\n",
    );
    for FunctionRow { name, place, calls, tally } in coverage.functions() {
        let unreachable = tally.proved + tally.explored;
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{}\">{}</a></td><td class=\"n\">{calls}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{unreachable}</td><td class=\"n\">{}</td>\
             <td>{}</td></tr>",
            anchor(place.file, place.line),
            escape(&name),
            tally.goals,
            tally.covered,
            tally.left,
            bar(&tally)
        );
    }
    out.push_str("</table>\n");
}

/// The goals of a function as a bar; nothing if it has none.
fn bar(tally: &Tally) -> String {
    if tally.goals == 0 {
        return String::new();
    }
    let (covered, unreachable) = (tally.percent(), percent(tally.proved + tally.explored, tally.goals));
    format!(
        "<span class=\"bar\"><i style=\"width:{covered:.1}%\"></i><i class=\"d\" style=\"width:{unreachable:.1}%\"></i></span>"
    )
}

/// Goals that nothing covers.
fn missing(coverage: &Coverage<'_>, map: &SourceMap, out: &mut String) {
    let open: Vec<_> = coverage.counted().filter(|(_, f)| **f != Fate::Covered).collect();
    if open.is_empty() {
        return;
    }
    out.push_str("<h2>Not covered</h2>\n<table class=\"sum\">\n");
    for (goal, fate) in open {
        let (class, why) = match fate {
            Fate::Unreachable { checked: true } => ("d", "unreachable, proved"),
            Fate::Unreachable { checked: false } => ("d", "unreachable, explored completely, not re-checked"),
            Fate::Left(why) => ("x", why.as_str()),
            Fate::Covered => continue,
        };
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td><span class=\"s {class}\">{}</span></td></tr>",
            anchor(goal.place.file, goal.place.line),
            escape(&position(map, goal.place)),
            escape(&goal.what),
            escape(why)
        );
    }
    out.push_str("</table>\n");
}

fn source_line(file: FileId, number: u32, text: &str, line: Option<&Line>, out: &mut String) {
    let class = match line {
        None => "",
        Some(l) if l.count == 0 && l.dead => "dead",
        Some(l) if l.count == 0 => "miss",
        Some(l) if l.sides.iter().any(|s| s.count == 0 && !s.dead) => "part",
        Some(_) => "hit",
    };
    let count = line.map_or_else(String::new, |l| l.count.to_string());
    let sides: String = line.map_or_else(String::new, |l| l.sides.iter().map(side).collect());
    let _ = writeln!(
        out,
        "<tr class=\"{class}\" id=\"{}\"><td class=\"n\">{number}</td><td class=\"n\">{count}</td>\
         <td class=\"b\">{sides}</td><td class=\"t\">{}</td></tr>",
        anchor(file, number),
        escape(text)
    );
}

fn side(side: &Side) -> String {
    let short = match side.what.strip_prefix("condition ") {
        Some("true") => "T",
        Some("false") => "F",
        _ => &side.what,
    };
    let (class, state) = match (side.count, side.dead) {
        (0, true) => ("d", "unreachable".to_owned()),
        (0, false) => ("x", "never".to_owned()),
        (n, _) => ("y", format!("{n} times")),
    };
    let (what, column) = (escape(&side.what), side.column);
    format!("<span class=\"s {class}\" title=\"{what} at column {column}: {state}\">{}</span>", escape(short))
}

fn anchor(file: FileId, line: u32) -> String {
    use cairn_base::EntityRef;
    format!("f{}l{line}", file.index())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
