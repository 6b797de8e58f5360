//! Writing to the two standard streams. A reader that went away is no error.

use std::io::Write;

use anstream::{AutoStream, ColorChoice};

/// Does standard error understand colours (and does the user want them)?
pub fn colour() -> bool {
    AutoStream::choice(&std::io::stderr()) != ColorChoice::Never
}

/// Columns of the terminal, or a usual number where there is none.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    terminal.map_or(100, |(terminal_size::Width(columns), _)| columns.into())
}

/// Cairn's own words, to standard error; styles are removed where they do not belong.
pub fn report(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// A result asked for, to standard output.
pub fn output(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A verdict for people, to standard output; styles are removed where they do not belong.
pub fn say(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A mistake on the command line.
pub fn usage_error(message: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    report(&format!("{style}error:{style:#} {message}\n"));
}
