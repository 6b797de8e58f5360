//! A line that moves while a long run gives no other sign of life. It is shown
//! on terminals only, after the first second, and goes away when the program
//! prints something itself.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Shared>>);

struct Shared {
    /// The program prints to the terminal: stay quiet.
    hidden: AtomicBool,
    message: Mutex<String>,
    bar: Mutex<Option<ProgressBar>>,
    /// Dropping it ends the waiting thread.
    _alive: Mutex<Sender<()>>,
}

impl Progress {
    /// Starts waiting, if there is a terminal to show anything on.
    pub fn start(message: &str) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(None);
        }
        let (alive, ended) = channel();
        let shared = Arc::new(Shared {
            hidden: AtomicBool::new(false),
            message: Mutex::new(message.to_owned()),
            bar: Mutex::default(),
            _alive: Mutex::new(alive),
        });
        let weak = Arc::downgrade(&shared);
        thread::spawn(move || {
            if ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let Some(shared) = weak.upgrade() else { return };
            if shared.hidden.load(Ordering::Relaxed) {
                return;
            }
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed} (Ctrl-C ends it)") {
                bar.set_style(style);
            }
            bar.set_message(shared.message.lock().unwrap_or_else(PoisonError::into_inner).clone());
            bar.enable_steady_tick(Duration::from_millis(120));
            *shared.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
        });
        Progress(Some(shared))
    }

    /// Says something else from now on.
    pub fn say(&self, message: &str) {
        let Some(shared) = &self.0 else { return };
        *shared.message.lock().unwrap_or_else(PoisonError::into_inner) = message.to_owned();
        if let Some(bar) = &*shared.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.set_message(message.to_owned());
        }
    }

    /// Takes the line away for good.
    pub fn hide(&self) {
        let Some(shared) = &self.0 else { return };
        if !shared.hidden.swap(true, Ordering::Relaxed)
            && let Some(bar) = shared.bar.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            bar.finish_and_clear();
        }
    }
}
