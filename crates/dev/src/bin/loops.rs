//! Random programs with loops: what engines say of them beside the run of all
//! their executions. Prints figures, and every program about which something
//! is wrong.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cairn_dev::cairn::Cairn;
use cairn_dev::loops::{Outcome, Said, Truth, compare};
use cairn_dev::pool;
use clap::Parser;

/// Compare engines with the run of all executions of random programs
#[derive(Parser)]
struct Args {
    /// Number of programs
    #[arg(long, default_value_t = 300)]
    count: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// Engines, separated by commas
    #[arg(long, default_value = "gps,gps-lite,kinduction,bmc")]
    engines: String,
    /// Seconds for each engine and program
    #[arg(long, default_value_t = 5.0)]
    time: f64,
    /// Programs at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Where the programs are kept
    #[arg(long, default_value = "loops-results")]
    dir: PathBuf,
}

fn main() -> ExitCode {
    match work(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("loops: {message}");
            ExitCode::from(2)
        }
    }
}

fn work(args: &Args) -> Result<bool, String> {
    let cairn = Cairn::beside_this_tool()?;
    std::fs::create_dir_all(&args.dir).map_err(|e| format!("{}: {e}", args.dir.display()))?;
    let engines: Vec<&str> = args.engines.split(',').collect();
    let time = Duration::try_from_secs_f64(args.time).map_err(|e| format!("--time: {e}"))?;
    let seeds: Vec<u64> = (args.first..args.first + args.count).collect();
    let outcomes = pool::map(&seeds, args.jobs, |&seed| {
        let outcome = compare(&cairn, seed, &engines, time, &args.dir)?;
        for what in outcome.wrong() {
            println!("seed {seed}: {what}\n{}", outcome.text);
        }
        Ok(outcome)
    });
    let outcomes = outcomes.into_iter().collect::<Result<Vec<Outcome>, String>>()?;
    let of = |truth| outcomes.iter().filter(|o| o.truth == truth).count();
    let (safe, bad, open) = (of(Truth::Safe), of(Truth::Unsafe), of(Truth::Open));
    println!("{} programs: {safe} safe, {bad} unsafe, {open} not known by execution", outcomes.len());
    for (i, engine) in engines.iter().enumerate() {
        let said = |what: Said| outcomes.iter().filter(|o| o.said[i].1 == what).count();
        let seconds: f64 = outcomes.iter().map(|o| o.said[i].2.as_secs_f64()).sum();
        println!(
            "{engine:>12}: {} TRUE, {} FALSE, {} UNKNOWN, {} faults, {seconds:.1} s",
            said(Said::True),
            said(Said::False),
            said(Said::Unknown),
            said(Said::Fault)
        );
    }
    let wrong = outcomes.iter().filter(|o| !o.wrong().is_empty()).count();
    println!("{wrong} programs with something wrong");
    Ok(wrong == 0)
}
