//! The assertions of a solver's scopes, for those who must know them.

use cairn_term::TermId;

#[derive(Clone, Default, Debug)]
pub struct Stack {
    assertions: Vec<TermId>,
    /// How many assertions there were when each open scope was opened.
    scopes: Vec<usize>,
}

impl Stack {
    pub fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    /// Says whether there was a scope to close.
    pub fn pop(&mut self) -> bool {
        match self.scopes.pop() {
            Some(length) => {
                self.assertions.truncate(length);
                true
            }
            None => false,
        }
    }

    pub fn assert(&mut self, t: TermId) {
        self.assertions.push(t);
    }

    pub fn assertions(&self) -> &[TermId] {
        &self.assertions
    }

    /// The assertions of the outermost scope, then those of each open scope.
    pub fn scopes(&self) -> impl Iterator<Item = &[TermId]> {
        let starts = std::iter::once(0).chain(self.scopes.iter().copied());
        let ends = self.scopes.iter().copied().chain([self.assertions.len()]);
        starts.zip(ends).map(|(from, to)| &self.assertions[from..to])
    }
}
