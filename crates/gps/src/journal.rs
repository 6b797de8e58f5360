//! What a search did, in order, for explanations. It is kept only if the user
//! asks for one.

use cairn_core::explain::{Entry, NodeId, Test};

/// Entries that are kept; the rest is counted.
const MOST_ENTRIES: usize = 20_000;
/// Choices of values that are kept of a test.
const MOST_CHOICES: usize = 400;

#[derive(Clone, Default, Debug)]
pub struct Journal {
    pub entries: Vec<Entry>,
    /// What came when it was full.
    pub left_out: usize,
    /// The test that is being executed.
    open: Option<usize>,
}

impl Journal {
    pub fn add(&mut self, entry: Entry) {
        let is_test = matches!(entry, Entry::Test(_));
        if self.entries.len() >= MOST_ENTRIES {
            self.left_out += 1;
            self.open = if is_test { None } else { self.open };
            return;
        }
        self.entries.push(entry);
        if is_test {
            self.open = Some(self.entries.len() - 1);
        }
    }

    pub fn test(&mut self, from: NodeId) {
        self.add(Entry::Test(Test { from, choices: Vec::new(), reached: None }));
    }

    fn current(&mut self) -> Option<&mut Test> {
        match self.entries.get_mut(self.open?) {
            Some(Entry::Test(test)) => Some(test),
            _ => None,
        }
    }

    /// The test chose values on its way to a node.
    pub fn chose(&mut self, node: NodeId, values: &[i128]) {
        if let Some(test) = self.current()
            && !values.is_empty()
            && test.choices.len() < MOST_CHOICES
        {
            test.choices.push((node, values.to_vec()));
        }
    }

    pub fn reached(&mut self, node: NodeId) {
        if let Some(test) = self.current() {
            test.reached = Some(node);
        }
    }
}
