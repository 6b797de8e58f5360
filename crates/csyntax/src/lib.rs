//! C syntax: source text, preprocessing, tokens, the tree, and how to show a
//! diagnostic. The only crate that knows what C looks like.

pub mod ast;
mod lex;
mod literal;
pub mod parse;
mod pragma;
mod token;

pub use parse::{MAX_DEPTH, parse};
pub use token::Dialect;
