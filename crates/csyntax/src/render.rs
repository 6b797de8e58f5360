//! Diagnostics as text: `file:line:column`, the line of the user's file and a
//! caret below it, drawn by codespan-reporting.

use std::ops::Range;

use cairn_base::{Diagnostic, Kind, Place, Span};
use codespan_reporting::diagnostic::{Diagnostic as Drawn, Label, LabelStyle, Severity};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::{self, Chars, Config, termcolor};

use crate::source::SourceMap;

/// Lines longer than this are cut around the caret.
const WIDTH: usize = 120;

/// A diagnostic of the front end as text that ends in a newline.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, colour: bool) -> String {
    let mut report = Report::new(map, diagnostic.kind, &diagnostic.message);
    if let Some(span) = diagnostic.span {
        report.at_span(span, "", LabelStyle::Primary);
    }
    for (message, span) in &diagnostic.notes {
        match span {
            Some(span) => report.at_span(*span, message, LabelStyle::Secondary),
            None => report.notes.push(message.clone()),
        }
    }
    report.draw(colour)
}

/// A message about places in the user's files: the first is the main one,
/// the others carry remarks. For layers that know places but no spans.
pub fn render_places(
    map: &SourceMap,
    kind: Kind,
    message: &str,
    places: &[(Place, &str)],
    colour: bool,
) -> String {
    let mut report = Report::new(map, kind, message);
    for (index, (place, remark)) in places.iter().enumerate() {
        let style = if index == 0 { LabelStyle::Primary } else { LabelStyle::Secondary };
        report.at_place(*place, remark, style);
    }
    report.draw(colour)
}

/// `file:line:col` of a place.
pub fn position(map: &SourceMap, place: Place) -> String {
    if place.is_none() {
        return "<nowhere>".to_owned();
    }
    format!("{}:{}:{}", map.file_name(place.file), place.line, place.col)
}

struct Report<'m> {
    map: &'m SourceMap,
    kind: Kind,
    message: String,
    excerpts: Excerpts,
    labels: Vec<Label<usize>>,
    notes: Vec<String>,
}

