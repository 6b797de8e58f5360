//! Which part of a line of the user's file a part of the preprocessed line came from.
//!
//! Both lines are cut into pieces. What they have in common at the start and
//! at the end is matched one to one; in between, where a macro was expanded, the
//! k-th occurrence of a word goes to its k-th occurrence in the user's line, and
//! what the user did not write goes to the name of the macro it stems from. With
//! several macros on a line that is a guess, but one close by.

use rustc_hash::FxHashMap;

/// One piece of the preprocessed line and where it came from, in bytes from
/// the start of either line.
#[derive(Copy, Clone, Debug)]
struct AlignedRun {
    lo: u32,
    hi: u32,
    from_lo: u32,
    from_hi: u32,
}

/// How far to look ahead for a word that both lines have.
const NEAR: usize = 64;

#[derive(Debug)]
pub struct Alignment {
    pieces: Vec<AlignedRun>,
}

impl Alignment {
    pub fn new(line: &[u8], original: &[u8]) -> Alignment {
        let (ours, theirs) = (pieces(line), pieces(original));
        let our_text = |i: usize| &line[ours[i].0..ours[i].1];
        let their_text = |i: usize| &original[theirs[i].0..theirs[i].1];
        let shorter = ours.len().min(theirs.len());
        let prefix = (0..shorter).take_while(|&i| our_text(i) == their_text(i)).count();
        let from_end = |n: usize| our_text(ours.len() - 1 - n) == their_text(theirs.len() - 1 - n);
        let suffix = (0..shorter - prefix).take_while(|&n| from_end(n)).count();
        let our_middle = prefix..ours.len() - suffix;
        let their_middle = prefix..theirs.len() - suffix;

        // The k-th occurrence of a word to the k-th; of other signs only if there
        // are as many on both sides.
        let mut found: FxHashMap<&[u8], (usize, Vec<usize>)> = FxHashMap::default();
        for i in their_middle.clone().rev() {
            found.entry(their_text(i)).or_default().1.push(i);
        }
        for i in our_middle.clone() {
            if let Some((count, _)) = found.get_mut(our_text(i)) {
                *count += 1;
            }
        }
        found.retain(|text, (count, places)| is_word(text) || *count == places.len());
        let mut matched: Vec<Option<usize>> = vec![None; ours.len()];
        for i in our_middle.clone() {
            matched[i] = found.get_mut(our_text(i)).and_then(|(_, places)| places.pop());
        }
        // Words of the user that nothing matches are names of macros.
        let mut macros: Vec<usize> = found.into_values().flat_map(|(_, places)| places).collect();
        macros.sort_unstable();
        let mut guessed: Vec<Option<usize>> = vec![None; ours.len()];
        let mut last = None;
        for i in our_middle {
            if matched[i].is_some() {
                last = matched[i];
                continue;
            }
            // The next macro after the last word found, unless another known word
            // comes first: then the text belongs to the macro before.
            let next = matched[i..].iter().take(NEAR).flatten().next();
            let after = macros.partition_point(|&m| last.is_some_and(|last| m <= last));
            let candidate = macros.get(after).filter(|&m| next.is_none_or(|next| m < next));
            let before = || after.checked_sub(1).map(|at| macros[at]);
            guessed[i] = candidate.copied().or_else(before).or(Some(their_middle.start));
        }
        for (slot, guess) in matched.iter_mut().zip(guessed) {
            *slot = slot.or(guess);
        }
        for (i, slot) in matched.iter_mut().enumerate() {
            if i < prefix {
                *slot = Some(i);
            } else if i >= ours.len() - suffix {
                *slot = Some(theirs.len() - (ours.len() - i));
            }
        }
        let end = original.trim_ascii_end().len();
        let place = |i: Option<usize>| i.and_then(|i| theirs.get(i)).copied().unwrap_or((end, end));
        let pieces = ours.iter().zip(matched).map(|(&(lo, hi), from)| {
            let (from_lo, from_hi) = place(from);
            AlignedRun { lo: lo as u32, hi: hi as u32, from_lo: from_lo as u32, from_hi: from_hi as u32 }
        });
        Alignment { pieces: pieces.collect() }
    }

