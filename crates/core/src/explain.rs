//! How an engine came to its answer, told to people: a picture and what happened
//! in order. Nothing rests on it.

/// One course of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What the picture shows, in a few words.
    pub title: String,
    /// SVG.
    pub picture: String,
    /// What happened, in order.
    pub steps: Vec<Happened>,
    /// How it ended, in figures and words, and what is not shown.
    pub summary: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happened {
    /// In a word or two, the same for all of a kind (`dead end`).
    pub what: String,
    pub text: String,
    /// The name of the box of the picture at which it happened.
    pub at: Option<String>,
}
