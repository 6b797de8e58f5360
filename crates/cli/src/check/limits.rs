//! Limits on the whole process: CPU time and memory. A thread looks now and
//! then and asks everybody to end, so that what is known is still printed.

use std::thread;
use std::time::Duration;

use cairn_base::{Cancel, Limit};

const PERIOD: Duration = Duration::from_millis(20);

/// Watches the limits that are given, in CPU time and megabytes.
pub fn watch(cancel: &Cancel, cpu: Option<Duration>, memory: Option<u64>) {
    if cpu.is_none() && memory.is_none() {
        return;
    }
    let cancel = cancel.clone();
    thread::spawn(move || {
        while !cancel.raised() {
            if cpu.is_some_and(|limit| cpu_time::ProcessTime::now().as_duration() >= limit) {
                cancel.raise_for(Limit::Time);
            }
            if memory.is_some_and(|limit| resident() >= limit << 20) {
                cancel.raise_for(Limit::Memory);
            }
            thread::sleep(PERIOD);
        }
    });
}

/// Bytes of this process in main memory.
fn resident() -> u64 {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE
}
