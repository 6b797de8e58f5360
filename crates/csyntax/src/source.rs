//! The source map: preprocessed units on one side, the user's files on the
//! other, and the way from a [`Span`] in the first to a [`Place`] in the second.
//!
//! Lines follow the line markers (`# 12 "f.c" 2`, `#line 12`) that the
//! preprocessor leaves. Columns need more: `gcc -E` keeps the indentation but
//! squeezes blanks, drops comments and expands macros, so each line is aligned,
//! when first asked for, with the line of the user's file it came from
//! ([`crate::align`]). Lowering asks for a place per edge, nearly always close to
//! the one before, so the last answer is tried first and everything else is a
//! binary search.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cairn_base::{Diagnostic, FileId, Place, PrimaryMap, Span, SrcId};
use rustc_hash::FxHashMap;

use crate::align::Alignment;

/// Larger files are not read just to show a column.
const MAX_ORIGINAL: u64 = 256 << 20;
/// Longer lines are not aligned: the column of the preprocessed text stands.
const MAX_ALIGNED: usize = 1 << 20;

#[derive(Default, Debug)]
pub struct SourceMap {
    units: PrimaryMap<SrcId, Unit>,
    files: PrimaryMap<FileId, File>,
    ids: HashMap<String, FileId>,
    recent: Mutex<Recent>,
}

#[derive(Debug)]
struct Unit {
    text: Vec<u8>,
    /// Where each line starts.
    lines: Vec<u32>,
    /// In the order of their lines; the first one is at line 0.
    markers: Vec<Marker>,
}

/// From line `at` of the preprocessed text (counted from 0) on, the lines are
/// those of `file` from `line` on.
#[derive(Copy, Clone, Debug)]
struct Marker {
    at: u32,
    file: FileId,
    line: u32,
}

#[derive(Debug)]
struct File {
    name: String,
    path: PathBuf,
    /// The unit that is this file's own text (nothing was preprocessed).
    unit: Option<SrcId>,
    text: OnceLock<Option<Original>>,
}

/// A file of the user as it is on disk.
#[derive(Debug)]
struct Original {
    text: Vec<u8>,
    lines: Vec<u32>,
}

/// What the last questions were answered with.
#[derive(Default, Debug)]
struct Recent {
    src: Option<SrcId>,
    line: usize,
    marker: usize,
    alignments: FxHashMap<(SrcId, u32), Arc<Alignment>>,
}