impl<'m> Report<'m> {
    fn new(map: &'m SourceMap, kind: Kind, message: &str) -> Report<'m> {
        Report {
            map,
            kind,
            message: message.to_owned(),
            excerpts: Excerpts(vec![]),
            labels: vec![],
            notes: vec![],
        }
    }

    fn at_span(&mut self, span: Span, remark: &str, style: LabelStyle) {
        let place = self.map.resolve(span);
        if place.is_none() {
            return;
        }
        match self.map.line(place.file, place.line) {
            Some(_) => self.at_place(place, remark, style),
            None => {
                // The user's file is not there: show the preprocessed line.
                let (line, start) = self.map.preprocessed_line(span.src, span.lo);
                let from = (span.lo - start) as usize;
                let to = (span.hi.saturating_sub(start) as usize).min(line.len());
                self.excerpt(place, line, from..to, remark, style);
            }
        }
    }

    fn at_place(&mut self, place: Place, remark: &str, style: LabelStyle) {
        if place.is_none() {
            return;
        }
        let Some(line) = self.map.line(place.file, place.line) else {
            let position = position(self.map, place);
            self.notes.push(if remark.is_empty() { position } else { format!("{position}: {remark}") });
            return;
        };
        let to = if place.end_line == place.line { place.end_col as usize - 1 } else { line.len() };
        self.excerpt(place, line, place.col as usize - 1..to, remark, style);
    }

    fn excerpt(&mut self, place: Place, line: &[u8], marked: Range<usize>, remark: &str, style: LabelStyle) {
        let start = marked.start.min(line.len());
        let end = marked.end.clamp(start, line.len());
        // A window of whole lines where they are short, around the caret where not.
        let first = if line.len() <= WIDTH { 0 } else { start.saturating_sub(WIDTH / 2) };
        let last = line.len().min(first + WIDTH);
        let text = printable(&line[first..last]);
        let start = boundary(&text, start - first);
        let end = boundary(&text, end.min(last) - first).max(start);
        let id = self.excerpts.0.len();
        self.excerpts.0.push(Excerpt {
            name: self.map.file_name(place.file).to_owned(),
            line: place.line as usize,
            column: place.col as usize,
            text,
        });
        self.labels.push(Label::new(style, id, start..end).with_message(remark));
    }

    fn draw(self, colour: bool) -> String {
        let (severity, code) = match self.kind {
            Kind::Error => (Severity::Error, None),
            Kind::Unsupported => (Severity::Error, Some("unsupported")),
            Kind::Warning => (Severity::Warning, None),
        };
        let mut drawn =
            Drawn::new(severity).with_message(self.message).with_labels(self.labels).with_notes(self.notes);
        if let Some(code) = code {
            drawn = drawn.with_code(code);
        }
        let config = Config { chars: Chars::ascii(), ..Config::default() };
        let mut buffer = if colour { termcolor::Buffer::ansi() } else { termcolor::Buffer::no_color() };
        // Writing to memory does not fail, and every excerpt asked for exists.
        let _ = term::emit_to_write_style(&mut buffer, &config, &self.excerpts, &drawn);
        let text = String::from_utf8_lossy(buffer.as_slice()).into_owned();
        format!("{}\n", text.trim_end())
    }
}

/// Bytes as text of the same length, so that offsets stay: what cannot be shown is `?`.
fn printable(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.extend(chunk.valid().chars().map(|c| if c.is_ascii_control() && c != '\t' { '?' } else { c }));
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// The nearest character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// One line of one file, perhaps cut, with the column that its label has in the file.
struct Excerpt {
    name: String,
    line: usize,
    column: usize,
    text: String,
}

struct Excerpts(Vec<Excerpt>);

impl Excerpts {
    fn get(&self, id: usize) -> Result<&Excerpt, Error> {
        self.0.get(id).ok_or(Error::FileMissing)
    }
}

impl<'a> Files<'a> for Excerpts {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.name)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.text)
    }

    fn line_index(&'a self, _: usize, _: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn line_number(&'a self, id: usize, _: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.line)
    }

    fn column_number(&'a self, id: usize, _: usize, _: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.column)
    }

    fn line_range(&'a self, id: usize, _: usize) -> Result<Range<usize>, Error> {
        Ok(0..self.get(id)?.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Naming;

    fn map(text: &str) -> (SourceMap, cairn_base::SrcId) {
        let mut map = SourceMap::new();
        map.add_file("f.c", text.into());
        let src = map.add_unit("f.c", text.into(), Naming::default()).unwrap();
        (map, src)
    }

    #[test]
    fn a_snippet_with_a_caret() {
        let (map, src) = map("int f(void);\n\tint x = y;\n");
        let diagnostic = Diagnostic::error(Span::new(src, 22, 23), "'y' undeclared")
            .note("declared here", Some(Span::new(src, 4, 5)))
            .note("think again", None);
        let text = render(&map, &diagnostic, false);
        let expected = "\
error: 'y' undeclared
  --> f.c:2:10
  |
2 |     int x = y;
  |             ^
  |
  --> f.c:1:5
  |
1 | int f(void);
  |     - declared here
  |
  = think again
";
        assert_eq!(text, expected);
        assert!(render(&map, &diagnostic, true).contains("\u{1b}["));
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let line = format!("{}@{}", "x+".repeat(500_000), "+y".repeat(500_000));
        let (map, src) = map(&line);
        let text = render(&map, &Diagnostic::unsupported(Span::new(src, 1_000_000, 1_000_001), "at"), false);
        assert!(text.contains("error[unsupported]: at"), "{text}");
        assert!(text.contains("f.c:1:1000001"), "{text}");
        assert!(text.contains('@') && text.len() < 1000, "{text}");
        let caret = text.lines().find(|l| l.contains('^')).unwrap();
        let shown = text.lines().find(|l| l.contains('@')).unwrap();
        assert_eq!(caret.find('^'), shown.find('@'));
    }

    #[test]
    fn without_the_file_the_preprocessed_line_is_shown() {
        let mut map = SourceMap::new();
        let text = "# 7 \"gone.c\"\nint \u{fffd}x;\n".replace('\u{fffd}', "y ");
        let src = map.add_unit("f.i", text.into_bytes(), Naming::default()).unwrap();
        let text = render(&map, &Diagnostic::error(Span::new(src, 17, 18), "what"), false);
        assert!(text.contains("gone.c:7:5") && text.contains("int y x;"), "{text}");
    }

    #[test]
    fn places_alone() {
        let (map, src) = map("a b\nc\n");
        let place = map.resolve(Span::new(src, 2, 3));
        let text = render_places(&map, Kind::Warning, "here", &[(place, "")], false);
        assert!(text.starts_with("warning: here\n  --> f.c:1:3\n"), "{text}");
        assert_eq!(position(&map, place), "f.c:1:3");
        let text = render(&map, &Diagnostic::global("f.c: no such file"), false);
        assert_eq!(text, "error: f.c: no such file\n");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(printable(b"a\xff\x1bb\t"), "a??b\t");
        assert_eq!(boundary("é", 1), 0);
    }
}
