//! The text form of a program: complete, readable, and read back exactly.
//!
//! `parse(print(p))` is `p` again in every table (expression ids may differ, as
//! they carry no meaning, and so may the order of `Location::inn` and
//! `Body::edges`, which come out ascending) for every program that the verifier
//! accepts. One line is one item; `;` starts a comment.
//!
//! ```text
//! program LP64
//! entry main.0
//! branches 1
//! assume at e4 "f has no effect"
//! file 0 "count.c"
//! type 0 scalar "int" i32
//! type 1 array 0 x 10
//! type 2 struct "struct s" size 8 { "x": 0 at 0, "y": 0 at 4 bits 0 3 }
//! global total.0: i32 = 0i32 @0:1:5-1:10 type 0
//! object table.0: global size 40 align 4 static { 0: b"\x01\x00", 8: &table.0 + 4 bytes 8 } type 1
//! func main.0 () -> i32 @0:3:1-9:2 {
//!   entry l0 exit l3
//!   local i.1: i32 @0:4:7-4:8 scope 0:4:1-9:2 type 0
//!   l0:
//!     e0 -> l1: i.1 := 0i32 @0:4:7-4:12
//!   l1: loop @0:5:3-6:12 label "again"
//!     e1 -> l2: when i.1 < 10i32 @0:5:10-5:16 branch 0 true
//!     e2 -> l3: unless i.1 < 10i32 @0:5:10-5:16 branch 0 false
//!   ...
//! }
//! ```
//!
//! A thing is written as its name, made printable, a dot and its id; the id
//! counts and the name must agree. Expressions are fully bracketed infix trees
//! over typed constants, so that every type can be read off. A subexpression
//! that is large and shared, or nested deeply, is named once by a `let` line
//! before its first use (`let $0 = ...`), which keeps the text linear in the
//! size of the hash-consed graph.

mod expr;
mod lex;
mod names;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use parse::{ParseError, parse};
pub use print::print;

/// The word of the text form for a unary operation that is written like a call.
pub(crate) fn unary_name(op: cairn_value::UnOp) -> &'static str {
    names::word(names::UNARY_CALLS, &op)
}

/// The word of a binary operation that is written like a call.
pub(crate) fn binary_name(op: cairn_value::BinOp) -> &'static str {
    names::word(names::BINARY_CALLS, &op)
}

/// The word of the text form for a mathematical function.
pub(crate) fn math_name(f: crate::MathFn) -> &'static str {
    names::word(names::MATH, &f)
}
