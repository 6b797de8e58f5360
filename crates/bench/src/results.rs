//! The results file: one line for each run that ended, appended as it ends.
//!
//! Tab-separated, so that every other program reads it. Lines that start with
//! `#config` say how a configuration was run; a benchmark that goes on must run
//! it in the same way. A line counts once its end is written: a torn last line,
//! left by a machine that went down, is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::score::Status;

/// One run.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub task: String,
    pub property: String,
    pub config: String,
    /// What the tool said: `true`, `false(unreach-call)`, `unknown(…)`, `error(…)`, `timeout`, …
    pub verdict: String,
    /// `true`, `false`, `false(valid-deref)`, or empty.
    pub expected: String,
    pub status: Status,
    pub cpu: Duration,
    pub wall: Duration,
    /// Bytes.
    pub memory: u64,
    /// The exit code, or `signal N`.
    pub exit: String,
}

const HEADER: &str = "task\tproperty\tconfig\tverdict\texpected\tstatus\tcpu_s\twall_s\tmemory_mb\texit\n";
const MARK: &str = "#config\t";

impl Row {
    fn line(&self) -> String {
        let fields = [
            &self.task,
            &self.property,
            &self.config,
            &self.verdict,
            &self.expected,
            &self.status.to_string(),
            &format!("{:.3}", self.cpu.as_secs_f64()),
            &format!("{:.3}", self.wall.as_secs_f64()),
            &format!("{:.1}", self.memory as f64 / 1e6),
            &self.exit,
        ];
        let plain: Vec<String> = fields.iter().map(|f| flat(f)).collect();
        plain.join("\t") + "\n"
    }

    fn parse(line: &str) -> Result<Row, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [task, property, config, verdict, expected, status, cpu, wall, memory, exit] = fields.as_slice()
        else {
            return Err(format!("{} fields instead of 10", fields.len()));
        };
        let number = |text: &str| {
            text.parse::<f64>()
                .ok()
                .filter(|n| (0.0..1e12).contains(n))
                .ok_or(format!("`{text}` is no amount"))
        };
        Ok(Row {
            task: (*task).to_owned(),
            property: (*property).to_owned(),
            config: (*config).to_owned(),
            verdict: (*verdict).to_owned(),
            expected: (*expected).to_owned(),
            status: status.parse()?,
            cpu: Duration::from_secs_f64(number(cpu)?),
            wall: Duration::from_secs_f64(number(wall)?),
            memory: (number(memory)? * 1e6).round() as u64,
            exit: (*exit).to_owned(),
        })
    }
}

