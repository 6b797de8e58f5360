//! Which tasks: files, folders, patterns, and the `.set` files of SV-COMP.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cairn_formats::{TaskFile, TaskProperty};

/// A task and the property of it that is to be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    pub task: TaskFile,
    pub property: TaskProperty,
}

impl Case {
    /// The task as the tables name it.
    pub fn name(&self) -> String {
        self.task.path.display().to_string()
    }
}

/// The cases that were found, and what was passed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selected {
    pub cases: Vec<Case>,
    /// Tasks that do not have the property asked for.
    pub without_property: usize,
}

/// All cases of the sets with the property `property` (or each, if it is `all`), in the order of
/// the sets, no task twice. The error is one line that names the file at fault.
pub fn cases(sets: &[String], property: &str) -> Result<Selected, String> {
    let mut paths = Vec::new();
    for set in sets {
        collect(set, &mut paths)?;
    }
    let mut seen = BTreeSet::new();
    let mut selected = Selected { cases: Vec::new(), without_property: 0 };
    for path in paths.into_iter().filter(|p| seen.insert(p.clone())) {
        let task = TaskFile::read(&path).map_err(|e| e.to_string())?;
        let mut wanted: Vec<TaskProperty> = match property {
            "all" => task.properties.clone(),
            name => task.property_named(name).cloned().into_iter().collect(),
        };
        if wanted.is_empty() {
            selected.without_property += 1;
        }
        let cases = wanted.drain(..).map(|property| Case { task: task.clone(), property });
        selected.cases.extend(cases);
    }
    Ok(selected)
}

fn collect(set: &str, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let path = Path::new(set);
    if path.is_dir() {
        let before = paths.len();
        folder(path, paths).map_err(|e| format!("{set}: cannot be read: {e}"))?;
        if paths.len() == before {
            return Err(format!("{set}: there is no task file in this folder"));
        }
        Ok(())
    } else if path.extension().is_some_and(|e| e == "set") {
        set_file(path, paths)
    } else if path.exists() || !set.contains(['*', '?', '[']) {
        paths.push(path.to_owned());
        Ok(())
    } else {
        pattern(set, set, paths)
    }
}

/// The task files below a folder, by path. Other YAML files lie there too; a task names its input.
fn folder(dir: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(dir)?.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            folder(&entry, paths)?;
        } else if TaskFile::is_one(&entry)
            && std::fs::read_to_string(&entry)?.lines().any(|l| l.starts_with("input_files:"))
        {
            paths.push(entry);
        }
    }
    Ok(())
}

/// One pattern a line, relative to the file; `#` starts a comment.
fn set_file(path: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let text =
        std::fs::read_to_string(path).map_err(|e| format!("{}: cannot be read: {e}", path.display()))?;
    let dir = path.parent().unwrap_or(Path::new(""));
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let folder = glob::Pattern::escape(&dir.display().to_string());
        let whole = Path::new(&folder).join(line);
        pattern(&whole.display().to_string(), &format!("{}: {line}", path.display()), paths)?;
    }
    Ok(())
}

fn pattern(pattern: &str, said: &str, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let found = glob::glob(pattern).map_err(|e| format!("{said}: {e}"))?;
    let before = paths.len();
    for path in found {
        paths.push(path.map_err(|e| format!("{said}: {e}"))?);
    }
    if paths.len() == before {
        return Err(format!("{said}: no file matches"));
    }
    Ok(())
}

#[cfg(test)]
pub mod tests {
    use std::fs;

    use super::*;

    /// A case without files, for the tests of others.
    pub fn case(model: &str) -> Case {
        let text = format!(
            "format_version: '2.0'\ninput_files: ['a b.c', b.c]\nproperties:\n  - property_file: \
             p/unreach-call.prp\n    expected_verdict: true\noptions: {{language: C, data_model: {model}}}\n"
        );
        let task = TaskFile::parse(&text, Path::new("set/a.yml")).unwrap();
        let property = task.properties[0].clone();
        Case { task, property }
    }

    fn names(selected: &Selected) -> Vec<String> {
        let name = |c: &Case| {
            let file = c.task.path.file_stem().unwrap_or_default();
            format!("{}:{}", file.display(), c.property.name())
        };
        selected.cases.iter().map(name).collect()
    }

    #[test]
    fn folders_patterns_and_sets() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("x/y")).unwrap();
        fs::write(root.join("x/p.c"), "").unwrap();
        fs::write(root.join("x/y/p.c"), "").unwrap();
        let task = |property: &str| {
            format!(
                "format_version: '2.0'\ninput_files: p.c\nproperties:\n - {{property_file: {property}.prp}}\n - \
                 {{property_file: termination.prp}}\n"
            )
        };
        fs::write(root.join("x/b.yml"), task("unreach-call")).unwrap();
        fs::write(root.join("x/a.yml"), task("unreach-call")).unwrap();
        fs::write(root.join("x/y/c.yml"), task("no-overflow")).unwrap();
        fs::write(root.join("x/other.yml"), "steps: [1, 2]\n").unwrap();
        fs::write(root.join("all.set"), "# all\nx/*/*.yml\n\nx/[ab].yml\n").unwrap();
        let at = |p: &str| root.join(p).display().to_string();
        let find = |sets: &[String], property| cases(sets, property).map(|s| names(&s));

        let found = cases(&[at("x")], "unreach-call").unwrap();
        assert_eq!(
            (names(&found).join(" "), found.without_property),
            ("a:unreach-call b:unreach-call".into(), 1)
        );
        assert_eq!(
            find(&[at("all.set")], "termination").unwrap().join(" "),
            "c:termination a:termination b:termination"
        );
        assert_eq!(find(&[at("x/a.yml"), at("x/*.yml")], "x").unwrap_err().lines().count(), 1);
        assert_eq!(find(&[at("x/a.yml"), at("x/a*")], "all").unwrap(), ["a:unreach-call", "a:termination"]);
        for (set, part) in
            [("none.yml", "none.yml"), ("x/z*.yml", "no file matches"), ("no.set", "cannot be read")]
        {
            let message = find(&[at(set)], "all").unwrap_err();
            assert!(message.contains(part), "{message}");
        }
        fs::create_dir(root.join("empty")).unwrap();
        assert!(find(&[at("empty")], "all").unwrap_err().contains("no task file"));
    }
}
