//! SVG, drawn without any other program.
//!
//! The layout is our own ([`super::layout`]) rather than a library's because a
//! control-flow drawing stands or falls with two things that we want to decide:
//! room for the conditions on the arrows, and back edges beside their loops.

use std::fmt::Write;

use super::layout::{Input, InputArrow, Output, layout};
use super::{ArrowLook, Look, Picture, pictures};
use cairn_ir::{FuncId, Program};

/// Text is set in a monospaced font, whose widths are known.
const CHAR: f64 = 7.25;
const LINE: f64 = 15.0;
const LABEL_LINE: f64 = 14.0;
const PAD: f64 = 8.0;
/// Longer lines are cut; the whole text is shown when the mouse rests on it.
const MAX_CHARS: usize = 64;
const MAX_LABEL: usize = 44;
/// Labels of several operations take so many lines.
const LABEL_LINES: usize = 3;
/// Pictures of more boxes than this are not drawn.
const MAX_BOXES: usize = 3000;
const TITLE: f64 = 30.0;
const MARGIN: f64 = 24.0;
/// Functions are set in rows of about this width.
const ROW: f64 = 1800.0;

const STYLE: &str = "text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}\
.title{font-weight:bold;font-size:14px}.head{fill:#78838f;font-size:10px}\
.frame{fill:#fff;stroke:#cfd8dc}.edge{fill:none;stroke:#546e7a;stroke-width:1.3}\
.true{stroke:#2e7d32}.false{stroke:#c0562f}.back{stroke:#2d6cc0}\
.lab{fill:#fff;opacity:.88}.lt{font-size:11px}.ltrue{fill:#2e7d32}.lfalse{fill:#b0481f}\
.plain{fill:#f7f9fb;stroke:#607d8b}.entry{fill:#e8f5e9;stroke:#2e7d32}.exit{fill:#eceff1;stroke:#607d8b}\
.loop{fill:#e3f0fc;stroke:#2d6cc0;stroke-width:2}.error{fill:#fdeaea;stroke:#c62828;stroke-width:1.6}\
.dead{fill:#fafafa;stroke:#b0bec5;stroke-dasharray:5 3}\
.visited{fill:#e8f1fb;stroke:#2d6cc0}.closed{fill:#eceff1;stroke:#78909c}\
.covered{fill:#f4effa;stroke:#7e57c2;stroke-dasharray:5 3}.folded{fill:#fff;stroke:#b0bec5;stroke-dasharray:2 3}\
.note{font-style:italic;font-size:11px;fill:#47545f}.walked{stroke:#2d6cc0;stroke-width:2}\
.fatal{stroke:#c62828;stroke-width:2.4}.cover{stroke:#7e57c2;stroke-dasharray:6 4}";

/// One function, or, side by side, all that a run may enter.
pub fn svg(p: &Program, func: Option<FuncId>) -> String {
    sheet(&pictures(p, func).iter().map(Drawing::new).collect::<Vec<_>>())
}

impl Picture {
    /// The picture alone.
    pub fn svg(&self) -> String {
        sheet(&[Drawing::new(self)])
    }
}

fn sheet(drawings: &[Drawing]) -> String {
    let (mut x, mut y, mut row, mut width) = (MARGIN, MARGIN, 0.0f64, 0.0f64);
    let mut body = String::new();
    for d in drawings {
        if x > MARGIN && x + d.width > ROW {
            (x, y, row) = (MARGIN, y + row + MARGIN, 0.0);
        }
        let _ = writeln!(body, "<g transform=\"translate({x:.1},{y:.1})\">{}</g>", d.text);
        x += d.width + MARGIN;
        width = width.max(x);
        row = row.max(d.height);
    }
    let (width, height) = (width.max(80.0), y + row + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n<defs>{}</defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n",
        ["546e7a", "2e7d32", "c0562f", "2d6cc0", "7e57c2", "c62828"].map(marker).concat()
    )
}

