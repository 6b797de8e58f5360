//! Properties: their names, and the property files of SV-COMP.

use std::fmt;

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

/// A property that nobody can read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyError(pub String);

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
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
                    _ if !is_identifier(subject) => return None,
                    "call" => Property::UnreachCall { functions: vec![subject.into()], assertions: false },
                    "label" => Property::UnreachLabel(subject.into()),
                    _ => return None,
                }
            }
        })
    }

    /// Reads the text of a property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    /// Also says which function it starts in.
    pub fn parse(text: &str) -> Result<(Property, String), PropertyError> {
        let mut found: Option<(Property, String)> = None;
        for line in text.lines() {
            let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            if squeezed.is_empty() || squeezed.starts_with('#') || squeezed.starts_with("//") {
                continue;
            }
            let bad = || PropertyError(format!("this is not a property: {}", line.trim()));
            let inner = squeezed.strip_prefix("CHECK(").and_then(|s| s.strip_suffix(')')).ok_or_else(bad)?;
            let inner = inner.strip_prefix("init(").ok_or_else(bad)?;
            let (entry, formula) = inner.split_once("()),").ok_or_else(bad)?;
            let formula = formula.strip_prefix("LTL(").and_then(|s| s.strip_suffix(')')).ok_or_else(bad)?;
            let property = Property::formula(formula).ok_or_else(bad)?;
            found = Some(match found {
                None => (property, entry.to_owned()),
                // The three lines of memory safety are one property.
                Some((Property::Unsupported(a), e)) if matches!(property, Property::Unsupported(_)) => {
                    let both = a.starts_with("valid-");
                    (Property::Unsupported(if both { "valid-memsafety".into() } else { a }), e)
                }
                Some(_) => return Err(PropertyError("more than one property is given".into())),
            });
        }
        found.ok_or_else(|| PropertyError("there is no CHECK( … ) in it".into()))
    }

    fn formula(f: &str) -> Option<Property> {
        if let Some(name) = f.strip_prefix("G!call(").and_then(|s| s.strip_suffix(')')) {
            let name = name.strip_suffix("()").unwrap_or(name);
            return is_identifier(name)
                .then(|| Property::UnreachCall { functions: vec![name.into()], assertions: false });
        }
        if let Some(label) = f.strip_prefix("G!label(").and_then(|s| s.strip_suffix(')')) {
            return is_identifier(label).then(|| Property::UnreachLabel(label.into()));
        }
        Some(match f {
            "G!overflow" => Property::NoOverflow,
            "G!div-by-zero" | "G!division-by-zero" => Property::NoDivisionByZero,
            "Gassert" => Property::UnreachCall { functions: vec![], assertions: true },
            "Fend" => Property::Unsupported("termination".into()),
            "G!data-race" => Property::Unsupported("no-data-race".into()),
            _ => {
                let name = f.strip_prefix('G')?;
                let known = ["valid-free", "valid-deref", "valid-memtrack", "valid-memcleanup"];
                known.contains(&name).then(|| Property::Unsupported(name.into()))?
            }
        })
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

    /// The text of a property file that says the same, for witnesses and test suites.
    pub fn specification(&self, entry: &str) -> String {
        let formula = match self {
            Property::UnreachCall { functions, assertions: true } if functions.is_empty() => {
                "G assert".to_owned()
            }
            Property::UnreachCall { functions, .. } => {
                let name = functions.first().map_or("reach_error", String::as_str);
                format!("G ! call({name}())")
            }
            Property::UnreachLabel(label) => format!("G ! label({label})"),
            // No property file can name them.
            Property::UnreachTargets(_) => "G ! target".to_owned(),
            Property::NoOverflow => "G ! overflow".to_owned(),
            Property::NoDivisionByZero => "G ! div-by-zero".to_owned(),
            Property::Unsupported(name) => name.clone(),
        };
        format!("CHECK( init({entry}()), LTL({formula}) )")
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
    fn competition_files() {
        let parse = |t: &str| Property::parse(t).map(|(p, e)| (p.name().to_owned(), e));
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(Property::parse(reach), Ok((call("reach_error"), "main".into())));
        assert_eq!(parse("\n CHECK( init(f()), LTL(G ! overflow) )"), Ok(("no-overflow".into(), "f".into())));
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(parse(memory), Ok(("valid-memsafety".into(), "main".into())));
        assert_eq!(parse("CHECK( init(main()), LTL(F end) )"), Ok(("termination".into(), "main".into())));
        for bad in [
            "",
            "hello",
            "CHECK()",
            "CHECK( init(main()), LTL(G ! call(1+1)) )",
            "CHECK( init(main()), LTL(X) )",
        ] {
            assert!(Property::parse(bad).is_err(), "{bad}");
        }
        let two = format!("{reach}CHECK( init(main()), LTL(G ! overflow) )");
        assert!(Property::parse(&two).is_err());
    }

    #[test]
    fn specifications_are_read_back() {
        for p in [
            call("f"),
            Property::UnreachCall { functions: vec![], assertions: true },
            Property::UnreachLabel("ERR".into()),
            Property::NoOverflow,
            Property::NoDivisionByZero,
        ] {
            assert_eq!(Property::parse(&p.specification("main")), Ok((p, "main".into())));
        }
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
