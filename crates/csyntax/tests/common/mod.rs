//! What the integration tests share.
#![allow(dead_code)]

pub mod shape;

use std::path::{Path, PathBuf};

use cairn_base::{Diagnostic, EntityRef, SrcId};
use cairn_csyntax::ast::Unit;
use cairn_csyntax::{Dialect, parse};

pub fn parsed(text: &str) -> Result<Unit, Diagnostic> {
    parse(SrcId::new(0), text.as_bytes(), Dialect::default())
}

/// The files of a fixture folder in the order of their names.
pub fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
        .join("tests")
        .join(folder);
    let entries = std::fs::read_dir(&folder).expect("the fixture folder exists");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    assert!(!files.is_empty());
    files
}
