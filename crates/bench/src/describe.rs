//! The description file of a benchmark, in YAML:
//!
//! ```yaml
//! tasks: [loops/*.yml, ../sets/bounded.set]   # relative to this file
//! property: unreach-call
//! limits: {time: 60, wall: 120, memory: 4000}  # CPU seconds, seconds, megabytes
//! jobs: 2
//! out: results
//! configs:                                     # `cairn check` with options
//!   - {name: bmc, options: --engine bmc}
//! tools:                                       # other commands
//!   - {name: cbmc, command: "cbmc {32?--32:--64} {file}"}
//!   - {name: mine, command: "./mine {file}", verdicts: ["true:^safe$", "false:^bug in (\\w+)"]}
//! ```

use std::path::Path;

use serde::Deserialize;

/// A benchmark as its file describes it. Options of the command line come before it.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    #[serde(default)]
    pub tasks: Vec<String>,
    pub property: Option<String>,
    #[serde(default)]
    pub limits: DescribedLimits,
    pub jobs: Option<usize>,
    pub out: Option<String>,
    #[serde(default)]
    pub configs: Vec<DescribedConfig>,
    #[serde(default)]
    pub tools: Vec<DescribedTool>,
}

#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedLimits {
    pub time: Option<f64>,
    pub wall: Option<f64>,
    pub memory: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedConfig {
    pub name: String,
    #[serde(default)]
    pub options: String,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedTool {
    pub name: String,
    pub command: String,
    #[serde(default)]
    pub verdicts: Vec<String>,
}

impl Description {
    /// Reads a description; its paths are made relative to where we are.
    pub fn read(path: &Path) -> Result<Description, String> {
        let at = |what: String| format!("{}: {what}", path.display());
        let text = std::fs::read_to_string(path).map_err(|e| at(format!("cannot be read: {e}")))?;
        let mut read: Description = serde_saphyr::from_str(&text).map_err(|e| {
            let text = e.without_snippet().to_string();
            at(format!("no benchmark description: {}", text.lines().next().unwrap_or_default()))
        })?;
        let dir = path.parent().unwrap_or(Path::new(""));
        for relative in read.tasks.iter_mut().chain(&mut read.out) {
            *relative = dir.join(&*relative).display().to_string();
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_relative_and_mistakes_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bench.yml");
        std::fs::write(
            &path,
            "tasks: [a/*.yml]\nlimits: {time: 1.5, memory: 100}\nconfigs:\n  - {name: bmc, options: --engine bmc}\n\
             tools:\n  - {name: mine, command: './mine {file}', verdicts: ['true:^safe$']}\n",
        )
        .unwrap();
        let read = Description::read(&path).unwrap();
        assert_eq!(read.tasks, [dir.path().join("a/*.yml").display().to_string()]);
        assert_eq!((read.limits.time, read.limits.memory), (Some(1.5), Some(100)));
        assert_eq!(read.configs[0].options, "--engine bmc");
        assert_eq!(read.tools[0].verdicts, ["true:^safe$"]);
        for bad in ["task: [a]\n", "tasks: 5\n", "configs: [{options: x}]\n", ": ["] {
            std::fs::write(&path, bad).unwrap();
            let message = Description::read(&path).unwrap_err();
            assert!(
                message.contains("bench.yml: no benchmark description") && message.lines().count() == 1,
                "{message}"
            );
        }
    }
}
