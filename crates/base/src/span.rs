//! Positions. Inside the front end a position is a [`Span`], three words that
//! point into the preprocessed text; everything below the front end sees
//! [`Place`]s, positions in the user's own files.

use crate::entity_impl;

/// One preprocessed translation unit held by the front end's source map.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SrcId(u32);
entity_impl!(SrcId, "src");

/// A file as the user knows it (named by a line marker or on the command line).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A byte range `lo..hi` of a preprocessed translation unit.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    pub src: SrcId,
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub fn new(src: SrcId, lo: u32, hi: u32) -> Span {
        Span { src, lo, hi }
    }

    /// The smallest span that covers both (which lie in the same unit).
    pub fn to(self, end: Span) -> Span {
        Span { src: self.src, lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }
}

/// A range in a file of the user. Lines and columns count from 1, columns in
/// bytes; `end_col` is one past the last byte. `Place::NONE` (line 0) marks
/// what has no place in any file.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub col: u32,
    pub end_line: u32,
    pub end_col: u32,
}

impl Place {
    pub const NONE: Place = Place { file: FileId(0), line: 0, col: 0, end_line: 0, end_col: 0 };

    pub fn is_none(self) -> bool {
        self.line == 0
    }
}
