//! Loads and parses every file named on standard input, one path per line, and
//! says which ones fail and how fast the parser is. `--32` selects ILP32.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cairn_base::{DataModel, with_big_stack};
use cairn_csyntax::preprocess::{CppOptions, load};
use cairn_csyntax::{SourceMap, parse, render};

fn main() {
    let ilp32 = std::env::args().any(|a| a == "--32");
    let paths: Vec<String> = io::stdin().lock().lines().map_while(Result::ok).collect();
    with_big_stack(|| {
        let model = if ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut total = Totals::default();
        for path in &paths {
            total.add(Path::new(path), model);
        }
        println!(
            "{} of {} files parsed; {:.1} MB preprocessed in {:.2?}, parsed in {:.2?}: {:.1} MB/s",
            total.parsed,
            paths.len(),
            total.bytes as f64 / 1e6,
            total.loading,
            total.parsing,
            total.bytes as f64 / 1e6 / total.parsing.as_secs_f64()
        );
    });
}

#[derive(Default)]
struct Totals {
    parsed: usize,
    bytes: usize,
    loading: Duration,
    parsing: Duration,
}

impl Totals {
    fn add(&mut self, path: &Path, model: DataModel) {
        let mut map = SourceMap::new();
        // Headers next to a file are found from its own directory.
        let directory = path.parent().map(PathBuf::from);
        let options = CppOptions { model, directory, ..CppOptions::default() };
        let start = Instant::now();
        let loaded = load(&mut map, path, &options);
        self.loading += start.elapsed();
        let unit = loaded.and_then(|loaded| {
            let text = map.text(loaded.src);
            self.bytes += text.len();
            let start = Instant::now();
            let unit = parse(loaded.src, text, loaded.dialect);
            self.parsing += start.elapsed();
            unit
        });
        match unit {
            Ok(_) => self.parsed += 1,
            Err(diagnostic) => print!("{}", render::render(&map, &diagnostic, false)),
        }
    }
}
