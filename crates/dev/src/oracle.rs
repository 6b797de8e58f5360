//! gcc as the oracle: what a program does when compiled without optimisation,
//! with wrapping signed arithmetic, in either data model. Floating point is
//! done in SSE registers in both, and casts round: x87 code keeps excess bits
//! wherever the register allocator happens to.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use cairn_base::DataModel;

use crate::process::{Ran, Status, run};

pub const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// The exit code with which `tests/support/verifier.c` reports a reached error.
pub const ERROR_REACHED: i32 = 99;
/// The exit code with which it reports a failed assumption.
pub const ASSUMPTION_FAILED: i32 = 98;
/// The exit code with which it reports that no input value is left.
pub const NO_INPUT: i32 = 97;

/// The options that choose a data model.
pub fn model_flags(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Lp64 => &["-m64"],
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse", "-fexcess-precision=standard"],
    }
}

/// The root of the repository. Cargo says where the crate under test lies; this crate may have been compiled in
/// another clone that shares the target directory.
pub fn root() -> PathBuf {
    let tested = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = tested.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    here.ancestors().nth(2).expect("the crate lies in crates/").to_owned()
}

/// Can gcc build and run programs of this model here?
pub fn available(model: DataModel) -> bool {
    static KNOWN: [OnceLock<bool>; 2] = [OnceLock::new(), OnceLock::new()];
    *KNOWN[usize::from(model == DataModel::Ilp32)].get_or_init(|| {
        let Ok(dir) = tempfile::tempdir() else { return false };
        let source = dir.path().join("try.c");
        std::fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }\n").is_ok()
            && build(&[source], model, &[], &dir.path().join("try")).is_ok_and(|exe| {
                run(&mut Command::new(exe), b"", Duration::from_secs(10))
                    .is_ok_and(|ran| ran.status == Status::Exit(0))
            })
    })
}

/// Compiles and links; the error is what gcc says.
pub fn build(files: &[PathBuf], model: DataModel, flags: &[String], exe: &Path) -> Result<PathBuf, String> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O0", "-fwrapv", "-w"]).args(model_flags(model)).args(flags);
    gcc.args(files).arg("-lm").arg("-o").arg(exe);
    let ran = run(&mut gcc, b"", Duration::from_secs(120)).map_err(|e| format!("cannot run gcc: {e}"))?;
    match ran.status {
        Status::Exit(0) => Ok(exe.to_owned()),
        _ => Err(ran.stderr_text()),
    }
}

/// Runs a built program.
pub fn execute(
    exe: &Path,
    args: &[String],
    inputs: &[String],
    stdin: &[u8],
    limit: Duration,
) -> std::io::Result<Ran> {
    let mut command = Command::new(exe);
    command.args(args).env("CAIRN_INPUTS", inputs.join(","));
    run(&mut command, stdin, limit)
}
