//! Writing to the two standard streams. A reader that went away is no error.
//!
//! The streams are written past the standard library's locks, because the last word
//! may have to be said while another thread holds one.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use anstream::{AutoStream, ColorChoice, StripStream};

use crate::guard::word;

/// Does standard error understand colours (and does the user want them)?
pub fn colour() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Columns of the terminal, or a usual number where there is none.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map_or(100, |(terminal_size::Width(columns), _)| columns.into())
}

fn write(stream: &impl AsFd, text: &[u8]) {
    let own = stream.as_fd().try_clone_to_owned();
    let _ = own.and_then(|fd| File::from(fd).write_all(text));
}

fn without_styles(text: &str) -> Vec<u8> {
    let mut plain = StripStream::new(Vec::new());
    let _ = plain.write_all(text.as_bytes());
    plain.into_inner()
}

/// Cairn's own words, to standard error; styles are removed where they do not belong.
pub fn report(text: &str) {
    match colour() {
        true => write(&io::stderr(), text.as_bytes()),
        false => write(&io::stderr(), &without_styles(text)),
    }
}

/// A result asked for, to standard output.
pub fn output(text: &str) {
    word::take();
    write(&io::stdout(), text.as_bytes());
}

/// A verdict for people, to standard output; styles are removed where they do not belong.
pub fn say(text: &str) {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => output(&String::from_utf8_lossy(&without_styles(text))),
        _ => output(text),
    }
}

/// A mistake on the command line.
pub fn usage_error(message: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    report(&format!("{style}error:{style:#} {message}\n"));
}