/// How a unit's own file names relate to what the user calls the files.
#[derive(Copy, Clone, Default, Debug)]
pub struct Naming<'a> {
    /// The directory that relative names in markers start from, if not the current one.
    pub directory: Option<&'a Path>,
    /// The name given to the preprocessor for the main file, if not the user's.
    pub main: Option<&'a str>,
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a preprocessed unit. `name` is the user's name of its main file,
    /// which all lines belong to until a marker says otherwise.
    pub fn add_unit(&mut self, name: &str, text: Vec<u8>, naming: Naming<'_>) -> Result<SrcId, Diagnostic> {
        let text = match join_lines(&text) {
            Cow::Owned(joined) => joined,
            Cow::Borrowed(_) => text,
        };
        if u32::try_from(text.len()).is_err() {
            return Err(Diagnostic::global(format!("{name}: the file is larger than 4 GiB")));
        }
        let main = self.file(name, Path::new(name));
        let lines = line_starts(&text);
        let mut markers = vec![Marker { at: 0, file: main, line: 1 }];
        for (index, &start) in lines.iter().enumerate() {
            let Some((line, file)) = marker(&text[start as usize..]) else { continue };
            let file = match file {
                None => markers[markers.len() - 1].file,
                Some(marked) if Some(&*marked) == naming.main => main,
                Some(marked) => match naming.directory {
                    Some(directory) if Path::new(&marked).is_relative() && !marked.starts_with('<') => {
                        let path = directory.join(&marked);
                        self.file(&path.to_string_lossy(), &path)
                    }
                    _ => self.file(&marked, Path::new(&marked)),
                },
            };
            markers.push(Marker { at: index as u32 + 1, file, line });
        }
        let own = markers.len() == 1;
        let src = self.units.push(Unit { text, lines, markers });
        if own {
            self.files[main].unit = Some(src);
        }
        Ok(src)
    }

    /// Adds the user's own text as a unit: no marker in it counts.
    pub(crate) fn add_raw(&mut self, name: &str, text: Vec<u8>) -> Result<SrcId, Diagnostic> {
        if u32::try_from(text.len()).is_err() {
            return Err(Diagnostic::global(format!("{name}: the file is larger than 4 GiB")));
        }
        let file = self.file(name, Path::new(name));
        let markers = vec![Marker { at: 0, file, line: 1 }];
        let lines = line_starts(&text);
        let src = self.units.push(Unit { text, lines, markers });
        self.files[file].unit = Some(src);
        Ok(src)
    }

    /// The id of a file; the same name gives the same id.
    fn file(&mut self, name: &str, path: &Path) -> FileId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let path = path.to_owned();
        let id = self.files.push(File { name: name.to_owned(), path, unit: None, text: OnceLock::new() });
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// Adds a file whose text is known and is no preprocessed unit.
    pub fn add_file(&mut self, name: &str, text: Vec<u8>) -> FileId {
        let id = self.file(name, Path::new(name));
        let lines = line_starts(&text);
        // A text that is known already stays.
        let _ = self.files[id].text.set(Some(Original { text, lines }));
        id
    }

    pub fn text(&self, src: SrcId) -> &[u8] {
        &self.units[src].text
    }

    pub fn file_name(&self, file: FileId) -> &str {
        &self.files[file].name
    }

    /// The names of all files in the order of their ids.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|f| f.name.as_str())
    }

    /// A line of a user's file, counted from 1, without its line end.
    pub fn line(&self, file: FileId, line: u32) -> Option<&[u8]> {
        let file = self.files.get(file)?;
        match file.unit {
            Some(src) => {
                let unit = &self.units[src];
                let index = (line as usize).checked_sub(1).filter(|&i| i < unit.lines.len())?;
                Some(unit.line(index))
            }
            None => file.original()?.line(line),
        }
    }

    /// A line of preprocessed text: the one that holds `offset`, and where it starts.
    pub fn preprocessed_line(&self, src: SrcId, offset: u32) -> (&[u8], u32) {
        let unit = &self.units[src];
        let index = unit.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        (unit.line(index), unit.lines[index])
    }

    /// Where the user wrote what `span` covers.
    pub fn resolve(&self, span: Span) -> Place {
        let Some(unit) = self.units.get(span.src) else { return Place::NONE };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.src != Some(span.src) {
            (recent.src, recent.line, recent.marker) = (Some(span.src), 0, 0);
        }
        let start_line = unit.line_at(span.lo, recent.line);
        let start_marker = unit.marker_at(start_line, recent.marker);
        (recent.line, recent.marker) = (start_line, start_marker);
        let (file, line) = unit.origin(start_line, start_marker);
        let col = self.column(&mut recent, span.src, start_line, (file, line), span.lo, Side::Start);
        // The last byte is what must be found: the end itself may be a line further.
        let last = if span.hi > span.lo { span.hi - 1 } else { span.hi };
        let end_line = unit.line_at(last, start_line);
        let end_marker = unit.marker_at(end_line, start_marker);
        let (end_file, end) = unit.origin(end_line, end_marker);
        let place = Place { file, line, col, end_line: line, end_col: col };
        if span.hi <= span.lo || end_file != file || end < line {
            return place;
        }
        let end_col = self.column(&mut recent, span.src, end_line, (file, end), span.hi, Side::End);
        let end_col = if end == line { end_col.max(col) } else { end_col };
        Place { end_line: end, end_col, ..place }
    }

    /// The column, counted from 1, at which the user wrote `offset` of a preprocessed line.
    fn column(
        &self,
        recent: &mut Recent,
        src: SrcId,
        index: usize,
        (file, line): (FileId, u32),
        offset: u32,
        side: Side,
    ) -> u32 {
        let unit = &self.units[src];
        let within = offset - unit.lines[index];
        // Without markers the text is the user's own.
        if unit.markers.len() == 1 {
            return within + 1;
        }
        let text = unit.line(index);
        let original = match self.line(file, line) {
            Some(original) if original != text && original.len().max(text.len()) <= MAX_ALIGNED => original,
            _ => return within + 1,
        };
        let alignment = recent
            .alignments
            .entry((src, index as u32))
            .or_insert_with(|| Arc::new(Alignment::new(text, original)));
        1 + match side {
            Side::Start => alignment.start(within),
            Side::End => alignment.end(within),
        }
    }

    /// The span of a place in a unit that has no markers (the user's own text).
    pub fn span_at(&self, src: SrcId, line: u32, col: u32) -> Span {
        let unit = &self.units[src];
        let index = (line.max(1) as usize - 1).min(unit.lines.len() - 1);
        let start = unit.lines[index];
        let text = unit.line(index);
        let from = (col.max(1) as usize - 1).min(text.len());
        let length = crate::align::piece_length(&text[from..]);
        Span::new(src, start + from as u32, start + (from + length) as u32)
    }
}

