//! C syntax: source text, preprocessing, tokens, the tree, and how to show a
//! diagnostic. The only crate that knows what C looks like.

mod align;
pub mod ast;
pub mod compile_db;
mod lex;
mod literal;
pub mod parse;
mod pragma;
pub mod preprocess;
pub mod render;
pub mod source;
mod token;

pub use parse::{MAX_DEPTH, parse};
pub use source::SourceMap;
pub use token::Dialect;
