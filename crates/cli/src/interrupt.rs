//! Ctrl-C and termination requests end the work with what is known so far; a
//! later one ends the process at once.
//!
//! One request may arrive as two signals: `timeout` sends its signal to the
//! command and then to the whole process group. Signals that follow the first
//! within a moment are therefore the same request.

use std::thread;
use std::time::{Duration, Instant};

use cairn_base::{Cancel, Limit};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::exit::Exit;
use crate::guard::word;

const MOMENT: Duration = Duration::from_millis(500);

/// Raises `cancel` on the first signal.
pub fn watch(cancel: &Cancel) {
    // Without handlers a signal still ends the process, only less gently.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let cancel = cancel.clone();
    thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for _ in signals.forever() {
            cancel.raise_for(Limit::Cancelled);
            if first.get_or_insert_with(Instant::now).elapsed() > MOMENT {
                word::end(Exit::Limit);
            }
        }
    });
}