#[derive(Copy, Clone)]
enum Side {
    Start,
    End,
}

impl Unit {
    fn line(&self, index: usize) -> &[u8] {
        line_text(&self.text, &self.lines, index)
    }

    /// The line that holds `offset`; `near` is tried first, with the one after it.
    fn line_at(&self, offset: u32, near: usize) -> usize {
        for index in [near, near + 1] {
            let starts = self.lines.get(index).is_some_and(|&start| start <= offset);
            if starts && self.lines.get(index + 1).is_none_or(|&next| offset < next) {
                return index;
            }
        }
        self.lines.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    fn marker_at(&self, line: usize, near: usize) -> usize {
        let starts = self.markers.get(near).is_some_and(|m| m.at as usize <= line);
        if starts && self.markers.get(near + 1).is_none_or(|m| line < m.at as usize) {
            return near;
        }
        self.markers.partition_point(|m| m.at as usize <= line).saturating_sub(1)
    }

    fn origin(&self, line: usize, marker: usize) -> (FileId, u32) {
        let marker = self.markers[marker];
        (marker.file, marker.line.saturating_add(line as u32 - marker.at))
    }
}

impl File {
    fn original(&self) -> Option<&Original> {
        self.text.get_or_init(|| Original::read(&self.path)).as_ref()
    }
}

impl Original {
    fn read(path: &Path) -> Option<Original> {
        let metadata = std::fs::metadata(path).ok()?;
        if !metadata.is_file() || metadata.len() > MAX_ORIGINAL {
            return None;
        }
        let text = std::fs::read(path).ok()?;
        let lines = line_starts(&text);
        Some(Original { text, lines })
    }

    fn line(&self, line: u32) -> Option<&[u8]> {
        let index = (line as usize).checked_sub(1).filter(|&i| i < self.lines.len())?;
        Some(line_text(&self.text, &self.lines, index))
    }
}

fn line_starts(text: &[u8]) -> Vec<u32> {
    let mut lines = Vec::with_capacity(text.len() / 24 + 1);
    lines.push(0);
    lines.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1));
    lines
}

fn line_text<'t>(text: &'t [u8], lines: &[u32], index: usize) -> &'t [u8] {
    let start = lines[index] as usize;
    let end = lines.get(index + 1).map_or(text.len(), |&next| next as usize - 1);
    let line = &text[start..end];
    let blanks = line.iter().rev().take_while(|b| **b == b'\r').count();
    &line[..line.len() - blanks]
}

