//! S-expressions in an arena, read and dropped without recursion.

use std::fmt;
use std::ops::Range;

/// A node of a [`Tree`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Node(u32);

#[derive(Clone, Debug)]
enum Kind {
    /// A part of the text; quoted symbols come without their bars, strings with their quotes.
    Atom(Range<usize>),
    /// A part of `children`.
    List(Range<usize>),
}

/// All the S-expressions of a text.
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    nodes: Vec<Kind>,
    children: Vec<Node>,
    roots: Vec<Node>,
}

/// Why a text is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

impl Tree {
    pub fn parse(text: &str) -> Result<Tree, Malformed> {
        let mut tree =
            Tree { text: text.to_owned(), nodes: Vec::new(), children: Vec::new(), roots: Vec::new() };
        // Nodes of the lists that are open, innermost last.
        let mut open: Vec<Vec<Node>> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let node = match bytes[at] {
                c if c.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b';' => {
                    at = find(bytes, at, b'\n').unwrap_or(bytes.len());
                    continue;
                }
                b'(' => {
                    open.push(Vec::new());
                    at += 1;
                    continue;
                }
                b')' => {
                    let list = open.pop().ok_or_else(|| Malformed("unexpected `)`".into()))?;
                    at += 1;
                    let first = tree.children.len();
                    tree.children.extend(list);
                    Kind::List(first..tree.children.len())
                }
                b'|' => {
                    let end = find(bytes, at + 1, b'|').ok_or_else(|| Malformed("unclosed `|`".into()))?;
                    let atom = at + 1..end;
                    at = end + 1;
                    Kind::Atom(atom)
                }
                b'"' => {
                    let mut end = at;
                    loop {
                        end =
                            find(bytes, end + 1, b'"').ok_or_else(|| Malformed("unclosed string".into()))?;
                        if bytes.get(end + 1) != Some(&b'"') {
                            break;
                        }
                        end += 1;
                    }
                    let atom = at..end + 1;
                    at = end + 1;
                    Kind::Atom(atom)
                }
                _ => {
                    let start = at;
                    while at < bytes.len() && !is_delimiter(bytes[at]) {
                        at += 1;
                    }
                    Kind::Atom(start..at)
                }
            };
            let id = Node(tree.nodes.len() as u32);
            tree.nodes.push(node);
            match open.last_mut() {
                Some(list) => list.push(id),
                None => tree.roots.push(id),
            }
        }
        if open.is_empty() { Ok(tree) } else { Err(Malformed("unclosed `(`".into())) }
    }

    pub fn roots(&self) -> &[Node] {
        &self.roots
    }

    pub fn atom(&self, n: Node) -> Option<&str> {
        match &self.nodes[n.0 as usize] {
            Kind::Atom(range) => Some(&self.text[range.clone()]),
            Kind::List(_) => None,
        }
    }

    pub fn list(&self, n: Node) -> Option<&[Node]> {
        match &self.nodes[n.0 as usize] {
            Kind::List(range) => Some(&self.children[range.clone()]),
            Kind::Atom(_) => None,
        }
    }

    /// The atoms of a list that has nothing but atoms.
    pub fn atoms(&self, n: Node) -> Option<Vec<&str>> {
        self.list(n)?.iter().map(|&k| self.atom(k)).collect()
    }
}

fn find(bytes: &[u8], from: usize, what: u8) -> Option<usize> {
    bytes.get(from..)?.iter().position(|&b| b == what).map(|n| n + from)
}

fn is_delimiter(c: u8) -> bool {
    c.is_ascii_whitespace() || matches!(c, b'(' | b')' | b'|' | b'"' | b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_quoted_symbols() {
        let t = Tree::parse("; hello (\n(a |b c| \"d\"\"e\" ()) f").unwrap();
        assert_eq!(t.roots().len(), 2);
        let list = t.list(t.roots()[0]).unwrap();
        assert_eq!(t.atom(list[1]), Some("b c"));
        assert_eq!(t.atom(list[2]), Some("\"d\"\"e\""));
        assert_eq!(t.list(list[3]), Some(&[][..]));
    }

    #[test]
    fn malformed_texts() {
        for text in ["(", ")", "(a", "|x", "\"x", "(a))"] {
            assert!(Tree::parse(text).is_err(), "{text}");
        }
        let deep = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert!(Tree::parse(&deep).is_ok());
    }
}
