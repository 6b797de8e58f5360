//! Finds Z3, or fetches it.
//!
//! Z3 is loaded at run time (see `src/z3/library.rs`); all this script does is
//! to make sure that there is a `libz3.so` to load and to say where. In order:
//!
//! 1. `CAIRN_Z3_DIR` names a directory with a `libz3.so` (or, for the feature
//!    `static-z3`, a `libz3.a` to link; without one, a `libz3.so`).
//! 2. A library fetched by an earlier build lies in the cache directory.
//! 3. The wheel `z3-solver`, pinned by version and SHA-256, is downloaded with
//!    pip and unpacked into the cache directory. Nothing is written into the
//!    source tree and nothing is installed.
//! 4. Otherwise the system's own `libz3.so` will be tried at run time
//!    (Debian's `libz3-dev` has 4.8.12: old, but sufficient).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// 4.15.4 calls some equations between arrays satisfiable that are not. 5.4.0 takes twice as long
/// for its first query.
const VERSION: &str = "4.16.0.0";

/// The wheels we accept.
const SHA256: [&str; 2] = [
    // manylinux_2_27 x86_64
    "afae2551f795670f0522cfce82132d129c408a2694adff71eb01ba0f2ece44f9",
    // manylinux_2_38 aarch64
    "358648c3b5ef82b9ec9a25711cf4fc498c7881f03a9f4a2ea6ffa9304ca65d94",
];

/// Downloads the wheel, checks it and unpacks the library and the program.
const FETCH: &str = r#"
import hashlib, os, shutil, subprocess, sys, zipfile
version, target, accepted = sys.argv[1], sys.argv[2], sys.argv[3:]
work = target + ".partial-%d" % os.getpid()
os.makedirs(work)
try:
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                    "--disable-pip-version-check", "--dest", work, "z3-solver==" + version], check=True)
    wheel = next(os.path.join(work, f) for f in os.listdir(work) if f.endswith(".whl"))
    with open(wheel, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    if digest not in accepted:
        sys.exit("unexpected SHA-256 of the wheel: " + digest)
    with zipfile.ZipFile(wheel) as z:
        for name in z.namelist():
            if name == "z3/lib/libz3.so" or name.endswith(".data/data/bin/z3"):
                path = os.path.join(work, os.path.basename(name))
                with z.open(name) as src, open(path, "wb") as dst:
                    shutil.copyfileobj(src, dst)
                os.chmod(path, 0o755)
    os.remove(wheel)
    if not os.path.exists(os.path.join(work, "libz3.so")):
        sys.exit("there is no libz3.so in the wheel")
    if not os.path.isdir(target):
        os.rename(work, target)
finally:
    shutil.rmtree(work, ignore_errors=True)
"#;

fn main() {
    for name in ["CAIRN_Z3_DIR", "XDG_CACHE_HOME", "HOME"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let given = env::var_os("CAIRN_Z3_DIR").map(PathBuf::from);
    if env::var_os("CARGO_FEATURE_STATIC_Z3").is_some() {
        let dir = given.expect("the feature static-z3 needs CAIRN_Z3_DIR, a directory with libz3.a");
        println!("cargo:rustc-link-search=native={}", dir.display());
        let kind = if dir.join("libz3.a").exists() { "static" } else { "dylib" };
        println!("cargo:rustc-link-lib={kind}=z3");
        println!("cargo:rustc-link-lib=dylib=stdc++");
        return;
    }
    let dir = given.or_else(|| match fetched() {
        Ok(dir) => Some(dir),
        Err(why) => {
            println!("cargo:warning=Z3 was not fetched: {why}; the system's libz3 will be tried at run time");
            None
        }
    });
    if let Some(dir) = dir {
        println!("cargo:rerun-if-changed={}", dir.join("libz3.so").display());
        println!("cargo:rustc-env=CAIRN_Z3_BUILT={}", dir.display());
    }
}

/// The directory with the pinned library, fetched if it is not there yet.
fn fetched() -> Result<PathBuf, String> {
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return Err("wheels are pinned for Linux only".into());
    }
    let cache = match (env::var_os("XDG_CACHE_HOME"), env::var_os("HOME")) {
        (Some(dir), _) if Path::new(&dir).is_absolute() => PathBuf::from(dir),
        (_, Some(home)) => Path::new(&home).join(".cache"),
        _ => return Err("neither XDG_CACHE_HOME nor HOME is set".into()),
    };
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let parent = cache.join("cairn");
    let dir = parent.join(format!("z3-{VERSION}-{arch}"));
    if dir.join("libz3.so").exists() {
        return Ok(dir);
    }
    fs::create_dir_all(&parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    let output = Command::new("python3")
        .args(["-c", FETCH, VERSION])
        .arg(&dir)
        .args(SHA256)
        .output()
        .map_err(|e| format!("python3: {e}"))?;
    if dir.join("libz3.so").exists() {
        return Ok(dir);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(words.lines().last().unwrap_or("python3 failed").to_owned())
}