/// A field must not hold what separates fields.
fn flat(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// The open results file.
#[derive(Debug)]
pub struct Results {
    file: File,
    /// The rows that were there already.
    pub rows: Vec<Row>,
    /// Name and manner of the configurations in it.
    configs: Vec<(String, String)>,
}

impl Results {
    /// Starts a new results file; one that is there already is not touched.
    pub fn create(path: &Path) -> io::Result<Results> {
        let mut file = OpenOptions::new().append(true).create_new(true).open(path)?;
        file.write_all(HEADER.as_bytes())?;
        Ok(Results { file, rows: Vec::new(), configs: Vec::new() })
    }

    /// Goes on with a results file, or starts it.
    pub fn resume(path: &Path) -> Result<Results, String> {
        let at = |what: String| format!("{}: {what}", path.display());
        if !path.exists() {
            return Results::create(path).map_err(|e| at(format!("cannot be written: {e}")));
        }
        let bytes = std::fs::read(path).map_err(|e| at(format!("cannot be read: {e}")))?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| at("it is no text".to_owned()))?;
        let file = OpenOptions::new().append(true).open(path);
        let mut file = file.map_err(|e| at(format!("cannot be written: {e}")))?;
        let cut = file.set_len(whole as u64).and_then(|()| match whole {
            0 => file.write_all(HEADER.as_bytes()),
            _ => Ok(()),
        });
        cut.map_err(|e| at(format!("cannot be written: {e}")))?;
        let (mut rows, mut configs) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            if index == 0 {
                if line != HEADER.trim_end() {
                    return Err(at("it is no results file of this version".to_owned()));
                }
            } else if let Some(config) = line.strip_prefix(MARK) {
                let (name, manner) = config.split_once('\t').unwrap_or((config, ""));
                configs.push((name.to_owned(), manner.to_owned()));
            } else {
                rows.push(Row::parse(line).map_err(|e| at(format!("line {}: {e}", index + 1)))?);
            }
        }
        Ok(Results { file, rows, configs })
    }

    /// Notes how a configuration is run. An error if it was run otherwise before.
    pub fn declare(&mut self, name: &str, manner: &str) -> Result<io::Result<()>, String> {
        let manner = flat(manner);
        match self.configs.iter().find(|(n, _)| n == name) {
            Some((_, old)) if *old == manner => Ok(Ok(())),
            Some((_, old)) => Err(format!(
                "`{name}` was run as `{old}` before, which is not `{manner}`: use another name or --out"
            )),
            None => {
                self.configs.push((name.to_owned(), manner.clone()));
                Ok(self.file.write_all(format!("{MARK}{name}\t{manner}\n").as_bytes()))
            }
        }
    }

    /// Appends a row in one write.
    pub fn append(&mut self, row: &Row) -> io::Result<()> {
        self.file.write_all(row.line().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn row(task: &str) -> Row {
        Row {
            task: task.into(),
            property: "unreach-call".into(),
            config: "bmc".into(),
            verdict: "unknown(a\tb\nc)".into(),
            expected: "true".into(),
            status: Status::Unknown,
            cpu: Duration::from_millis(1500),
            wall: Duration::from_millis(1625),
            memory: 12_300_000,
            exit: "5".into(),
        }
    }

    fn flattened(task: &str) -> Row {
        Row { verdict: "unknown(a b c)".into(), ..row(task) }
    }

    #[test]
    fn rows_are_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.tsv");
        let mut results = Results::create(&path).unwrap();
        results.declare("bmc", "cairn check").unwrap().unwrap();
        results.append(&row("a.yml")).unwrap();
        results.append(&row("b c.yml")).unwrap();
        assert!(Results::create(&path).is_err());
        let mut again = Results::resume(&path).unwrap();
        assert_eq!(again.rows, [flattened("a.yml"), flattened("b c.yml")]);
        again.declare("bmc", "cairn check").unwrap().unwrap();
        assert!(again.declare("bmc", "cairn check --unwind 3").unwrap_err().contains("another name"));
        let before = fs::read_to_string(&path).unwrap();
        again.declare("cbmc", "cbmc {file}").unwrap().unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with(&before));
    }

    #[test]
    fn a_torn_line_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.tsv");
        let mut results = Results::create(&path).unwrap();
        for task in ["a", "b", "c"] {
            results.append(&row(task)).unwrap();
        }
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut resumed = Results::resume(&path).unwrap();
            let kept = resumed.rows.len();
            assert!(kept <= 2 && resumed.rows.iter().all(|r| *r == flattened(&r.task)), "cut at {cut}");
            resumed.append(&row("d")).unwrap();
            let names: Vec<_> = Results::resume(&path).unwrap().rows.into_iter().map(|r| r.task).collect();
            assert_eq!(names.len(), kept + 1, "cut at {cut}");
            assert_eq!(names.last().map(String::as_str), Some("d"));
        }
    }

    #[test]
    fn other_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.tsv");
        for (text, part) in [
            ("a\tb\n", "no results file"),
            (&format!("{HEADER}a\tb\n"), "line 2: 2 fields"),
            (&format!("{HEADER}t\tp\tc\tv\te\tfine\t1\t1\t1\t0\n"), "line 2: `fine`"),
            (&format!("{HEADER}t\tp\tc\tv\te\tunknown\t1\tx\t1\t0\n"), "line 2: `x`"),
        ] {
            fs::write(&path, text).unwrap();
            let message = Results::resume(&path).unwrap_err();
            assert!(message.contains(part), "{message}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
