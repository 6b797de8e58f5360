//! Panics are faults of Cairn. They are caught where others can go on without the
//! part that failed, and told with their place.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// The words and places of the last panics. Whoever catches one, perhaps in another thread, has its
/// words only.
static LAST: Mutex<VecDeque<(String, String)>> = Mutex::new(VecDeque::new());
/// Panics that are remembered.
const KEPT: usize = 16;

const SILENT: &str = "a panic without a word";

/// Keeps the words of a panic instead of printing them.
pub fn listen() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!("{}:{}", l.file(), l.line()));
        let text = info.payload_as_str().unwrap_or(SILENT).to_owned();
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_front((text, place));
        last.truncate(KEPT);
    }));
}

/// Runs something that may panic: its result, or what went wrong and where. What it worked on is
/// not to be used any more.
pub fn caught<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or(SILENT);
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        match last.iter().find(|(words, _)| words == text) {
            Some((_, place)) => format!("{text} ({place})"),
            None => text.to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_caught_is_told_with_its_place() {
        listen();
        assert_eq!(caught(|| 7), Ok(7));
        let what = caught(|| panic!("no {}", "way")).expect_err("it panics");
        assert!(what.starts_with("no way (") && what.contains("fault.rs:"), "{what}");
    }
}
