//! Text inserted into a unit without moving any line.

use crate::sources::Range;

/// Text around a range. Where ranges coincide, the one of the lower level is the outer one.
struct Edit {
    range: Range,
    level: u8,
    pre: String,
    post: String,
}

#[derive(Default)]
pub struct Edits(Vec<Edit>);

impl Edits {
    pub fn around(&mut self, range: Range, level: u8, pre: impl Into<String>, post: impl Into<String>) {
        self.0.push(Edit { range, level, pre: pre.into(), post: post.into() });
    }

    /// The text with all insertions. Ranges nest or are disjoint, as syntax does.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        // At one offset, what ends there (inner first) comes before what begins (outer first).
        let mut pieces = Vec::new();
        for (n, e) in self.0.iter().enumerate() {
            let ((lo, hi), n) = (e.range, n as i64);
            let level = i64::from(e.level);
            let begin = if lo == hi { 2 } else { 1 };
            pieces.push((lo, begin, -i64::from(hi), level, n, &e.pre));
            pieces.push((hi, if lo == hi { 2 } else { 0 }, -i64::from(lo), -level, -n, &e.post));
        }
        pieces.sort();
        let mut out = Vec::with_capacity(text.len() + pieces.iter().map(|p| p.5.len()).sum::<usize>());
        let mut at = 0usize;
        for (offset, .., piece) in pieces {
            let offset = (offset as usize).min(text.len());
            out.extend_from_slice(&text[at.min(offset)..offset]);
            at = offset;
            out.extend_from_slice(piece.as_bytes());
        }
        out.extend_from_slice(&text[at..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_nest() {
        let mut edits = Edits::default();
        edits.around((4, 8), 4, "<i>", "</i>");
        edits.around((4, 8), 2, "<o>", "</o>");
        edits.around((0, 3), 0, "[", "]");
        edits.around((4, 9), 0, "{", "}");
        edits.around((3, 3), 0, "|", "");
        assert_eq!(edits.apply(b"abc f(x);"), b"[abc]| {<o><i>f(x)</i></o>;}");
    }
}
