//! C text in, automata out: `tests/lowering/NAME.c` becomes `NAME.ir`, in both
//! data models where they differ (`NAME.32.ir`). `BLESS=1` writes what is there now.

use std::fmt::Write as _;
use std::path::Path;

use cairn_base::DataModel;
use cairn_cfront::{Compiled, Externals, Input, Options, compile};
use cairn_ir::{FuncId, LocId, Program};

fn lowered(path: &Path, model: DataModel) -> Compiled {
    let options = Options { externals: Externals::Open, ..Options::with_model(model) };
    match compile(&[Input::File(path.to_owned())], &options, None) {
        Ok(compiled) => compiled,
        Err(rejected) => {
            let all: Vec<&str> = rejected.diagnostics.iter().map(|d| d.message.as_str()).collect();
            panic!("{}: {}", path.display(), all.join("; "));
        }
    }
}

/// The user's functions and data without places, files and types for people; locations are
/// numbered in each function from its entry.
fn summary(compiled: &Compiled) -> String {
    let program = &compiled.program;
    let text = cairn_ir::text::print(program);
    let mut out = String::new();
    for u in &compiled.unmodelled {
        writeln!(out, "unmodelled {}", u.name).unwrap();
    }
    let mut skipping = false;
    let mut names: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if ["program", "entry ", "branches", "file ", "type "].iter().any(|k| line.starts_with(k)) {
            continue;
        }
        if let Some(rest) = line.strip_prefix("func ") {
            let name = rest.split([' ', '(']).next().unwrap_or("");
            let id = name.rsplit('.').next().and_then(|n| n.parse().ok()).map(FuncId::from_u32);
            let id = id.unwrap_or_else(|| panic!("no function in {line}"));
            skipping = program.funcs[id].is_model;
            names = renumbered(program, id);
        }
        if !skipping {
            writeln!(out, "{}", renamed(&without_places(line), &names)).unwrap();
        }
        if line == "}" {
            skipping = false;
            names.clear();
        }
    }
    out
}

fn without_places(line: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut skip = false;
    for word in line.split(' ') {
        let place = word.starts_with('@') && word[1..].starts_with(|c: char| c.is_ascii_digit());
        if std::mem::take(&mut skip) || place {
            continue;
        }
        if (word == "scope" || word == "type") && !line.contains('"') {
            skip = true;
            continue;
        }
        words.push(word);
    }
    words.join(" ")
}

/// The new names of a function's locations: in order of their ids, counted from 0.
fn renumbered(program: &Program, func: FuncId) -> Vec<(String, String)> {
    let Some(body) = &program.funcs[func].body else { return Vec::new() };
    let mut locs: Vec<LocId> = body.locs.clone();
    locs.sort();
    locs.iter().enumerate().map(|(i, l)| (l.to_string(), format!("l{i}"))).collect()
}

/// Edges lose their numbers, locations get new ones.
fn renamed(line: &str, names: &[(String, String)]) -> String {
    let indent = line.len() - line.trim_start().len();
    let words = line.trim_start().split(' ').enumerate().filter_map(|(i, word)| {
        let is_edge = i == 0 && word.starts_with('e') && word[1..].parse::<u32>().is_ok();
        let bare = word.trim_end_matches(':');
        let new = names.iter().find(|(old, _)| old == bare).map(|(_, new)| new.as_str());
        match new {
            _ if is_edge => None,
            Some(new) => Some(format!("{new}{}", &word[bare.len()..])),
            None => Some(word.to_owned()),
        }
    });
    format!("{}{}", &line[..indent], words.collect::<Vec<_>>().join(" "))
}

#[test]
fn programs_lower_as_recorded() {
    let dir = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
        .join("tests/lowering");
    let mut sources: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    sources.retain(|p| p.extension().is_some_and(|e| e == "c"));
    sources.sort();
    assert!(sources.len() >= 12);
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = Vec::new();
    for source in &sources {
        let found = summary(&lowered(source, DataModel::Lp64));
        let found32 = summary(&lowered(source, DataModel::Ilp32));
        let expected = source.with_extension("ir");
        let expected32 = source.with_extension("32.ir");
        if bless {
            std::fs::write(&expected, &found).unwrap();
            std::fs::write(&expected32, &found32).unwrap();
            continue;
        }
        for (found, expected) in [(found, expected), (found32, expected32)] {
            let text = std::fs::read_to_string(&expected).unwrap_or_default();
            if found != text {
                let first = found.lines().zip(text.lines()).find(|(a, b)| a != b);
                let first =
                    first.map_or_else(|| "lengths differ".into(), |(a, b)| format!("  is: {a}\n was: {b}"));
                failures.push(format!("{}:\n{first}", expected.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
