//! The property files of SV-COMP, read and written.

use std::fmt;

use cairn_core::Property;

/// Why a text is no property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyError(pub String);

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
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
        let property = read_formula(formula).ok_or_else(bad)?;
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

fn read_formula(f: &str) -> Option<Property> {
    if let Some(name) = f.strip_prefix("G!call(").and_then(|s| s.strip_suffix(')')) {
        let name = name.strip_suffix("()").unwrap_or(name);
        return Property::call(name);
    }
    if let Some(label) = f.strip_prefix("G!label(").and_then(|s| s.strip_suffix(')')) {
        return Property::label(label);
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

/// The text of a property file that says the same, for witnesses and test suites.
pub fn specification(property: &Property, entry: &str) -> String {
    let formula = match property {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str) -> Property {
        Property::UnreachCall { functions: vec![name.into()], assertions: false }
    }

    #[test]
    fn competition_files() {
        let parsed = |t: &str| parse(t).map(|(p, e)| (p.name().to_owned(), e));
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(parse(reach), Ok((call("reach_error"), "main".into())));
        assert_eq!(
            parsed("\n CHECK( init(f()), LTL(G ! overflow) )"),
            Ok(("no-overflow".into(), "f".into()))
        );
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(parsed(memory), Ok(("valid-memsafety".into(), "main".into())));
        assert_eq!(parsed("CHECK( init(main()), LTL(F end) )"), Ok(("termination".into(), "main".into())));
        for bad in [
            "",
            "hello",
            "CHECK()",
            "CHECK( init(main()), LTL(G ! call(1+1)) )",
            "CHECK( init(main()), LTL(X) )",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let two = format!("{reach}CHECK( init(main()), LTL(G ! overflow) )");
        assert!(parse(&two).is_err());
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
            assert_eq!(parse(&specification(&p, "main")), Ok((p, "main".into())));
        }
    }
}
