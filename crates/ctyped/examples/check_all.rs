//! Loads, parses and type-checks every file named on standard input, one path
//! per line, each as a program of its own. Says which ones fail, sorted into
//! classes, and how fast the checker is. `--32` selects ILP32.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cairn_base::{DataModel, Diagnostic, Kind, with_big_stack};
use cairn_csyntax::preprocess::{CppOptions, load};
use cairn_csyntax::{SourceMap, parse, render};
use cairn_ctyped::Checker;

fn main() {
    let ilp32 = std::env::args().any(|a| a == "--32");
    let paths: Vec<String> = io::stdin().lock().lines().map_while(Result::ok).collect();
    with_big_stack(|| {
        let model = if ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut totals = Totals::default();
        for path in &paths {
            totals.add(Path::new(path), model);
        }
        totals.print(paths.len());
    });
}

#[derive(Default)]
struct Totals {
    accepted: usize,
    /// Accepted, but a function body is unsupported.
    partly: usize,
    unsupported: usize,
    wrong: usize,
    bytes: usize,
    time: Duration,
    /// Messages with names taken out, and how often each occurs.
    classes: BTreeMap<String, usize>,
}

impl Totals {
    fn add(&mut self, path: &Path, model: DataModel) {
        let mut map = SourceMap::new();
        let directory = path.parent().map(PathBuf::from);
        let options = CppOptions { model, directory, ..CppOptions::default() };
        let unit = load(&mut map, path, &options).and_then(|loaded| {
            self.bytes += map.text(loaded.src).len();
            parse(loaded.src, map.text(loaded.src), loaded.dialect)
        });
        let unit = match unit {
            Ok(unit) => unit,
            Err(diagnostic) => return self.reject(&map, &[diagnostic]),
        };
        let start = Instant::now();
        let mut checker = Checker::new(model);
        let result = checker.unit(&unit);
        self.time += start.elapsed();
        if let Err(diagnostics) = result {
            return self.reject(&map, &diagnostics);
        }
        let (program, _) = checker.finish();
        let bodies: Vec<&Diagnostic> =
            program.funcs.values().filter_map(|f| f.unsupported.as_ref()).collect();
        match bodies.first() {
            None => self.accepted += 1,
            Some(first) => {
                self.partly += 1;
                self.class("body", first);
            }
        }
    }

    fn reject(&mut self, map: &SourceMap, diagnostics: &[Diagnostic]) {
        let Some(first) = diagnostics.iter().find(|d| d.kind == Kind::Error).or(diagnostics.first()) else {
            return;
        };
        let kind = match first.kind {
            Kind::Unsupported => {
                self.unsupported += 1;
                "unsupported"
            }
            _ => {
                self.wrong += 1;
                "error"
            }
        };
        self.class(kind, first);
        print!("{}", render::render(map, first, false));
    }

    fn class(&mut self, kind: &str, diagnostic: &Diagnostic) {
        let mut text = String::new();
        for (i, part) in diagnostic.message.split('\'').enumerate() {
            text.push_str(if i % 2 == 0 { part } else { "…" });
        }
        *self.classes.entry(format!("{kind}: {text}")).or_default() += 1;
    }

    fn print(&self, files: usize) {
        let mut classes: Vec<_> = self.classes.iter().collect();
        classes.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        for (class, count) in classes {
            println!("{count:6}  {class}");
        }
        println!(
            "{files} files: {} accepted, {} with unsupported bodies, {} unsupported, {} rejected; \
             {:.1} MB checked in {:.2?}: {:.1} MB/s",
            self.accepted,
            self.partly,
            self.unsupported,
            self.wrong,
            self.bytes as f64 / 1e6,
            self.time,
            self.bytes as f64 / 1e6 / self.time.as_secs_f64()
        );
    }
}
