//! The failure, once more, without Cairn: the user's sources and the harness,
//! compiled by the system's compiler and run.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use cairn_base::DataModel;
use cairn_core::Property;
use cairn_csyntax::preprocess::{CppOptions, KLEE};

use crate::harness::{ASSUMPTION, NO_INPUT, REACHED};

/// What became of a try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproduction {
    pub result: Reproduced,
    /// The commands, for the user to repeat; the harness is called `harness.c` in them.
    pub commands: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reproduced {
    /// The failure was seen; how it showed.
    Yes(String),
    /// The program ran and did something else.
    No(String),
    /// It could not be tried.
    NotTried(String),
}

/// The options with which a program is compiled so that a violation shows. A program that starts
/// elsewhere than in `main` is started by the harness, and its own `main` gets another name.
pub fn compiler_flags(cpp: &CppOptions, property: &Property, entry: &str) -> Vec<String> {
    let mut flags = vec![format!("-std={}", cpp.std), "-w".into(), "-O0".into(), "-g".into()];
    flags.push(if cpp.model == DataModel::Ilp32 { "-m32".into() } else { "-m64".into() });
    flags.extend(cpp.flags.iter().cloned());
    if entry != "main" {
        flags.push("-Dmain=cairn_other_main".into());
    }
    match property {
        Property::UnreachCall { .. } => {
            flags.extend(["-fwrapv".into(), "-finstrument-functions".into()]);
        }
        Property::NoOverflow => {
            flags.push("-fsanitize=signed-integer-overflow,shift".into());
            flags.push("-fno-sanitize-recover=all".into());
        }
        _ => flags.push("-fwrapv".into()),
    }
    flags
}

/// The system's compiler, perhaps with options.
pub fn compiler() -> String {
    std::env::var("CC").ok().filter(|c| !c.trim().is_empty()).unwrap_or_else(|| "gcc".into())
}

/// A folder for headers that the system lacks, below `dir`; to be searched last.
pub fn stand_in_headers(dir: &Path) -> Result<PathBuf, String> {
    let include = dir.join("include");
    let header = include.join("klee/klee.h");
    let written = std::fs::create_dir_all(include.join("klee")).and_then(|()| std::fs::write(&header, KLEE));
    written.map_err(|e| format!("cannot write {}: {e}", header.display())).map(|()| include)
}

/// Compiles and runs. `limit` bounds the compilation and the run, each.
pub fn reproduce(
    files: &[PathBuf],
    cpp: &CppOptions,
    harness: &str,
    property: &Property,
    entry: &str,
    limit: Duration,
) -> Reproduction {
    let flags = compiler_flags(cpp, property, entry);
    let compiler = compiler();
    let mut words: Vec<String> = vec![compiler.clone()];
    words.extend(flags.iter().cloned());
    words.extend(files.iter().map(|f| f.to_string_lossy().into_owned()));
    let shown = |last: &[&str]| {
        words.iter().map(String::as_str).chain(last.iter().copied()).map(quoted).collect::<Vec<_>>().join(" ")
    };
    let commands = vec![shown(&["harness.c", "-lm", "-o", "reproduce"]), "./reproduce".into()];
    let result = attempt(&compiler, &flags, files, cpp, harness, property, limit);
    Reproduction { result: result.unwrap_or_else(Reproduced::NotTried), commands }
}

fn attempt(
    compiler: &str,
    flags: &[String],
    files: &[PathBuf],
    cpp: &CppOptions,
    harness: &str,
    property: &Property,
    limit: Duration,
) -> Result<Reproduced, String> {
    if matches!(property, Property::UnreachLabel(_) | Property::Unsupported(_)) {
        return Err(format!("a violation of {} does not show when the program runs", property.name()));
    }
    let dir = tempfile::tempdir().map_err(|e| format!("no temporary directory: {e}"))?;
    let source = dir.path().join("harness.c");
    std::fs::write(&source, harness).map_err(|e| format!("cannot write the harness: {e}"))?;
    let headers = stand_in_headers(dir.path())?;
    let binary = dir.path().join("reproduce");
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("gcc"));
    command.args(words).args(flags).arg("-idirafter").arg(headers);
    for file in files {
        command.arg(std::path::absolute(file).unwrap_or_else(|_| file.clone()));
    }
    command.arg(&source).args(["-lm", "-o"]).arg(&binary).env("LC_ALL", "C");
    if let Some(directory) = &cpp.directory {
        command.current_dir(directory);
    }
    let (status, errors) = run(command, dir.path(), limit)?;
    match status {
        Some(s) if s.success() => {}
        Some(_) => {
            let first = errors.lines().find(|l| l.contains("error") || l.contains("undefined"));
            return Err(format!("the compiler refuses: {}", first.unwrap_or("no message").trim()));
        }
        None => return Err("the compiler takes too long".into()),
    }
    // What the program writes into its directory is gone afterwards.
    let mut program = Command::new(&binary);
    program.current_dir(dir.path());
    let (status, errors) = run(program, dir.path(), limit)?;
    let Some(status) = status else {
        return Ok(Reproduced::No("the program does not end in time".into()));
    };
    Ok(judge(property, status, &errors))
}

fn judge(property: &Property, status: ExitStatus, errors: &str) -> Reproduced {
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    match property {
        Property::NoOverflow => {
            let report = errors.lines().find(|l| l.contains("runtime error:"));
            if let Some(report) = report {
                return Reproduced::Yes(report.trim().to_owned());
            }
            // `MIN / -1` is a fault of the processor.
            if signal == Some(8) {
                return Reproduced::Yes("the program ends with SIGFPE".into());
            }
        }
        Property::NoDivisionByZero if signal == Some(8) => {
            return Reproduced::Yes("the program ends with SIGFPE".into());
        }
        Property::UnreachCall { .. } if status.code() == Some(REACHED) => {
            let line = errors.lines().rev().find(|l| l.starts_with("cairn: "));
            return Reproduced::Yes(line.map_or("error reached", |l| &l["cairn: ".len()..]).to_owned());
        }
        // A target that is not visible from outside, with a body such as `assert(0)`.
        Property::UnreachCall { .. } if signal == Some(6) && errors.contains("Assertion") => {
            return Reproduced::Yes("an assertion fails (SIGABRT)".into());
        }
        _ => {}
    }
    Reproduced::No(match (status.code(), signal) {
        (Some(NO_INPUT), _) => "the program reads more inputs than there are".into(),
        (Some(ASSUMPTION), _) => "an assumption of the program does not hold".into(),
        (Some(code), _) => format!("the program ends with exit code {code}"),
        (None, Some(signal)) => format!("the program ends with signal {signal}"),
        (None, None) => "the program ends unexpectedly".into(),
    })
}

/// Runs a command without input; gives its status (`None`: it was stopped) and what it wrote to
/// standard error. The file for that is made in `dir`.
pub fn run(
    mut command: Command,
    dir: &Path,
    limit: Duration,
) -> Result<(Option<ExitStatus>, String), String> {
    let log = dir.join("stderr");
    let file = File::create(&log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let child = command.spawn().map_err(|e| match e.kind() {
        ErrorKind::NotFound => format!("cannot run '{}'", command.get_program().to_string_lossy()),
        _ => format!("cannot run '{}': {e}", command.get_program().to_string_lossy()),
    })?;
    let status = wait(child, limit).map_err(|e| e.to_string())?;
    let mut text = Vec::new();
    if let Ok(file) = File::open(&log) {
        let _ = file.take(1 << 16).read_to_end(&mut text);
    }
    Ok((status, String::from_utf8_lossy(&text).into_owned()))
}

fn wait(mut child: Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_=./,+:".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
