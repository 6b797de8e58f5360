//! Benchmarks beside gcc on the same machine in the same run: `bench exec`
//! for the executor, `bench front` for the front end. Each figure is the best
//! of a few runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use cairn_base::DataModel;
use cairn_dev::cairn::Cairn;
use cairn_dev::process::{Status, run};
use cairn_dev::{oracle, source};
use clap::{Parser, Subcommand};

/// Measure Cairn beside gcc
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    what: What,
    /// Runs of which the best counts
    #[arg(long, default_value_t = 3, global = true)]
    repeat: usize,
}

#[derive(Subcommand)]
enum What {
    /// Execution of the programs in benches/ against gcc -O0
    Exec,
    /// Reading a large preprocessed file against gcc -O0 -c, and the start-up time
    Front {
        /// Lines of the generated file
        #[arg(long, default_value_t = 50_000)]
        lines: usize,
    },
}

const HOUR: Duration = Duration::from_secs(3600);

fn main() -> ExitCode {
    let args = Args::parse();
    let done = Cairn::beside_this_tool().and_then(|cairn| match args.what {
        What::Exec => exec(&cairn, args.repeat),
        What::Front { lines } => front(&cairn, args.repeat, lines),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn exec(cairn: &Cairn, repeat: usize) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut programs: Vec<PathBuf> = Vec::new();
    cairn_dev::task::collect(&oracle::root().join("benches"), "c", &mut programs)
        .map_err(|e| e.to_string())?;
    programs.sort();
    println!(
        "{:<12} {:>9} {:>9} {:>7} {:>9} {:>7}",
        "program", "gcc -O0", "native", "ratio", "interp", "ratio"
    );
    for program in programs {
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let exe = dir.path().join(&name);
        oracle::build(std::slice::from_ref(&program), DataModel::HOST, &[], &exe)?;
        let (gcc, wanted) = best(repeat, || Command::new(&exe))?;
        let tier = |tier: &str, repeat: usize| -> Result<Duration, String> {
            let (time, output) = best(repeat, || {
                let mut command = Command::new(&cairn.exe);
                command.args(["run", "--quiet", "--tier", tier]).arg(&program);
                command
            })?;
            if output == wanted {
                Ok(time)
            } else {
                Err(format!("{name}: the {tier} tier prints something else"))
            }
        };
        let (native, interp) = (tier("native", repeat)?, tier("interp", 1)?);
        let ratio = |t: Duration| t.as_secs_f64() / gcc.as_secs_f64();
        println!(
            "{name:<12} {:>8.3}s {:>8.3}s {:>6.2}x {:>8.3}s {:>6.1}x",
            gcc.as_secs_f64(),
            native.as_secs_f64(),
            ratio(native),
            interp.as_secs_f64(),
            ratio(interp)
        );
    }
    Ok(())
}

fn front(cairn: &Cairn, repeat: usize, lines: usize) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = dir.path().join("large.i");
    let text = source::large(lines);
    fs::write(&file, &text).map_err(|e| e.to_string())?;
    println!("{} lines, {:.1} MB, preprocessed", text.lines().count(), text.len() as f64 / 1e6);
    let gcc_args = ["-O0", "-w", "-c", "-o", "/dev/null"];
    let measured = [
        ("gcc -O0 -c", timed(repeat, "gcc", &gcc_args, &file)?),
        (
            "cairn cfg --features",
            timed(repeat, cairn_path(cairn)?, &["cfg", "--no-simplify", "--features"], &file)?,
        ),
        ("cairn run", timed(repeat, cairn_path(cairn)?, &["run", "--quiet"], &file)?),
    ];
    for (name, (time, memory)) in measured {
        println!("{name:<22} {:>8.3}s {:>7.0} MB", time.as_secs_f64(), memory as f64 / 1024.0);
    }
    let small = dir.path().join("small.c");
    let mut short: String = (0..40).map(|i| format!("int f{i}(int x) {{ return x + {i}; }}\n")).collect();
    short.push_str(
        "#include <stdio.h>\nint main(void) {\n    printf(\"%d\\n\", f7(f3(1)));\n    return 0;\n}\n",
    );
    fs::write(&small, short).map_err(|e| e.to_string())?;
    let (time, memory) = timed(repeat * 5, cairn_path(cairn)?, &["run"], &small)?;
    println!("{:<22} {:>8.3}s {:>7.0} MB", "45 lines, cairn run", time.as_secs_f64(), memory as f64 / 1024.0);
    Ok(())
}

fn cairn_path(cairn: &Cairn) -> Result<&str, String> {
    cairn.exe.to_str().ok_or_else(|| "the path of cairn is not text".to_owned())
}

/// The best time of a command that must succeed, and what it prints.
fn best(repeat: usize, command: impl Fn() -> Command) -> Result<(Duration, Vec<u8>), String> {
    let mut fastest: Option<(Duration, Vec<u8>)> = None;
    for _ in 0..repeat.max(1) {
        let ran = run(&mut command(), b"", HOUR).map_err(|e| e.to_string())?;
        if ran.status != Status::Exit(0) {
            return Err(format!("{:?}: {:?}: {}", command(), ran.status, ran.stderr_text()));
        }
        if fastest.as_ref().is_none_or(|(time, _)| ran.time < *time) {
            fastest = Some((ran.time, ran.stdout));
        }
    }
    fastest.ok_or_else(|| "no run".to_owned())
}

/// The best time of a command on a file, and its peak memory in kB.
fn timed(repeat: usize, program: &str, args: &[&str], file: &Path) -> Result<(Duration, u64), String> {
    let (time, _) = best(repeat, || {
        let mut command = Command::new(program);
        command.args(args).arg(file);
        command
    })?;
    Ok((time, peak_memory(program, args, file)?))
}

/// Peak resident memory in kB of one more run: the kernel's high-water mark, read every
/// millisecond until the process ends.
fn peak_memory(program: &str, args: &[&str], file: &Path) -> Result<u64, String> {
    let mut child = Command::new(program)
        .args(args)
        .arg(file)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut peak = 0;
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        peak = peak.max(high_water_mark(child.id()));
        for grandchild in children(child.id()) {
            peak = peak.max(high_water_mark(grandchild));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(peak)
}

fn high_water_mark(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// gcc only drives its compiler proper, which is the process to look at.
fn children(pid: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|p| p.parse().ok()).collect()
}
