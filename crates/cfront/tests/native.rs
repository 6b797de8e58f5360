//! The models as native code: compiled by gcc over a shim of their vocabulary and
//! compared, function by function, with the C library of this machine.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use cairn_cfront::models::Models;

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

/// Expands the macros of the comparison so that every `__model_` name is spelled out.
fn preprocessed(file: &Path) -> String {
    let output = Command::new("gcc").args(["-E", "-P"]).arg(file).output().expect("gcc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("ASCII")
}

#[test]
fn models_agree_with_the_library() {
    let here = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
        .join("tests/native");
    let dir = std::env::temp_dir().join(format!("cairn-models-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let models = Models::new();
    let mut added = BTreeSet::new();
    let mut files = vec![here.join("shim.c"), here.join("compare.c")];
    let mut work = vec![preprocessed(&here.join("compare.c"))];
    while let Some(text) = work.pop() {
        for name in words(&text).filter(|w| w.starts_with("__model_") || w.starts_with("__cairn_")) {
            let Some(model) = models.find(name) else { continue };
            if added.insert(model.key.clone()) {
                let file = dir.join(format!("{}.c", model.key));
                std::fs::write(&file, &model.text).unwrap();
                files.push(file);
                work.push(model.text);
            }
        }
    }
    assert!(added.len() > 60, "{added:?}");
    let program = dir.join("compare");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O1", "-fno-builtin", "-w", "-o"]).arg(&program).args(&files).arg("-lm");
    let output = gcc.output().expect("gcc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(output.status.success(), "{}", text.lines().take(40).collect::<Vec<_>>().join("\n"));
}
