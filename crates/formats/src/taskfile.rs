//! Task files: the `.yml` task definitions of BenchExec and SV-COMP (formats
//! 1.0, 2.0 and 2.1), which name a program, its data model, and the properties
//! to decide with the expected verdicts. Keys that say nothing about the
//! program (`additional_information`, sections of other tools) are passed over,
//! as BenchExec does.

use std::fmt;
use std::path::{Path, PathBuf};

use cairn_base::DataModel;
use serde::Deserialize;

/// A task definition, its paths resolved against the folder it lies in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskFile {
    /// The file itself.
    pub path: PathBuf,
    /// The units of the program; at least one.
    pub input_files: Vec<PathBuf>,
    pub properties: Vec<TaskProperty>,
    pub data_model: Option<DataModel>,
    pub language: Option<String>,
}

/// A property of a task and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    pub property_file: PathBuf,
    /// Does it hold?
    pub expected: Option<bool>,
    /// Which part of the property is violated, where `expected` is false (`valid-deref`).
    pub subproperty: Option<String>,
}

/// What is wrong with a task file, in one line; the file is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskFileError {
    pub path: PathBuf,
    pub what: String,
}

impl fmt::Display for TaskFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for TaskFileError {}

#[derive(Deserialize)]
struct Raw {
    format_version: String,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: RawOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct RawOptions {
    language: Option<String>,
    data_model: Option<String>,
}

impl TaskFile {
    /// Does this path look like a task file rather than a program?
    pub fn is_one(path: &Path) -> bool {
        path.extension().is_some_and(|e| e == "yml" || e == "yaml")
    }

    /// Reads a task file and sees that the program it names is there.
    pub fn read(path: &Path) -> Result<TaskFile, TaskFileError> {
        let error = |what: String| TaskFileError { path: path.to_owned(), what };
        let text = std::fs::read_to_string(path).map_err(|e| error(format!("cannot be read: {e}")))?;
        let task = TaskFile::parse(&text, path)?;
        match task.input_files.iter().find(|f| !f.is_file()) {
            Some(missing) => Err(error(format!("the input file {} does not exist", missing.display()))),
            None => Ok(task),
        }
    }

    /// Reads the text of the task file at `path`.
    pub fn parse(text: &str, path: &Path) -> Result<TaskFile, TaskFileError> {
        let error = |what: String| TaskFileError { path: path.to_owned(), what };
        let raw: Raw = serde_saphyr::from_str(text).map_err(|e| error(first_line(&e)))?;
        if !["1.0", "2.0", "2.1"].contains(&raw.format_version.as_str()) {
            let version = &raw.format_version;
            return Err(error(format!("format_version is {version}, known are 1.0, 2.0 and 2.1")));
        }
        let names = match raw.input_files {
            OneOrMany::One(name) => vec![name],
            OneOrMany::Many(names) => names,
        };
        if names.is_empty() || names.iter().any(String::is_empty) {
            return Err(error("input_files names no file".to_owned()));
        }
        let data_model = match raw.options.data_model.as_deref() {
            None => None,
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => return Err(error(format!("data_model is {other}, known are ILP32 and LP64"))),
        };
        let dir = path.parent().unwrap_or(Path::new(""));
        let property = |p: RawProperty| TaskProperty {
            property_file: dir.join(p.property_file),
            expected: p.expected_verdict,
            subproperty: p.subproperty,
        };
        Ok(TaskFile {
            path: path.to_owned(),
            input_files: names.iter().map(|n| dir.join(n)).collect(),
            properties: raw.properties.into_iter().map(property).collect(),
            data_model,
            language: raw.options.language,
        })
    }