fn marker(colour: &str) -> String {
    format!(
        "<marker id=\"a{colour}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0,0.5 L7.5,4 L0,7.5 z\" fill=\"#{colour}\"/></marker>"
    )
}

/// A function with its frame.
struct Drawing {
    text: String,
    width: f64,
    height: f64,
}

impl Drawing {
    fn new(picture: &Picture) -> Drawing {
        if picture.boxes.len() > MAX_BOXES {
            return Drawing::too_large(picture);
        }
        let size = |b: &super::DrawnBox| {
            let head = b.head.chars().count() as f64 * CHAR * 10.0 / 12.0;
            let texts = b.lines.iter().chain(&b.notes);
            let longest = texts.map(|line| line.chars().count().min(MAX_CHARS)).max().unwrap_or(0);
            let width = (longest as f64 * CHAR).max(head).max(30.0);
            (width + 2.0 * PAD, ((b.lines.len() + b.notes.len()) as f64 + 1.0) * LINE + PAD)
        };
        let arrow = |a: &super::Arrow| {
            let lines = wrap(&a.label);
            let chars = lines.iter().map(|l| l.chars().count().min(MAX_LABEL)).max().unwrap_or(0);
            let width = if chars > 0 { chars as f64 * CHAR * 11.0 / 12.0 + 8.0 } else { 0.0 };
            let label = (width, lines.len() as f64 * LABEL_LINE);
            InputArrow { from: a.from, to: a.to, back: a.back, label }
        };
        let input = Input {
            boxes: picture.boxes.iter().map(size).collect(),
            arrows: picture.arrows.iter().map(arrow).collect(),
        };
        let plan = layout(&input);
        let title_width = picture.title.chars().count() as f64 * CHAR * 14.0 / 12.0 + 2.0 * PAD;
        let (legend, legend_width) = legend(picture);
        let top = if legend.is_empty() { TITLE } else { TITLE + 2.0 * LINE };
        let width = (plan.width + 2.0 * MARGIN).max(title_width).max(legend_width);
        let height = plan.height + top + MARGIN / 2.0;
        let mut text = frame(&picture.title, width, height) + &legend;
        let _ = write!(text, "<g transform=\"translate({:.1},{top})\">", (width - plan.width) / 2.0);
        draw_arrows(&mut text, picture, &plan);
        draw_boxes(&mut text, picture, &input, &plan);
        draw_labels(&mut text, picture, &input, &plan);
        text += "</g>";
        Drawing { text, width, height }
    }

    fn too_large(picture: &Picture) -> Drawing {
        let note = format!("{} boxes are too many to draw; use DOT", picture.boxes.len());
        let (width, height) = (480.0, TITLE + 2.0 * LINE);
        let mut text = frame(&picture.title, width, height);
        let _ = write!(text, "<text x=\"{PAD}\" y=\"{:.1}\">{note}</text>", TITLE + LINE);
        Drawing { text, width, height }
    }
}

fn frame(title: &str, width: f64, height: f64) -> String {
    format!(
        "<rect class=\"frame\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"/>\
         <text class=\"title\" x=\"{PAD}\" y=\"20\">{}</text>\n",
        escape(title)
    )
}

/// A row of small boxes with what they mean, and its width.
fn legend(picture: &Picture) -> (String, f64) {
    let (mut text, mut x) = (String::new(), PAD);
    for (look, meaning) in &picture.legend {
        let _ = write!(
            text,
            "<rect class=\"{}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"18\" height=\"12\" rx=\"3\"/>\
             <text class=\"lt\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            class(*look),
            TITLE + 1.0,
            x + 24.0,
            TITLE + 11.0,
            escape(meaning)
        );
        x += 24.0 + meaning.chars().count() as f64 * CHAR * 11.0 / 12.0 + 18.0;
    }
    (text, x)
}

