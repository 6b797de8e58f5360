//! Right, wrong, or no answer; and the points SV-COMP gives.

use std::fmt;
use std::str::FromStr;

use cairn_formats::TaskProperty;

use crate::rule::ToolAnswer;

/// What a run is worth, the expected verdict known.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    CorrectTrue,
    CorrectFalse,
    /// It said true and there is a violation.
    WrongTrue,
    /// It reported a violation (or another one than) there is.
    WrongFalse,
    Unknown,
    Timeout,
    OutOfMemory,
    Error,
    /// An answer, but the task does not say what is right.
    Unchecked,
}

const NAMES: [(Status, &str); 9] = [
    (Status::CorrectTrue, "correct true"),
    (Status::CorrectFalse, "correct false"),
    (Status::WrongTrue, "wrong true"),
    (Status::WrongFalse, "wrong false"),
    (Status::Unknown, "unknown"),
    (Status::Timeout, "timeout"),
    (Status::OutOfMemory, "out of memory"),
    (Status::Error, "error"),
    (Status::Unchecked, "unchecked"),
];

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(s, _)| s == self).map_or("", |(_, n)| n);
        f.pad(name)
    }
}

impl FromStr for Status {
    type Err = String;

    fn from_str(text: &str) -> Result<Status, String> {
        let found = NAMES.iter().find(|(_, n)| *n == text).map(|(s, _)| *s);
        found.ok_or_else(|| format!("`{text}` is no status"))
    }
}

impl Status {
    pub fn is_correct(self) -> bool {
        matches!(self, Status::CorrectTrue | Status::CorrectFalse)
    }

    pub fn is_wrong(self) -> bool {
        matches!(self, Status::WrongTrue | Status::WrongFalse)
    }

    /// Judges an answer. A violation of another part of the property than the expected one is
    /// wrong, as in SV-COMP.
    pub fn of(answer: &ToolAnswer, property: &TaskProperty) -> Status {
        match (answer, property.expected) {
            (ToolAnswer::Unknown(_), _) => Status::Unknown,
            (ToolAnswer::Error(_), _) => Status::Error,
            (ToolAnswer::True | ToolAnswer::False(_), None) => Status::Unchecked,
            (ToolAnswer::True, Some(true)) => Status::CorrectTrue,
            (ToolAnswer::True, Some(false)) => Status::WrongTrue,
            (ToolAnswer::False(_), Some(true)) => Status::WrongFalse,
            (ToolAnswer::False(told), Some(false)) => match (told, &property.subproperty) {
                (Some(told), Some(expected)) if told.starts_with("valid-") && told != expected => {
                    Status::WrongFalse
                }
                _ => Status::CorrectFalse,
            },
        }
    }
}

/// The points of SV-COMP.
pub fn points(status: Status) -> i64 {
    match status {
        Status::CorrectTrue => 2,
        Status::CorrectFalse => 1,
        Status::WrongFalse => -16,
        Status::WrongTrue => -32,
        Status::Unknown | Status::Timeout | Status::OutOfMemory | Status::Error | Status::Unchecked => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(answer: ToolAnswer, expected: Option<bool>, sub: Option<&str>) -> (Status, i64) {
        let property = TaskProperty {
            property_file: "p/valid-memsafety.prp".into(),
            expected,
            subproperty: sub.map(str::to_owned),
        };
        let status = Status::of(&answer, &property);
        (status, points(status))
    }

    #[test]
    fn points_of_the_competition() {
        let told = |p: &str| ToolAnswer::False(Some(p.into()));
        assert_eq!(judged(ToolAnswer::True, Some(true), None), (Status::CorrectTrue, 2));
        assert_eq!(judged(ToolAnswer::False(None), Some(false), None), (Status::CorrectFalse, 1));
        assert_eq!(judged(ToolAnswer::True, Some(false), None), (Status::WrongTrue, -32));
        assert_eq!(judged(ToolAnswer::False(None), Some(true), None), (Status::WrongFalse, -16));
        assert_eq!(judged(told("valid-deref"), Some(false), Some("valid-deref")).1, 1);
        assert_eq!(judged(told("valid-free"), Some(false), Some("valid-deref")).1, -16);
        assert_eq!(judged(ToolAnswer::Unknown(None), Some(true), None), (Status::Unknown, 0));
        assert_eq!(judged(ToolAnswer::Error("x".into()), Some(true), None), (Status::Error, 0));
        assert_eq!(judged(ToolAnswer::True, None, None), (Status::Unchecked, 0));
    }

    #[test]
    fn names_are_read_back() {
        for (status, name) in NAMES {
            assert_eq!((status.to_string().as_str(), name.parse()), (name, Ok(status)));
        }
        assert!("right".parse::<Status>().is_err());
    }
}
