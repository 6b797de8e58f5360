//! Truncated and mutated versions of the test programs never make the front
//! end panic, and what it accepts never makes the executor panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Command;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_dev::{oracle, pool, task};
use cairn_sem::{Captured, Executor};
use oorandom::Rand64;

const MUTANTS: u64 = 3000;

#[test]
fn mutants_never_panic() {
    let mut files = Vec::new();
    task::collect(&oracle::root().join("tests/programs"), "c", &mut files).expect("test programs");
    files.sort();
    let chosen: Vec<PathBuf> = files.into_iter().step_by(4).collect();
    // Programs with headers that gcc does not have are left out.
    let mut texts = pool::map(&chosen, 2, |file| {
        let out = Command::new("gcc").args(["-E", "-P", "-w", "-m64"]).arg(file).output().expect("gcc");
        String::from_utf8(out.stdout).expect("test programs are text")
    });
    texts.retain(|text| !text.is_empty());
    let seeds: Vec<u64> = (0..MUTANTS).collect();
    let failures: Vec<String> = pool::map(&seeds, 2, |&seed| {
        let text = mutate(&texts[seed as usize % texts.len()], seed);
        let result = catch_unwind(AssertUnwindSafe(|| survive(&text)));
        match result {
            Ok(None) => String::new(),
            Ok(Some(why)) => format!("seed {seed}: {why}\n"),
            Err(_) => format!("seed {seed} panics\n"),
        }
    });
    let failures = failures.concat();
    assert!(failures.is_empty(), "{failures}");
}

/// Compiles and runs for a while; what is wrong with that, if anything.
fn survive(text: &str) -> Option<String> {
    let input = Input::Text { name: "mutant.c".to_owned(), text: text.to_owned() };
    let compiled = match compile(&[input], &Options::with_model(DataModel::Lp64), None) {
        Ok(compiled) => compiled,
        Err(rejected) if rejected.internal => return Some(format!("internal: {:?}", rejected.diagnostics)),
        Err(rejected) if rejected.diagnostics.is_empty() => {
            return Some("rejected without a reason".to_owned());
        }
        Err(rejected) => {
            for diagnostic in &rejected.diagnostics {
                cairn_csyntax::render::render(&rejected.map, diagnostic, false);
            }
            return None;
        }
    };
    let budget = Budget { max_steps: 50_000, max_memory: 64 << 20, ..Budget::default() };
    let mut io = Captured::default();
    Executor::new(&compiled.program, cairn_sem::Options::default(), budget).run(&mut io);
    None
}

/// One of a few kinds of damage.
fn mutate(text: &str, seed: u64) -> String {
    let mut random = Rand64::new(seed.into());
    let mut bytes = text.as_bytes().to_vec();
    let mut below = |n: usize| random.rand_range(0..n.max(1) as u64) as usize;
    match seed % 5 {
        0 => bytes.truncate(below(bytes.len())),
        1 => {
            let at = below(bytes.len());
            let end = (at + 1 + below(40)).min(bytes.len());
            bytes.drain(at..end);
        }
        2 => {
            let at = below(bytes.len());
            let end = (at + 1 + below(60)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = below(bytes.len());
            bytes.splice(to..to, piece);
        }
        3 => {
            for _ in 0..1 + below(4) {
                let at = below(bytes.len());
                bytes[at] = b"(){}[];,*&=+-<>?:.\"'#0x "[below(24)];
            }
        }
        _ => {
            let words = [
                "int",
                "struct",
                "if",
                "while",
                "return",
                "sizeof",
                "switch",
                "case 1:",
                "goto x;",
                "typedef",
                "1e999",
                "0x",
                "...",
                "->",
                "__int128",
                "void",
                "static",
                "?:",
                "<<=",
                "L\"x\"",
                "_Generic(",
                "({",
            ];
            let word = words[below(words.len())];
            let at = below(bytes.len());
            bytes.splice(at..at, word.bytes());
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
