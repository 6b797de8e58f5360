//! Ctrl-C and termination requests end the work with what is known so far; a
//! second one ends the process at once.

use cairn_base::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::Exit;

/// Raises `cancel` on the first signal.
pub fn watch(cancel: &Cancel) {
    for signal in [SIGINT, SIGTERM] {
        // Without handlers a signal still ends the process, only less gently.
        let _ = flag::register_conditional_shutdown(signal, Exit::Limit as i32, cancel.flag().clone());
        let _ = flag::register(signal, cancel.flag().clone());
    }
}
