//! Csmith programs against gcc: the checksum a program prints must be the same.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cairn_base::DataModel;

use crate::cairn::{Cairn, Verdict, verdict};
use crate::oracle;
use crate::process::{Status, run};

/// How one program went in one data model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    Match,
    /// gcc's program does not end in time; it is not counted.
    Skipped,
    /// Cairn came to a limit first.
    Limit(String),
    Mismatch(String),
}

/// Where libcsmith's headers are.
pub fn include_dir() -> Option<PathBuf> {
    [
        "/usr/include/csmith",
        "/usr/local/include/csmith",
        "/usr/include/csmith-2.3.0",
        "/usr/local/include/csmith-2.3.0",
    ]
    .into_iter()
    .map(PathBuf::from)
    .find(|dir| dir.join("csmith.h").exists())
}

/// Whether csmith and its headers are here; the error says what to install.
pub fn check_installed() -> Result<PathBuf, String> {
    let found = Command::new("csmith").arg("--version").output().is_ok_and(|o| o.status.success());
    include_dir()
        .filter(|_| found)
        .ok_or_else(|| "csmith is not installed (Debian: apt-get install csmith libcsmith-dev)".to_owned())
}

/// Writes the program of a seed.
pub fn generate(seed: u64, file: &Path) -> Result<(), String> {
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--output"]).arg(file);
    let ran = run(&mut csmith, b"", Duration::from_secs(60)).map_err(|e| e.to_string())?;
    match ran.status {
        Status::Exit(0) => Ok(()),
        status => Err(format!("csmith --seed {seed}: {status:?}: {}", ran.stderr_text())),
    }
}

/// Compares one program in one model. `options` are further options of `cairn run`.
pub fn compare(
    cairn: &Cairn,
    program: &Path,
    model: DataModel,
    options: &[String],
    dir: &Path,
) -> Result<Comparison, String> {
    let headers = include_dir().ok_or("csmith's headers are missing")?;
    let include = format!("-I{}", headers.display());
    let exe = dir.join(format!("{}-{model}", program.file_stem().unwrap_or_default().to_string_lossy()));
    oracle::build(&[program.to_owned()], model, std::slice::from_ref(&include), &exe)?;
    let wanted = oracle::execute(&exe, &[], &[], b"", Duration::from_secs(5)).map_err(|e| e.to_string())?;
    let _ = std::fs::remove_file(&exe);
    let Status::Exit(wanted_exit) = wanted.status else { return Ok(Comparison::Skipped) };

    let mut all = vec![include];
    all.extend_from_slice(options);
    let ours = cairn
        .run(&[program.to_owned()], model, &all, b"", Duration::from_secs(600))
        .map_err(|e| e.to_string())?;
    Ok(match verdict(&ours) {
        Verdict::Exit(value) if value & 0xff == wanted_exit && ours.stdout == wanted.stdout => {
            Comparison::Match
        }
        Verdict::Exit(value) => Comparison::Mismatch(format!(
            "gcc: {} (exit {wanted_exit})\ncairn: {} (exit {value})",
            wanted.stdout_text().trim_end(),
            ours.stdout_text().trim_end()
        )),
        Verdict::Limit(line) => Comparison::Limit(line),
        _ => Comparison::Mismatch(format!("{:?}: {}", ours.status, ours.stderr_text())),
    })
}
