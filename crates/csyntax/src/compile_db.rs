//! `compile_commands.json`: the flags with which a build compiles each file.

use std::path::{Path, PathBuf};

use cairn_base::{DataModel, Diagnostic};
use serde::Deserialize;

use crate::preprocess::CppOptions;

#[derive(Debug)]
pub struct CompileDb {
    entries: Vec<Entry>,
}

/// How one file is compiled, as far as reading it is concerned.
#[derive(Debug)]
pub struct Entry {
    /// Absolute, without `.` and `..` where the file exists.
    file: PathBuf,
    directory: PathBuf,
    flags: Vec<String>,
    std: Option<String>,
    model: Option<DataModel>,
}

/// An entry as the file has it.
#[derive(Deserialize)]
struct Command {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl CompileDb {
    /// Reads a database; `path` may also be the directory that holds `compile_commands.json`.
    pub fn load(path: &Path) -> Result<CompileDb, Diagnostic> {
        let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
        let fail = |why: String| Diagnostic::global(format!("{}: {why}", path.display()));
        let text = std::fs::read(&path).map_err(|e| fail(e.to_string()))?;
        let commands: Vec<Command> = serde_json::from_slice(&text).map_err(|e| fail(e.to_string()))?;
        let home = path.parent().unwrap_or(Path::new(""));
        let entries =
            commands.into_iter().map(|c| Entry::new(c, home)).collect::<Result<_, _>>().map_err(fail)?;
        Ok(CompileDb { entries })
    }

    /// The first entry for a file.
    pub fn lookup(&self, file: &Path) -> Option<&Entry> {
        let file = normal(file);
        self.entries.iter().find(|e| e.file == file)
    }

    /// All files of the database in its order.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.entries.iter().map(|e| e.file.as_path())
    }
}

impl Entry {
    fn new(command: Command, home: &Path) -> Result<Entry, String> {
        let words = match (command.arguments, command.command) {
            (Some(arguments), _) => arguments,
            (None, Some(line)) => {
                shlex::split(&line).ok_or_else(|| format!("unbalanced quotes in: {line}"))?
            }
            (None, None) => {
                let file = command.file.display();
                return Err(format!("the entry of {file} has neither 'command' nor 'arguments'"));
            }
        };
        let directory = home.join(command.directory);
        let mut entry = Entry {
            file: normal(&directory.join(command.file)),
            directory,
            flags: vec![],
            std: None,
            model: None,
        };
        entry.read(words);
        Ok(entry)
    }

    /// Keeps the options that matter to the preprocessor.
    fn read(&mut self, words: Vec<String>) {
        const WITH_VALUE: [&str; 8] =
            ["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter"];
        let mut words = words.into_iter().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "-m32" => self.model = Some(DataModel::Ilp32),
                "-m64" => self.model = Some(DataModel::Lp64),
                "-ansi" => self.std = Some("c90".into()),
                "-nostdinc" | "-undef" => self.flags.push(word),
                _ => {
                    if let Some(std) = word.strip_prefix("-std=") {
                        self.std = Some(std.to_owned());
                    } else if WITH_VALUE.contains(&word.as_str()) {
                        let value = words.next();
                        self.flags.push(word);
                        self.flags.extend(value);
                    } else if ["-I", "-D", "-U"].iter().any(|o| word.starts_with(o))
                        || ["-isystem", "-iquote", "-idirafter"].iter().any(|o| word.starts_with(o))
                    {
                        self.flags.push(word);
                    }
                }
            }
        }
    }

    /// These options, then what the user asked for on top.
    pub fn options(&self, user: &CppOptions) -> CppOptions {
        CppOptions {
            flags: self.flags.iter().chain(&user.flags).cloned().collect(),
            std: self.std.clone().unwrap_or_else(|| user.std.clone()),
            model: self.model.unwrap_or(user.model),
            directory: Some(self.directory.clone()),
        }
    }
}

fn normal(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(words: &str) -> Entry {
        let command = Command {
            directory: "/d".into(),
            file: "f.c".into(),
            command: Some(words.to_owned()),
            arguments: None,
        };
        Entry::new(command, Path::new("")).unwrap()
    }

    #[test]
    fn options_that_matter_are_kept_in_order() {
        let entry = entry(
            "cc -c -O2 -I inc -Isrc '-DX=\"a b\"' -Wall -UY -include pre.h -isystem /s -std=c99 -m32 -o f.o f.c",
        );
        assert_eq!(
            entry.flags,
            ["-I", "inc", "-Isrc", "-DX=\"a b\"", "-UY", "-include", "pre.h", "-isystem", "/s"]
        );
        let user = CppOptions { flags: vec!["-DZ".into()], ..CppOptions::default() };
        let options = entry.options(&user);
        assert_eq!(options.flags.last().map(String::as_str), Some("-DZ"));
        assert_eq!((options.std.as_str(), options.model), ("c99", DataModel::Ilp32));
        assert_eq!(options.directory.as_deref(), Some(Path::new("/d")));
        assert_eq!(entry.file, Path::new("/d/f.c"));
    }

    #[test]
    fn bad_quotes_are_an_error() {
        let command = Command {
            directory: "/d".into(),
            file: "f.c".into(),
            command: Some("cc 'x".into()),
            arguments: None,
        };
        assert!(Entry::new(command, Path::new("")).is_err());
    }
}
