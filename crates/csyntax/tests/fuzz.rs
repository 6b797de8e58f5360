//! Broken input never crashes: fixtures are truncated and mutated with a fixed
//! seed, parsed, and whatever comes out is rendered.

mod common;

use std::time::{Duration, Instant};

use cairn_base::with_big_stack;
use cairn_csyntax::source::Naming;
use cairn_csyntax::{Dialect, SourceMap, parse, render};
use common::fixtures;

/// Marsaglia's xorshift: small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Parses and renders; whether it is C does not matter, only that we survive
/// and that every error has a place.
fn survive(text: Vec<u8>) {
    let mut map = SourceMap::new();
    let src = map.add_unit("fuzz.c", text, Naming::default()).expect("small");
    if let Err(diagnostic) = parse(src, map.text(src), Dialect::default()) {
        let span = diagnostic.span.expect("syntax errors have a place");
        assert!(span.lo <= span.hi && span.hi as usize <= map.text(src).len());
        assert!(!map.resolve(span).is_none());
        assert!(render::render(&map, &diagnostic, false).contains(&diagnostic.message));
    }
}

fn sources() -> Vec<Vec<u8>> {
    let files = fixtures("accept").into_iter().chain(fixtures("reject"));
    files.map(|f| std::fs::read(f).unwrap()).collect()
}

#[test]
fn truncated() {
    with_big_stack(|| {
        for source in sources() {
            for end in (0..source.len()).step_by(7) {
                survive(source[..end].to_vec());
                survive(source[end..].to_vec());
            }
        }
    });
}

#[test]
fn mutated() {
    with_big_stack(|| {
        let sources = sources();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let until = Instant::now() + Duration::from_secs(3);
        let mut rounds = 0;
        while rounds < 20_000 && Instant::now() < until {
            let mut text = sources[random.below(sources.len())].clone();
            for _ in 0..=random.below(4) {
                mutate(&mut text, &sources, &mut random);
            }
            survive(text);
            rounds += 1;
        }
        assert!(rounds > 100);
    });
}

fn mutate(text: &mut Vec<u8>, sources: &[Vec<u8>], random: &mut Random) {
    const BYTES: &[u8] = b"(){}[]<>;:,.#\\\"'*&=+-%/?!~^|0eLu_x\n\r\t \x01\x7f\x80\xc3\xff";
    const WORDS: [&str; 16] = [
        "struct ",
        "typedef ",
        "__attribute__((",
        "({",
        "[[",
        "_Generic(",
        "sizeof(",
        "case ",
        "else ",
        "int ",
        "typeof(",
        "asm(",
        "\n#pragma pack(push,1)\n",
        "\n# 99999999999 \"x\" 1\n",
        "...",
        "\\u12",
    ];
    let at = random.below(text.len() + 1);
    match random.below(6) {
        0 => text.insert(at, BYTES[random.below(BYTES.len())]),
        1 => drop(text.drain(at..text.len().min(at + 1 + random.below(6)))),
        2 if at < text.len() => text[at] = BYTES[random.below(BYTES.len())],
        3 => drop(text.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
        4 => {
            // A piece of another file.
            let other = &sources[random.below(sources.len())];
            let from = random.below(other.len());
            let to = other.len().min(from + random.below(40));
            text.splice(at..at, other[from..to].iter().copied());
        }
        _ => {
            let end = text.len().min(at + random.below(30));
            let piece = text[at..end].to_vec();
            let target = random.below(text.len() + 1);
            text.splice(target..target, piece);
        }
    }
}
