//! TRUE with its conditions, as the verdict line has it.

/// The conditions take no more room than this in the line, unless the first one alone does.
const ROOM: usize = 120;

/// `TRUE`, or `TRUE (if A; B)`. What does not fit is counted: `TRUE (if A; and 3 more)`.
pub fn verdict_true(conditions: &[String]) -> String {
    let Some(first) = conditions.first() else { return "TRUE".to_owned() };
    let mut line = format!("TRUE (if {first}");
    let mut left = &conditions[1..];
    while let [next, rest @ ..] = left
        && line.len() + next.len() <= ROOM
    {
        line.push_str("; ");
        line.push_str(next);
        left = rest;
    }
    if !left.is_empty() {
        line.push_str(&format!("; and {} more", left.len()));
    }
    line + ")"
}

#[cfg(test)]
mod tests {
    use super::verdict_true;

    #[test]
    fn long_lists_are_cut() {
        let named = |names: &[&str]| names.iter().map(|n| format!("{n} has no effect")).collect::<Vec<_>>();
        assert_eq!(verdict_true(&[]), "TRUE");
        assert_eq!(verdict_true(&named(&["f"])), "TRUE (if f has no effect)");
        assert_eq!(verdict_true(&named(&["f", "g"])), "TRUE (if f has no effect; g has no effect)");
        let many: Vec<String> = (0..30).map(|n| format!("function_{n} has no effect")).collect();
        let line = verdict_true(&many);
        assert!(line.ends_with("; and 26 more)") && line.len() < 150, "{line}");
        assert_eq!(verdict_true(&["x".repeat(300)]).len(), 310);
    }
}
