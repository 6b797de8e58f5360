//! The long csmith batch: seeds FIRST.., each program compared with gcc in both
//! data models. Results are kept in a file, so that an interrupted batch goes
//! on where it stopped.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use cairn_base::DataModel;
use cairn_dev::cairn::Cairn;
use cairn_dev::csmith::{Comparison, check_installed, compare, generate};
use cairn_dev::{oracle, pool};
use clap::Parser;

/// Compare Cairn with gcc on csmith programs
#[derive(Parser)]
struct Args {
    /// Number of programs
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Where programs that differ and the results are kept
    #[arg(long, default_value = "csmith-results")]
    dir: PathBuf,
    /// Step limit of one run
    #[arg(long, default_value = "20G")]
    max_steps: String,
    /// Further options of `cairn run`
    #[arg(last = true)]
    options: Vec<String>,
}

/// `seed model` → `match`, `skipped`, `limit` or `mismatch`.
type Results = BTreeMap<(u64, String), String>;

fn main() -> ExitCode {
    match batch(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("csmith: {message}");
            ExitCode::from(2)
        }
    }
}

fn batch(args: &Args) -> Result<bool, String> {
    check_installed()?;
    let cairn = Cairn::beside_this_tool()?;
    fs::create_dir_all(&args.dir).map_err(|e| e.to_string())?;
    let log_path = args.dir.join("results.txt");
    let results = Mutex::new(read_log(&log_path));
    let log = fs::OpenOptions::new().create(true).append(true).open(&log_path).map_err(|e| e.to_string())?;
    let log = Mutex::new(log);
    let models: Vec<DataModel> = oracle::MODELS.into_iter().filter(|m| oracle::available(*m)).collect();
    let mut options = vec!["--max-steps".to_owned(), args.max_steps.clone()];
    options.extend(args.options.iter().cloned());

    let seeds: Vec<u64> = (args.first..args.first + args.count).collect();
    pool::map(&seeds, args.jobs, |&seed| {
        let todo: Vec<DataModel> = models
            .iter()
            .copied()
            .filter(|m| !results.lock().unwrap().contains_key(&(seed, m.to_string())))
            .collect();
        if todo.is_empty() {
            return;
        }
        let program = args.dir.join(format!("{seed}.c"));
        let mut keep = false;
        for model in todo {
            // The generator itself may not end.
            let compared = match generate(seed, &program) {
                Ok(()) => compare(&cairn, &program, model, &options, &args.dir),
                Err(_) => Ok(Comparison::Skipped),
            };
            let (word, detail) = match compared {
                Ok(Comparison::Match) => ("match", None),
                Ok(Comparison::Skipped) => ("skipped", None),
                Ok(Comparison::Limit(text)) => ("limit", Some(text)),
                Ok(Comparison::Mismatch(text)) | Err(text) => ("mismatch", Some(text)),
            };
            if let Some(text) = detail {
                keep = true;
                eprintln!("seed {seed} {model}: {word}\n{text}");
            }
            let _ = writeln!(log.lock().unwrap(), "{seed} {model} {word}");
            results.lock().unwrap().insert((seed, model.to_string()), word.to_owned());
        }
        if !keep {
            let _ = fs::remove_file(&program);
        }
    });

    let results = results.into_inner().unwrap();
    let mut clean = true;
    for model in &models {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for seed in &seeds {
            if let Some(word) = results.get(&(*seed, model.to_string())) {
                *counts.entry(word).or_default() += 1;
            }
        }
        let count = |word| counts.get(word).copied().unwrap_or(0);
        println!(
            "{model}: {} match, {} mismatch, {} limit, {} skipped (gcc's program runs over 5 s, or csmith over 60)",
            count("match"),
            count("mismatch"),
            count("limit"),
            count("skipped")
        );
        clean &= count("mismatch") + count("limit") == 0;
    }
    Ok(clean)
}

fn read_log(path: &Path) -> Results {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (seed, model, word) = (words.next()?.parse().ok()?, words.next()?, words.next()?);
            Some(((seed, model.to_owned()), word.to_owned()))
        })
        .collect()
}