    /// The property whose file is named `name`, with or without `.prp`.
    pub fn property_named(&self, name: &str) -> Option<&TaskProperty> {
        let name = name.strip_suffix(".prp").unwrap_or(name);
        self.properties.iter().find(|p| p.name() == name)
    }
}

impl TaskProperty {
    /// The name of the property file without folder and `.prp`: `unreach-call`.
    pub fn name(&self) -> &str {
        self.property_file.file_stem().and_then(|s| s.to_str()).unwrap_or_default()
    }
}

/// The parser's errors come with an excerpt; the first line says what and where.
fn first_line(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    format!("not a task file: {}", text.lines().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TaskFile, String> {
        TaskFile::parse(text, Path::new("set/a.yml")).map_err(|e| e.to_string())
    }

    #[test]
    fn a_competition_task() {
        let task = parse(
            "# comment\nformat_version: '2.0'\n\ninput_files: 'a.i'\n\nproperties:\n  - property_file: \
             ../properties/unreach-call.prp\n    expected_verdict: true\n  - property_file: \
             ../properties/valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-deref\n  \
             - property_file: ../properties/termination.prp\n\noptions:\n  language: C\n  data_model: ILP32\n",
        )
        .unwrap();
        assert_eq!(task.input_files, [PathBuf::from("set/a.i")]);
        assert_eq!((task.data_model, task.language.as_deref()), (Some(DataModel::Ilp32), Some("C")));
        let names: Vec<_> = task.properties.iter().map(|p| (p.name(), p.expected)).collect();
        assert_eq!(
            names,
            [("unreach-call", Some(true)), ("valid-memsafety", Some(false)), ("termination", None)]
        );
        let memory = task.property_named("valid-memsafety.prp").unwrap();
        assert_eq!(memory.subproperty.as_deref(), Some("valid-deref"));
        assert_eq!(memory.property_file, Path::new("set/../properties/valid-memsafety.prp"));
        assert_eq!(task.property_named("no-overflow"), None);
    }

    #[test]
    fn lists_versions_and_unknown_keys() {
        let task = parse(
            "format_version: 2.1\ninput_files: [a.c, sub/b.c]\nadditional_information: {x: [1, 2]}\ncairn:\n  \
             run:\n    - {expect: gcc}\n",
        )
        .unwrap();
        assert_eq!(task.input_files, [PathBuf::from("set/a.c"), PathBuf::from("set/sub/b.c")]);
        assert_eq!((task.properties.len(), task.data_model), (0, None));
        assert!(parse("format_version: \"1.0\"\ninput_files: a.c\n").is_ok());
    }

    #[test]
    fn mistakes_are_one_line_that_names_the_file() {
        for (text, part) in [
            ("", "not a task file"),
            ("format_version: '2.0'\n", "input_files"),
            ("format_version: '3.0'\ninput_files: a.c\n", "format_version is 3.0"),
            ("format_version: '2.0'\ninput_files: []\n", "names no file"),
            ("format_version: '2.0'\ninput_files: ''\n", "names no file"),
            ("format_version: '2.0'\ninput_files: {a: b}\n", "not a task file"),
            ("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LLP64}\n", "LLP64"),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n - {property_file: p, expected_verdict: maybe}\n",
                "not a task file",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n - expected_verdict: true\n",
                "property_file",
            ),
            ("int main(void) { return 0; }\n", "not a task file"),
            ("format_version: '2.0\ninput_files: [", "not a task file"),
        ] {
            let message = parse(text).expect_err(text);
            assert!(message.starts_with("set/a.yml: ") && message.contains(part), "{text}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }

    #[test]
    fn files_must_exist() {
        let dir = std::env::temp_dir().join(format!("cairn-taskfile-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("t.yml");
        assert!(TaskFile::read(&path).unwrap_err().to_string().contains("cannot be read"));
        std::fs::write(&path, "format_version: '2.0'\ninput_files: t.c\n").unwrap();
        assert!(TaskFile::read(&path).unwrap_err().to_string().contains("t.c does not exist"));
        std::fs::write(dir.join("t.c"), "").unwrap();
        assert_eq!(TaskFile::read(&path).unwrap().input_files, [dir.join("t.c")]);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