fn class(look: Look) -> &'static str {
    match look {
        Look::Plain => "plain",
        Look::Entry => "entry",
        Look::Exit => "exit",
        Look::LoopHead => "loop",
        Look::Error => "error",
        Look::Unreachable => "dead",
        Look::Visited => "visited",
        Look::Closed => "closed",
        Look::Covered => "covered",
        Look::Folded => "folded",
    }
}

fn draw_arrows(text: &mut String, picture: &Picture, plan: &Output) {
    for (a, drawn) in picture.arrows.iter().zip(&plan.arrows) {
        let (class, colour) = match a.look {
            ArrowLook::Plain => ("edge", "546e7a"),
            ArrowLook::Branch(true) => ("edge true", "2e7d32"),
            ArrowLook::Branch(false) => ("edge false", "c0562f"),
            ArrowLook::Back => ("edge back", "2d6cc0"),
            ArrowLook::Cover => ("edge cover", "7e57c2"),
            ArrowLook::Walked => ("edge walked", "2d6cc0"),
            ArrowLook::Fatal => ("edge fatal", "c62828"),
        };
        let _ =
            writeln!(text, "<path class=\"{class}\" d=\"{}\" marker-end=\"url(#a{colour})\"/>", drawn.path);
    }
}

fn draw_boxes(text: &mut String, picture: &Picture, input: &Input, plan: &Output) {
    for (b, (&(w, h), &(x, y))) in picture.boxes.iter().zip(input.boxes.iter().zip(&plan.boxes)) {
        let round = if b.look == Look::Exit { 12 } else { 3 };
        let _ = write!(
            text,
            "<g id=\"{}\"><rect class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"{round}\"/>\
             <text class=\"head\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            escape(&b.id),
            class(b.look),
            x + PAD,
            y + LINE - 2.0,
            escape(&b.head)
        );
        let lines = b.lines.iter().map(|line| (line, ""));
        let notes = b.notes.iter().map(|note| (note, " class=\"note\""));
        for (i, (line, class)) in lines.chain(notes).enumerate() {
            let (x, y) = (x + PAD, y + LINE * (i as f64 + 2.0) - 2.0);
            let _ = write!(text, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", cut(line, MAX_CHARS));
        }
        text.push_str("</g>\n");
    }
}

fn draw_labels(text: &mut String, picture: &Picture, input: &Input, plan: &Output) {
    for (a, (size, drawn)) in picture.arrows.iter().zip(input.arrows.iter().zip(&plan.arrows)) {
        if a.label.is_empty() {
            continue;
        }
        let ((w, h), (x, y)) = (size.label, drawn.label);
        let class = match a.look {
            ArrowLook::Branch(true) => "lt ltrue",
            ArrowLook::Branch(false) => "lt lfalse",
            _ => "lt",
        };
        let _ = writeln!(
            text,
            "<rect class=\"lab\" x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>",
            x - w / 2.0,
            y - h / 2.0,
        );
        for (i, line) in wrap(&a.label).iter().enumerate() {
            let y = y - h / 2.0 + LABEL_LINE * (i as f64 + 1.0) - 3.5;
            let line = cut(line, MAX_LABEL);
            let _ = writeln!(
                text,
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{line}</text>"
            );
        }
    }
}

/// The lines of a label. Only between operations is there a new one; what is too much stays in the
/// last line, to be cut there.
fn wrap(label: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in label.split_inclusive("; ").filter(|p| !p.is_empty()) {
        let room = |line: &String| line.chars().count() + part.trim_end().chars().count() <= MAX_LABEL;
        let full = lines.len() == LABEL_LINES;
        match lines.last_mut() {
            Some(line) if full || room(line) => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// At most `max` characters; the whole as a tooltip if some are cut.
fn cut(line: &str, max: usize) -> String {
    if line.chars().count() <= max {
        return escape(line);
    }
    let start: String = line.chars().take(max - 1).collect();
    format!("{}\u{2026}<title>{}</title>", escape(&start), escape(line))
}

/// As XML text; characters that XML does not allow become a mark.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