    /// Where a thing that starts at `offset` starts in the user's line.
    pub fn start(&self, offset: u32) -> u32 {
        let at = self.pieces.partition_point(|p| p.lo <= offset);
        match at.checked_sub(1).map(|at| self.pieces[at]) {
            None => self.pieces.first().map_or(offset, |first| first.from_lo.min(offset)),
            Some(piece) if offset >= piece.hi => piece.from_hi,
            Some(piece) => {
                (piece.from_lo + (offset - piece.lo)).min(piece.from_hi.max(piece.from_lo + 1) - 1)
            }
        }
    }

    /// Where a thing that ends before `offset` ends in the user's line.
    pub fn end(&self, offset: u32) -> u32 {
        let at = self.pieces.partition_point(|p| p.lo < offset);
        match at.checked_sub(1).map(|at| self.pieces[at]) {
            None => offset,
            Some(piece) if offset >= piece.hi => piece.from_hi,
            Some(piece) => (piece.from_lo + (offset - piece.lo)).min(piece.from_hi),
        }
    }
}

fn word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || b >= 0x80
}

fn is_word(piece: &[u8]) -> bool {
    piece.first().is_some_and(|&b| word_byte(b) || matches!(b, b'"' | b'\''))
}

/// How long the piece at the start of `text` is: a word, a literal, or one byte.
pub fn piece_length(text: &[u8]) -> usize {
    match text.first() {
        None => 0,
        Some(&quote @ (b'"' | b'\'')) => {
            let mut at = 1;
            while at < text.len() && text[at] != quote {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
            (at + 1).min(text.len())
        }
        Some(&b) if word_byte(b) => text.iter().take_while(|&&b| word_byte(b)).count(),
        Some(_) => 1,
    }
}

/// The pieces of a line, without blanks and comments.
fn pieces(line: &[u8]) -> Vec<(usize, usize)> {
    let mut list = vec![];
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") {
            break;
        } else if rest.starts_with(b"/*") {
            at += memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |n| n + 4);
        } else {
            let length = piece_length(rest);
            list.push((at, at + length));
            at += length;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The user's text for each occurrence of `needle`.
    fn found<'t>(line: &str, original: &'t str, needle: &str) -> Vec<&'t str> {
        let alignment = Alignment::new(line.as_bytes(), original.as_bytes());
        let places = line.match_indices(needle);
        places
            .map(|(at, text)| {
                let lo = alignment.start(at as u32) as usize;
                let hi = alignment.end((at + text.len()) as u32) as usize;
                &original[lo..hi.max(lo)]
            })
            .collect()
    }

    #[test]
    fn squeezed_blanks() {
        assert_eq!(found("int x = y + 1;", "int   x=y  +   1;", "y + 1"), ["y  +   1"]);
        assert_eq!(found("f(x, x, x);", "f( x , /*x*/ x, x );", "x"), ["x", "x", "x"]);
    }

    #[test]
    fn expanded_macros() {
        assert_eq!(found("a = (8) + b;", "a = EIGHT + b;", "(8)"), ["EIGHT"]);
        assert_eq!(found("a = (8) + b;", "a = EIGHT + b;", "b"), ["b"]);
        let line = "((void) sizeof ((x > 0) ? 1 : 0));";
        assert_eq!(found(line, "assert(x > 0);", "x"), ["x"]);
        assert_eq!(found(line, "assert(x > 0);", "((void"), ["assert"]);
        let line = "r = ((p) > (q) ? 1 : 0) + 40;";
        assert_eq!(found(line, "r = MORE(p,  q) + FORTY;", ">"), ["MORE"]);
        assert_eq!(found(line, "r = MORE(p,  q) + FORTY;", "40"), ["FORTY"]);
    }

    #[test]
    fn nothing_in_common() {
        let alignment = Alignment::new(b"x y", b"");
        assert_eq!((alignment.start(0), alignment.end(3)), (0, 0));
        let alignment = Alignment::new(b"", b"a b");
        assert_eq!((alignment.start(0), alignment.end(0)), (0, 0));
    }
}