/// Reads `# 12 "file" flags`, `#line 12 "file"` or `#line 12` at the start of a
/// line: the number of the next line, and its file if that changes.
fn marker(text: &[u8]) -> Option<(u32, Option<String>)> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t');
    let skip = |t: &[u8]| t.iter().take_while(|b| blank(b)).count();
    let text = &text[skip(text)..];
    let text = text.strip_prefix(b"#")?;
    let text = &text[skip(text)..];
    let text = match text.strip_prefix(b"line") {
        Some(rest) => &rest[skip(rest)..],
        None => text,
    };
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let number: u32 = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    let rest = &text[digits..];
    let rest = &rest[skip(rest)..];
    let Some(quoted) = rest.strip_prefix(b"\"") else { return Some((number, None)) };
    let mut name = vec![];
    let mut at = 0;
    loop {
        match quoted.get(at)? {
            b'"' => break,
            b'\n' => return None,
            b'\\' => {
                // gcc writes `\\`, `\"` and three octal digits.
                let octal = quoted.get(at + 1..at + 4).filter(|d| d.iter().all(|b| matches!(b, b'0'..=b'7')));
                if let Some(octal) = octal {
                    name.push(octal.iter().fold(0u8, |v, d| v.wrapping_mul(8).wrapping_add(d - b'0')));
                    at += 4;
                } else {
                    name.push(*quoted.get(at + 1)?);
                    at += 2;
                }
            }
            byte => {
                name.push(*byte);
                at += 1;
            }
        }
    }
    // gcc names the working directory as a file that ends in `//`.
    if name.ends_with(b"//") {
        return None;
    }
    Some((number, Some(String::from_utf8_lossy(&name).into_owned())))
}

