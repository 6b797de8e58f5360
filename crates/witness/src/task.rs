//! What every kind of evidence says of itself: who made it, when, for which
//! program and property. Everything but the time follows from the input, so
//! that the same run writes the same file.

use std::path::Path;

use cairn_base::DataModel;
use cairn_core::Property;
use cairn_formats::property::specification;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::macros::format_description;
use uuid::Uuid;

use crate::error::WitnessError;

pub const PRODUCER: &str = "Cairn";

/// The task that evidence is about, and when and by whom it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskInfo {
    /// Name and SHA-256 of each input file.
    pub files: Vec<(String, Option<String>)>,
    /// The text of the property file.
    pub specification: String,
    pub model: Option<DataModel>,
    /// In the format of ISO 8601.
    pub creation_time: String,
    pub producer: String,
    pub version: String,
}

impl TaskInfo {
    /// Hashes the files.
    pub fn new(
        files: &[&Path],
        property: &Property,
        entry: &str,
        model: DataModel,
        created: OffsetDateTime,
        version: &str,
    ) -> Result<TaskInfo, WitnessError> {
        let mut hashed = Vec::new();
        for path in files {
            let name = path.to_string_lossy().into_owned();
            hashed.push((name, Some(hash_file(path)?)));
        }
        Ok(TaskInfo {
            files: hashed,
            specification: specification(property, entry),
            model: Some(model),
            creation_time: timestamp(created),
            producer: PRODUCER.into(),
            version: version.into(),
        })
    }

    /// An identifier that is a function of the task and of `content`.
    pub fn uuid(&self, content: &str) -> String {
        let mut name = format!("{}\0{}\0{}", self.version, self.specification, content);
        for (file, hash) in &self.files {
            name.push_str(&format!("\0{file}\0{}", hash.as_deref().unwrap_or("")));
        }
        Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()).to_string()
    }

    pub fn architecture(&self) -> &'static str {
        match self.model {
            Some(DataModel::Ilp32) => "32bit",
            _ => "64bit",
        }
    }

    /// Does evidence with this heading speak of the task at hand (`self` is what was read)? A
    /// different program is an error; other differences are remarks.
    pub fn belongs_to(&self, task: &TaskInfo) -> Result<Vec<String>, WitnessError> {
        let mut notes = Vec::new();
        for (name, hash) in &self.files {
            let Some(hash) = hash else { continue };
            let same_name = |n: &str| base_name(n) == base_name(name);
            let known =
                task.files.iter().any(|(_, h)| h.as_deref().is_some_and(|h| h.eq_ignore_ascii_case(hash)));
            if known {
                continue;
            }
            let message = if task.files.iter().any(|(n, _)| same_name(n)) {
                format!("the witness was made for another version of {} (SHA-256 differs)", base_name(name))
            } else {
                format!("the witness is about {name}, which is not part of this program")
            };
            return Err(WitnessError::WrongTask(message));
        }
        if self.files.iter().all(|(_, h)| h.is_none()) {
            notes.push("the witness does not say which program it is about (no hash)".into());
        }
        match (self.model, task.model) {
            (Some(a), Some(b)) if a != b => {
                notes.push(format!("the witness assumes the data model {a}, this run {b}"));
            }
            _ => {}
        }
        let squeeze = |s: &str| s.split_whitespace().collect::<String>();
        let (theirs, ours) = (squeeze(&self.specification), squeeze(&task.specification));
        if !theirs.is_empty() && theirs != ours && !ours.contains(&theirs) {
            notes.push(format!("the witness is about another property: {}", self.specification.trim()));
        }
        Ok(notes)
    }
}

pub fn hash_file(path: &Path) -> Result<String, WitnessError> {
    let bytes = std::fs::read(path).map_err(|e| WitnessError::System(format!("{}: {e}", path.display())))?;
    Ok(hash(&bytes))
}

pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

fn timestamp(t: OffsetDateTime) -> String {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
    t.to_offset(time::UtcOffset::UTC).format(&format).unwrap_or_else(|_| "1970-01-01T00:00:00Z".into())
}

pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
pub(crate) fn sample() -> TaskInfo {
    TaskInfo {
        files: vec![("dir/a.c".into(), Some(hash(b"int main;")))],
        specification: specification(&Property::default(), "main"),
        model: Some(DataModel::Lp64),
        creation_time: timestamp(OffsetDateTime::UNIX_EPOCH),
        producer: PRODUCER.into(),
        version: "0.1.0".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_identifiers_are_functions_of_the_input() {
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let t = sample();
        assert_eq!(t.creation_time, "1970-01-01T00:00:00Z");
        assert_eq!(t.uuid("x"), t.uuid("x"));
        assert_ne!(t.uuid("x"), t.uuid("y"));
    }

    #[test]
    fn another_program_is_refused_another_model_noted() {
        let t = sample();
        assert_eq!(t.belongs_to(&t), Ok(vec![]));
        let mut moved = t.clone();
        moved.files[0].0 = "/elsewhere/b.c".into();
        assert_eq!(moved.belongs_to(&t), Ok(vec![]));
        let mut changed = t.clone();
        changed.files[0].1 = Some(hash(b"other"));
        assert!(
            matches!(changed.belongs_to(&t), Err(WitnessError::WrongTask(m)) if m.contains("another version"))
        );
        let mut small = t.clone();
        small.model = Some(DataModel::Ilp32);
        assert_eq!(small.belongs_to(&t).unwrap().len(), 1);
    }
}
