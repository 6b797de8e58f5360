//! The expectation files beside the test programs: BenchExec task definitions
//! (format 2.0) with a section `cairn` of our own. `tests/README.md` describes
//! them for people.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cairn_base::DataModel;
use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub format_version: String,
    input_files: OneOrMany,
    #[serde(default)]
    pub properties: Vec<Property>,
    pub options: TaskOptions,
    pub cairn: Expectations,
    /// The file itself.
    #[serde(skip)]
    pub path: PathBuf,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Property {
    pub property_file: String,
    pub expected_verdict: bool,
    pub subproperty: Option<String>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct TaskOptions {
    pub language: String,
    pub data_model: Model,
}

#[derive(Copy, Clone, PartialEq, Eq, Deserialize, Debug)]
pub enum Model {
    #[serde(rename = "LP64")]
    Lp64,
    #[serde(rename = "ILP32")]
    Ilp32,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Lp64 => DataModel::Lp64,
            Model::Ilp32 => DataModel::Ilp32,
        }
    }
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// Options for gcc only.
    #[serde(default)]
    pub gcc_flags: Vec<String>,
    /// Engines that need not decide the properties.
    #[serde(default)]
    pub unknown: Vec<String>,
    /// It takes no inputs: the engine `concrete` decides it.
    #[serde(default)]
    pub sole: bool,
    /// Further options of `cairn check`.
    #[serde(default)]
    pub check: Vec<String>,
    /// What the verdict TRUE has to name among its conditions.
    #[serde(default)]
    pub condition: Option<String>,
    /// Engines are tried on it; without properties, a program may be for runs only.
    #[serde(default = "yes")]
    pub verify: bool,
    pub run: Vec<Run>,
    /// What `cairn test` comes to, by criterion.
    #[serde(default)]
    pub coverage: BTreeMap<String, Coverage>,
}

fn yes() -> bool {
    true
}

/// Goals of a criterion, and what becomes of them; none is left.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    pub goals: usize,
    pub covered: usize,
    pub unreachable: usize,
}

/// One execution and how it must end.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub expect: Expect,
    #[serde(default)]
    pub inputs: Vec<String>,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub stdin: String,
    /// Further options of `cairn run`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Both, unless given.
    models: Option<Vec<Model>>,
    /// The exact standard output, where gcc is not the oracle.
    pub stdout: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// The same output and end as the program compiled by gcc.
    Gcc,
    /// An error function is called or an assertion fails.
    Error,
    Abort,
    /// An assumption fails.
    Assumption,
    /// Cairn refuses the program (exit code 2) and says where.
    Unsupported,
    /// Undefined behaviour of this kind is met.
    Undefined(String),
}

impl Task {
    pub fn read(path: &Path) -> Result<Task, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let mut task: Task = serde_saphyr::from_str(&text).map_err(|e| e.to_string())?;
        task.path = path.to_owned();
        if task.format_version != "2.0" || task.options.language != "C" || task.cairn.run.is_empty() {
            return Err("not a task of format 2.0 in C with at least one run".to_owned());
        }
        if !task.cairn.verify && !task.properties.is_empty() {
            return Err("properties that no engine is to decide".to_owned());
        }
        Ok(task)
    }

    /// The C files.
    pub fn files(&self) -> Vec<PathBuf> {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        match &self.input_files {
            OneOrMany::One(name) => vec![dir.join(name)],
            OneOrMany::Many(names) => names.iter().map(|n| dir.join(n)).collect(),
        }
    }
}

impl Run {
    pub fn models(&self) -> Vec<DataModel> {
        match &self.models {
            Some(models) => models.iter().map(|m| (*m).into()).collect(),
            None => crate::oracle::MODELS.to_vec(),
        }
    }
}

/// All tasks below a folder, by path.
pub fn all(dir: &Path) -> Result<Vec<Task>, String> {
    let mut paths = Vec::new();
    collect(dir, "yml", &mut paths).map_err(|e| format!("{}: {e}", dir.display()))?;
    paths.sort();
    paths.iter().map(|p| Task::read(p).map_err(|e| format!("{}: {e}", p.display()))).collect()
}

/// The files below `dir` with an extension.
pub fn collect(dir: &Path, extension: &str, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, extension, found)?;
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    Ok(())
}