/// Removes backslash-newline pairs. To keep later lines where they are, the
/// newlines taken out follow at the end of the joined line, as in `gcc -E`.
pub(crate) fn join_lines(text: &[u8]) -> Cow<'_, [u8]> {
    let splice = |at: usize| {
        let blanks = text[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        (text.get(at + 1 + blanks) == Some(&b'\n')).then_some(at + 2 + blanks)
    };
    let Some(first) = memchr::memchr_iter(b'\\', text).find(|&at| splice(at).is_some()) else {
        return Cow::Borrowed(text);
    };
    let mut joined = Vec::with_capacity(text.len());
    joined.extend_from_slice(&text[..first]);
    let (mut at, mut owed) = (first, 0);
    while at < text.len() {
        match text[at] {
            b'\\' => match splice(at) {
                Some(after) => {
                    owed += 1;
                    at = after;
                    continue;
                }
                None => joined.push(b'\\'),
            },
            b'\n' => {
                joined.resize(joined.len() + std::mem::take(&mut owed) + 1, b'\n');
            }
            byte => joined.push(byte),
        }
        at += 1;
    }
    Cow::Owned(joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_base::EntityRef;

    fn at(map: &SourceMap, src: SrcId, needle: &str) -> (String, u32, u32, u32, u32) {
        let text = String::from_utf8_lossy(map.text(src)).into_owned();
        let lo = text.find(needle).unwrap_or_else(|| panic!("{needle}"));
        let place = map.resolve(Span::new(src, lo as u32, (lo + needle.len()) as u32));
        (map.file_name(place.file).to_owned(), place.line, place.col, place.end_line, place.end_col)
    }

    #[test]
    fn lines_follow_the_markers() {
        let mut map = SourceMap::new();
        let text = "zero\n# 10 \"a.c\"\n  one\ntwo\n#line 7\nthree\n# 1 \"dir/b\\\"x.h\" 1 3\nfour\n# 8 \"a.c\" 2\nfive six\n";
        let src = map.add_unit("u.i", text.into(), Naming::default()).unwrap();
        assert_eq!(at(&map, src, "zero"), ("u.i".into(), 1, 1, 1, 5));
        assert_eq!(at(&map, src, "one"), ("a.c".into(), 10, 3, 10, 6));
        assert_eq!(at(&map, src, "one\ntwo"), ("a.c".into(), 10, 3, 11, 4));
        assert_eq!(at(&map, src, "three"), ("a.c".into(), 7, 1, 7, 6));
        assert_eq!(at(&map, src, "four"), ("dir/b\"x.h".into(), 1, 1, 1, 5));
        assert_eq!(at(&map, src, "six"), ("a.c".into(), 8, 6, 8, 9));
        // Back and forth: the recent answer does not mislead.
        assert_eq!(at(&map, src, "zero").1, 1);
        assert_eq!(at(&map, src, "two").1, 11);
        assert_eq!(map.file_names().count(), 3);
    }

    #[test]
    fn columns_are_those_of_the_file() {
        let mut map = SourceMap::new();
        let original =
            "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint   x  =  MAX(p,   q) /* c */ ;\n\treturn  x;\n";
        map.add_file("m.c", original.into());
        let text = "# 1 \"m.c\"\n\nint x = ((p) > (q) ? (p) : (q)) ;\n\treturn x;\n";
        let src = map.add_unit("m.c", text.into(), Naming::default()).unwrap();
        assert_eq!(at(&map, src, "x ="), ("m.c".into(), 2, 7, 2, 11));
        assert_eq!(at(&map, src, "p)").2, 17);
        assert_eq!(at(&map, src, "q)").2, 22);
        assert_eq!(at(&map, src, "((p").2, 13);
        assert_eq!(at(&map, src, " ;").4, 34);
        assert_eq!(at(&map, src, "x;"), ("m.c".into(), 3, 10, 3, 12));
    }

    #[test]
    fn a_span_of_nothing_has_a_place() {
        let mut map = SourceMap::new();
        let src = map.add_unit("f.c", b"int x\nint y;".to_vec(), Naming::default()).unwrap();
        let place = map.resolve(Span::new(src, 5, 5));
        assert_eq!((place.line, place.col, place.end_col), (1, 6, 6));
        assert_eq!(map.resolve(Span::new(src, 12, 12)).line, 2);
    }

    #[test]
    fn names_are_those_the_user_knows() {
        let mut map = SourceMap::new();
        let naming = Naming { directory: Some(Path::new("sub")), main: Some("/abs/m.c") };
        let text = b"# 1 \"/abs/m.c\"\na\n# 1 \"h.h\" 1\nb\n# 1 \"<built-in>\"\nc\n".to_vec();
        let src = map.add_unit("m.c", text, naming).unwrap();
        assert_eq!(at(&map, src, "a\n").0, "m.c");
        assert_eq!(at(&map, src, "b\n").0, "sub/h.h");
        assert_eq!(at(&map, src, "c\n").0, "<built-in>");
    }

    #[test]
    fn spliced_lines_are_joined_without_moving_the_next() {
        assert_eq!(&*join_lines(b"a\\\nb\\ \r\nc\nd"), b"abc\n\n\nd");
        assert!(matches!(join_lines(b"a\\n b"), Cow::Borrowed(_)));
        assert_eq!(&*join_lines(b"x\\\n"), b"x");
    }

    #[test]
    fn a_unit_without_markers_is_its_file() {
        let mut map = SourceMap::new();
        let src = map.add_unit("<model>", b"int a;\nint b;\n".to_vec(), Naming::default()).unwrap();
        let place = map.resolve(Span::new(src, 11, 12));
        assert_eq!(map.line(place.file, place.line), Some(&b"int b;"[..]));
        assert_eq!(map.line(place.file, 9), None);
    }

    #[test]
    fn foreign_units_have_no_place() {
        assert!(SourceMap::new().resolve(Span::new(SrcId::new(3), 0, 1)).is_none());
    }
}
