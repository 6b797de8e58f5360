//! Properties and their names.

use crate::target::Target;

/// What must hold of every execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// None of these functions is called, and no `assert` fails if `assertions` are meant too.
    UnreachCall { functions: Vec<String>, assertions: bool },
    /// No statement with this label is reached.
    UnreachLabel(String),
    /// None of these is reached. They are named by the ids of the program as it was compiled.
    UnreachTargets(Vec<Target>),
    /// Signed arithmetic stays in range.
    NoOverflow,
    /// No integer is divided by zero.
    NoDivisionByZero,
    /// Known to competitions but not decided here yet; the name.
    Unsupported(String),
}

const OTHERS: [&str; 7] = [
    "valid-memsafety",
    "valid-memcleanup",
    "valid-free",
    "valid-deref",
    "valid-memtrack",
    "termination",
    "no-data-race",
];

impl Default for Property {
    fn default() -> Property {
        Property::UnreachCall {
            functions: vec!["reach_error".into(), "__VERIFIER_error".into()],
            assertions: true,
        }
    }
}

impl Property {
    /// The names that [`Property::named`] understands, for messages.
    pub const NAMES: &str =
        "unreach-call, no-overflow, no-div-by-zero, assert, call:FUNCTION, label:LABEL, or a property file";

    /// A property by name: `unreach-call`, `no-overflow`, `no-div-by-zero`, `assert`,
    /// `call:FUNCTION`, `label:LABEL`.
    pub fn named(name: &str) -> Option<Property> {
        Some(match name {
            "unreach-call" | "reach" | "reachability" => Property::default(),
            "assert" | "assertions" => Property::UnreachCall { functions: vec![], assertions: true },
            "no-overflow" | "overflow" => Property::NoOverflow,
            "no-div-by-zero" | "div-by-zero" => Property::NoDivisionByZero,
            _ if OTHERS.contains(&name) => Property::Unsupported(name.into()),
            _ => {
                let (kind, subject) = name.split_once(':')?;
                match kind {
                    "call" => Property::call(subject)?,
                    "label" => Property::label(subject)?,
                    _ => return None,
                }
            }
        })
    }

    /// No function of this name is called; `None` if that is no name.
    pub fn call(function: &str) -> Option<Property> {
        is_identifier(function)
            .then(|| Property::UnreachCall { functions: vec![function.into()], assertions: false })
    }

    /// No label of this name is reached; `None` if that is no name.
    pub fn label(label: &str) -> Option<Property> {
        is_identifier(label).then(|| Property::UnreachLabel(label.into()))
    }

    /// The name in the last line and in competition results.
    pub fn name(&self) -> &str {
        match self {
            Property::UnreachCall { functions, assertions: true } if functions.is_empty() => "assert",
            Property::UnreachCall { .. } => "unreach-call",
            Property::UnreachLabel(_) => "unreach-label",
            Property::UnreachTargets(_) => "unreach-targets",
            Property::NoOverflow => "no-overflow",
            Property::NoDivisionByZero => "no-div-by-zero",
            Property::Unsupported(name) => name,
        }
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str) -> Property {
        Property::UnreachCall { functions: vec![name.into()], assertions: false }
    }

    #[test]
    fn names() {
        assert_eq!(Property::named("unreach-call"), Some(Property::default()));
        assert_eq!(Property::named("call:abort"), Some(call("abort")));
        let name = |p: &str| Property::named(p).map(|p| p.name().to_owned());
        assert_eq!(name("assert").as_deref(), Some("assert"));
        assert_eq!(name("call:abort").as_deref(), Some("unreach-call"));
        assert_eq!(Property::named("label:ERROR"), Some(Property::UnreachLabel("ERROR".into())));
        for bad in ["", "call:", "call:1x", "nonsense", "label:a b"] {
            assert_eq!(Property::named(bad), None, "{bad}");
        }
    }
}
