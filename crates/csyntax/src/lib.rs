//! C syntax: source text, preprocessing, tokens, the tree, and how to show a
//! diagnostic. The only crate that knows what C looks like.

pub mod ast;
