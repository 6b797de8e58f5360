//! The rules of the repository that no compiler checks: the dependency table
//! of ARCHITECTURE.md, a description on every module, no path of anyone's
//! machine, an expectation beside every test program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cairn_dev::{oracle, task};

/// Which crates of the workspace each crate uses, from its manifest.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(oracle::root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata");
    let short = |name: &str| match name {
        "cairn" => "cli".to_owned(),
        _ => name.strip_prefix("cairn-").unwrap_or(name).to_owned(),
    };
    let mut table = BTreeMap::new();
    for package in &metadata.packages {
        let used = package
            .dependencies
            .iter()
            .filter(|d| d.path.is_some() && d.kind == cargo_metadata::DependencyKind::Normal)
            .map(|d| short(&d.name));
        table.insert(short(&package.name), used.collect());
    }
    table
}

/// The rows `` | `crate` | `used`, … | `` of the table in ARCHITECTURE.md, in order.
fn documented() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(oracle::root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let names =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let (_, after) = text.split_once("\n## Crates\n").expect("the section on crates");
    let section = after.split("\n## ").next().expect("text");
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').collect();
            let name = cells.first()?.trim().trim_end_matches('`').to_owned();
            Some((name, names(cells.get(1)?).into_iter().collect()))
        })
        .collect()
}

#[test]
fn the_dependency_table_is_true() {
    let real = dependencies();
    let table = documented();
    for (name, used) in &table {
        let found =
            real.get(name).unwrap_or_else(|| panic!("ARCHITECTURE.md names `{name}`, which is no crate"));
        assert_eq!(found, used, "ARCHITECTURE.md and the manifest of `{name}` disagree");
    }
    let named: BTreeSet<&String> = table.iter().map(|(name, _)| name).collect();
    let missing: Vec<&String> = real.keys().filter(|name| !named.contains(name)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not list {missing:?}");
    for (index, (name, used)) in table.iter().enumerate() {
        let above: BTreeSet<&String> = table[..index].iter().map(|(n, _)| n).collect();
        let below: Vec<&String> = used.iter().filter(|u| !above.contains(u)).collect();
        assert!(below.is_empty(), "`{name}` uses {below:?}, which the table lists below it");
    }
}

/// The files of the repository, as git knows them (or would after the next commit).
fn repository_files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(oracle::root())
        .output()
        .expect("git");
    assert!(listed.status.success(), "git ls-files fails");
    let text = String::from_utf8(listed.stdout).expect("plain file names");
    text.lines().map(|l| oracle::root().join(l)).filter(|p| p.is_file()).collect()
}

#[test]
fn every_module_says_what_it_is() {
    let mut silent = Vec::new();
    for file in repository_files().iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let text = fs::read_to_string(file).expect("a readable source");
        let first = text.lines().next().unwrap_or_default();
        if !first.starts_with("//! ") || first == "//! (to come)" {
            silent.push(cairn_dev::cairn::shown(file));
        }
    }
    assert!(silent.is_empty(), "no `//!` in the first line of: {silent:#?}");
}

#[test]
fn no_paths_of_this_machine() {
    let mut forbidden = vec![oracle::root().display().to_string() + "/"];
    forbidden.extend(std::env::var("HOME").ok().filter(|h| h.len() > 1).map(|h| h + "/"));
    let mut found = Vec::new();
    for file in repository_files() {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        if forbidden.iter().any(|path| text.contains(path)) {
            found.push(cairn_dev::cairn::shown(&file));
        }
    }
    assert!(found.is_empty(), "absolute paths in {found:?}");
}

#[test]
fn every_program_has_an_expectation() {
    let dir = oracle::root().join("tests/programs");
    let tasks = task::all(&dir).expect("readable expectations");
    let named: BTreeSet<PathBuf> = tasks.iter().flat_map(task::Task::files).collect();
    for path in &named {
        assert!(path.is_file(), "{} is expected but missing", path.display());
    }
    let mut sources = Vec::new();
    for extension in ["c", "i"] {
        task::collect(&dir, extension, &mut sources).expect("test programs");
    }
    let orphans: Vec<&PathBuf> = sources.iter().filter(|s| !named.contains(*s)).collect();
    assert!(orphans.is_empty(), "no .yml names {orphans:?}");
    for task in &tasks {
        for property in &task.properties {
            let file = task.path.parent().unwrap_or(Path::new(".")).join(&property.property_file);
            assert!(file.is_file(), "{} names {}, which is missing", task.path.display(), file.display());
        }
    }
}
