//! What the front end has to say about the user's program. Rendering (snippet,
//! caret, colour) is the business of the crates that know the source text.

use crate::Span;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The input is not C, or breaks a constraint of the language.
    Error,
    /// The input may be fine but uses what Cairn does not handle.
    Unsupported,
    Warning,
}

/// One message about one place, with optional further places.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub kind: Kind,
    pub message: String,
    pub span: Option<Span>,
    /// Secondary remarks ("first declared here").
    pub notes: Vec<(String, Option<Span>)>,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: Kind::Error, message: message.into(), span: Some(span), notes: vec![] }
    }

    pub fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: Kind::Unsupported, ..Diagnostic::error(span, message) }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: Kind::Warning, ..Diagnostic::error(span, message) }
    }

    /// An error about the input as a whole (a missing file, a failed `gcc -E`).
    pub fn global(message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: Kind::Error, message: message.into(), span: None, notes: vec![] }
    }

    pub fn note(mut self, message: impl Into<String>, span: Option<Span>) -> Diagnostic {
        self.notes.push((message.into(), span));
        self
    }
}
