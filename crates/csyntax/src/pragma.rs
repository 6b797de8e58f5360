//! `#pragma pack`: a stack of packing values as gcc keeps it.

/// The value in force and the saved ones.
#[derive(Default, Debug)]
pub struct PackStack {
    current: Option<u32>,
    saved: Vec<(Option<String>, Option<u32>)>,
}

impl PackStack {
    /// The maximal alignment of members in bytes; `None` is the natural one.
    pub fn current(&self) -> Option<u32> {
        self.current
    }

    /// Obeys `(…)` of one pragma: `()`, `(n)`, `(push)`, `(push, n)`,
    /// `(push, id, n)`, `(pop)`, `(pop, id)`. Anything else is ignored, as gcc
    /// ignores it with a warning; then the answer is `false`.
    pub fn apply(&mut self, args: &str) -> bool {
        let Some(inner) = args.trim().strip_prefix('(').and_then(|a| a.split_once(')')) else { return false };
        let words: Vec<&str> = inner.0.split(',').map(str::trim).collect();
        match words[..] {
            [""] => self.current = None,
            ["push"] => self.saved.push((None, self.current)),
            ["push", word] => match alignment(word) {
                Some(value) => {
                    self.saved.push((None, self.current));
                    self.current = value;
                }
                None => self.saved.push((Some(word.to_owned()), self.current)),
            },
            ["push", id, number] => {
                let Some(value) = alignment(number) else { return false };
                self.saved.push((Some(id.to_owned()), self.current));
                self.current = value;
            }
            ["pop"] => match self.saved.pop() {
                Some((_, value)) => self.current = value,
                None => return false,
            },
            ["pop", id] => {
                let Some(at) = self.saved.iter().rposition(|(name, _)| name.as_deref() == Some(id)) else {
                    return false;
                };
                self.current = self.saved[at].1;
                self.saved.truncate(at);
            }
            [number] => match alignment(number) {
                Some(value) => self.current = value,
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

/// The alignments that gcc takes; 0 is the default of the target.
fn alignment(word: &str) -> Option<Option<u32>> {
    match word {
        "0" => Some(None),
        "1" | "2" | "4" | "8" | "16" => word.parse().ok().map(Some),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_and_pop() {
        let mut pack = PackStack::default();
        for (args, ok, value) in [
            ("(4)", true, Some(4)),
            (" ( push , 1 ) ", true, Some(1)),
            ("(push, here, 2)", true, Some(2)),
            ("(push)", true, Some(2)),
            ("(8)", true, Some(8)),
            ("(pop, here)", true, Some(1)),
            ("(pop)", true, Some(4)),
            ("(pop)", false, Some(4)),
            ("(3)", false, Some(4)),
            ("()", true, None),
            ("nonsense", false, None),
        ] {
            assert_eq!((pack.apply(args), pack.current()), (ok, value), "{args}");
        }
    }
}
