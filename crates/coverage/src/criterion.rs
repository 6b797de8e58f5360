//! What a suite is to cover, by name or as the property files of Test-Comp say it:
//! `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.

/// What counts as covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Each call of an error function, and with `assertions` each `assert` that fails.
    Error { functions: Vec<String>, assertions: bool },
    /// Each outcome of each decision.
    Branches,
    /// Each basic block.
    Statements,
    /// Each outcome of each atomic condition.
    Conditions,
}

impl Criterion {
    /// The names that [`Criterion::named`] understands, for messages.
    pub const NAMES: &str = "branches, statements, conditions, error, or a property file of Test-Comp";

    pub fn named(name: &str) -> Option<Criterion> {
        Some(match name.strip_prefix("coverage-").unwrap_or(name) {
            "error" | "error-call" | "cover-error" => Criterion::any_error(),
            "branches" => Criterion::Branches,
            "statements" => Criterion::Statements,
            "conditions" => Criterion::Conditions,
            _ => return None,
        })
    }

    /// Calls of the usual error functions, and assertions that fail.
    pub fn any_error() -> Criterion {
        let functions = vec!["reach_error".into(), "__VERIFIER_error".into()];
        Criterion::Error { functions, assertions: true }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Criterion::Error { .. } => "error",
            Criterion::Branches => "branches",
            Criterion::Statements => "statements",
            Criterion::Conditions => "conditions",
        }
    }

    /// What its goals are, in the plural.
    pub fn noun(&self) -> &'static str {
        match self {
            Criterion::Error { .. } => "errors",
            Criterion::Branches => "outcomes of decisions",
            Criterion::Statements => "basic blocks",
            Criterion::Conditions => "outcomes of conditions",
        }
    }

    /// Reads a property file. Also says which function it starts in.
    pub fn parse(text: &str) -> Result<(Criterion, String), String> {
        let mut found = None;
        for line in text.lines() {
            let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            if squeezed.is_empty() || squeezed.starts_with('#') || squeezed.starts_with("//") {
                continue;
            }
            let read = read_line(&squeezed)
                .ok_or_else(|| format!("this is not a coverage property: {}", line.trim()))?;
            if found.replace(read).is_some() {
                return Err("more than one property is given".into());
            }
        }
        found.ok_or_else(|| "there is no COVER( … ) in it".into())
    }

    /// The text of a property file that says the same.
    pub fn specification(&self, entry: &str) -> String {
        let edges = match self {
            Criterion::Error { functions, .. } => {
                format!("@CALL({})", functions.first().map_or("reach_error", String::as_str))
            }
            Criterion::Branches => "@DECISIONEDGE".to_owned(),
            Criterion::Statements => "@BASICBLOCKENTRY".to_owned(),
            Criterion::Conditions => "@CONDITIONEDGE".to_owned(),
        };
        format!("COVER( init({entry}()), FQL(COVER EDGES({edges})) )")
    }
}

fn read_line(squeezed: &str) -> Option<(Criterion, String)> {
    let inner = squeezed.strip_prefix("COVER(init(")?.strip_suffix(')')?;
    let (entry, query) = inner.split_once("()),")?;
    let edges = query.strip_prefix("FQL(COVEREDGES(")?.strip_suffix("))")?;
    let criterion = match edges {
        "@DECISIONEDGE" => Criterion::Branches,
        "@BASICBLOCKENTRY" => Criterion::Statements,
        "@CONDITIONEDGE" => Criterion::Conditions,
        _ => {
            let name = edges.strip_prefix("@CALL(")?.strip_suffix(')')?;
            let name = name.strip_suffix("()").unwrap_or(name);
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(word) {
                return None;
            }
            Criterion::Error { functions: vec![name.to_owned()], assertions: false }
        }
    };
    Some((criterion, entry.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn competition_files() {
        for (edges, name) in [
            ("@DECISIONEDGE", "branches"),
            ("@BASICBLOCKENTRY", "statements"),
            ("@CONDITIONEDGE", "conditions"),
            ("@CALL(__VERIFIER_error)", "error"),
        ] {
            let text = format!("COVER( init(main()), FQL(COVER EDGES({edges})) )\n");
            let (criterion, entry) = Criterion::parse(&text).expect(edges);
            assert_eq!((criterion.name(), entry.as_str()), (name, "main"));
            assert_eq!(criterion.specification("main"), text.trim());
        }
        for bad in [
            "",
            "COVER()",
            "COVER( init(main()), FQL(COVER EDGES(@X)) )",
            "COVER( init(main()), FQL(COVER EDGES(@CALL(a+b))) )",
            "CHECK( init(main()), LTL(G ! overflow) )",
        ] {
            assert!(Criterion::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names() {
        for name in ["error", "branches", "statements", "conditions"] {
            assert_eq!(Criterion::named(name).map(|c| c.name()), Some(name));
        }
        assert_eq!(Criterion::named("coverage-branches"), Some(Criterion::Branches));
        assert_eq!(Criterion::named("lines"), None);
    }
}
