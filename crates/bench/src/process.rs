//! One command under limits, with everything it starts.
//!
//! Time and memory are limited for the whole family of processes, because
//! tools are scripts and portfolios: a watcher samples `/proc` and sums up. The
//! kernel's own limits count each process alone, so they are only the second
//! line: `RLIMIT_CPU` a little above the limit, in case the watcher is gone.
//! `RLIMIT_AS` is not used, since it limits address space: Java machines,
//! sanitizers and allocators reserve far more of it than they use.
//! Memory is the resident sets added up; pages that processes share count for
//! each of them.
//!
//! Each run is a session of its own. A process belongs to the run if it is in
//! this session or if its parent belongs to the run; once seen it is
//! remembered, so that even one that left its session and lost its parent is
//! ended with the others.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::rule::End;

/// What one run may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// CPU time of all processes together.
    pub cpu: Option<Duration>,
    pub wall: Option<Duration>,
    /// Bytes of resident memory of all processes together.
    pub memory: Option<u64>,
}

/// Why a run was ended from outside.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Cpu,
    Wall,
    Memory,
    Cancelled,
}

/// How a run went.
#[derive(Clone, PartialEq, Debug)]
pub struct Ran {
    pub end: End,
    pub stopped: Option<Stop>,
    pub cpu: Duration,
    pub wall: Duration,
    /// The most memory at one time, in bytes.
    pub memory: u64,
}

/// Asked now and then: shall the run be given up?
pub type Halted<'a> = dyn Fn() -> bool + Sync + 'a;

/// Runs a command to its end or to a limit; its output goes to `log`. When this returns, none of
/// its processes is left.
pub fn run(arguments: &[String], log: &File, limits: &Limits, halted: &Halted) -> io::Result<Ran> {
    let (program, rest) = arguments.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    let backstop = limits.cpu.map(|cpu| cpu.as_secs() + 2);
    // SAFETY: between fork and exec only system calls are made that are safe there; nothing allocates.
    unsafe {
        command.pre_exec(move || {
            if libc::setsid() == -1 {
                return Err(io::Error::last_os_error());
            }
            // If the benchmark is killed, so is what it started.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if let Some(seconds) = backstop {
                let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 2 };
                libc::setrlimit(libc::RLIMIT_CPU, &limit);
            }
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &none);
            Ok(())
        });
    }
    let own_memory = resident(std::process::id());
    let start = Instant::now();
    let child = command.spawn()?;
    let root = child.id();
    let (stopped, mut family) = thread::scope(|scope| {
        let (ended, signal) = channel();
        let watcher = scope.spawn(move || {
            let mut family = Family::new(root);
            let mut next = FIRST_SAMPLE;
            loop {
                match signal.recv_timeout(next) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => break (None, family),
                }
                family.sample();
                let elapsed = start.elapsed();
                let why = if halted() {
                    Some(Stop::Cancelled)
                } else if limits.cpu.is_some_and(|l| family.cpu >= l) {
                    Some(Stop::Cpu)
                } else if limits.memory.is_some_and(|l| family.memory > l) {
                    Some(Stop::Memory)
                } else {
                    limits.wall.is_some_and(|l| elapsed >= l).then_some(Stop::Wall)
                };
                if why.is_some() {
                    family.kill();
                    break (why, family);
                }
                // A short run is looked at often, a long one ten times a second, the end precisely.
                let left = limits.wall.map_or(LAST_SAMPLE, |l| l.saturating_sub(elapsed));
                next = (elapsed / 10).min(left).clamp(FIRST_SAMPLE, LAST_SAMPLE);
            }
        });
        wait_for_end(root, ended);
        watcher.join().unwrap_or_else(|_| (None, Family::new(root)))
    });
    let wall = start.elapsed();
    // The root is dead but not reaped: its id, and so its group, cannot be another's yet.
    family.end_all();
    let (status, usage) = reap(root)?;
    let cpu = family.cpu.max(usage.cpu);
    let end = if libc::WIFSIGNALED(status) {
        End::Signal(libc::WTERMSIG(status))
    } else {
        End::Exit(libc::WEXITSTATUS(status))
    };
    // Between two samples a limit may have passed, or the kernel's limit came first.
    let late = limits.cpu.is_some_and(|l| cpu >= l) || end == End::Signal(libc::SIGXCPU);
    let stopped = stopped.or_else(|| late.then_some(Stop::Cpu));
    // The kernel's figure starts with the size of the process that forked; below it, it says nothing.
    let told = if usage.memory > own_memory || family.memory_peak == 0 { usage.memory } else { 0 };
    let memory = family.memory_peak.max(told);
    Ok(Ran { end, stopped, cpu, wall, memory })
}

const FIRST_SAMPLE: Duration = Duration::from_millis(10);
const LAST_SAMPLE: Duration = Duration::from_millis(100);

/// Waits until the process is dead, without reaping it; then tells the watcher.
fn wait_for_end(pid: u32, ended: Sender<()>) {
    loop {
        // SAFETY: `info` is plain data that the call fills in.
        let result = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, pid, &mut info, libc::WEXITED | libc::WNOWAIT)
        };
        if result == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            drop(ended);
            return;
        }
    }
}

struct Usage {
    cpu: Duration,
    memory: u64,
}

/// Reaps a dead child; its usage includes that of the children it waited for.
fn reap(pid: u32) -> io::Result<(i32, Usage)> {
    // SAFETY: both out-parameters are plain data that the call fills in.
    let (status, usage) = unsafe {
        let mut status = 0;
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::wait4(pid.cast_signed(), &mut status, 0, &mut usage) == -1 {
            return Err(io::Error::last_os_error());
        }
        (status, usage)
    };
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec.cast_unsigned()) + Duration::from_micros(t.tv_usec.cast_unsigned())
    };
    let cpu = time(usage.ru_utime) + time(usage.ru_stime);
    Ok((status, Usage { cpu, memory: usage.ru_maxrss.cast_unsigned() * 1024 }))
}

/// The processes of a run.
struct Family {
    root: u32,
    /// The processes seen so far and when each started, which tells it from a later one of its id.
    seen: BTreeMap<u32, u64>,
    /// The most CPU time summed up so far.
    cpu: Duration,
    memory: u64,
    memory_peak: u64,
}

/// What `/proc/PID/stat` says.
struct Stat {
    parent: u32,
    session: u32,
    dead: bool,
    /// Ticks of the process and of the children it waited for.
    ticks: u64,
    started: u64,
    pages: u64,
}

impl Family {
    fn new(root: u32) -> Family {
        Family { root, seen: BTreeMap::new(), cpu: Duration::ZERO, memory: 0, memory_peak: 0 }
    }

    /// Looks at all processes; adds up those of the run.
    fn sample(&mut self) {
        let all = processes();
        let mut members: BTreeMap<u32, &Stat> = BTreeMap::new();
        loop {
            let before = members.len();
            for (pid, stat) in &all {
                let ours = *pid == self.root
                    || stat.session == self.root
                    || members.contains_key(&stat.parent)
                    || self.seen.get(pid) == Some(&stat.started);
                if ours {
                    members.insert(*pid, stat);
                }
            }
            if members.len() == before {
                break;
            }
        }
        // SAFETY: asks for constants.
        let (hertz, page) = unsafe { (libc::sysconf(libc::_SC_CLK_TCK), libc::sysconf(libc::_SC_PAGESIZE)) };
        let ticks: u64 = members.values().map(|s| s.ticks).sum();
        let pages: u64 = members.values().filter(|s| !s.dead).map(|s| s.pages).sum();
        self.seen = members.iter().map(|(pid, s)| (*pid, s.started)).collect();
        self.cpu = self.cpu.max(Duration::from_secs_f64(ticks as f64 / hertz.max(1) as f64));
        self.memory = pages * page.cast_unsigned();
        self.memory_peak = self.memory_peak.max(self.memory);
    }

    /// Kills the group of the root and every process seen.
    fn kill(&self) {
        // SAFETY: signals go to the run's own group, whose leader is not reaped yet, and to
        // processes that were just seen in its family.
        unsafe {
            libc::kill(-self.root.cast_signed(), libc::SIGKILL);
            for pid in self.seen.keys() {
                libc::kill(pid.cast_signed(), libc::SIGKILL);
            }
        }
    }

    /// Ends what is left after the root died, and waits until it is gone.
    fn end_all(&mut self) {
        for round in 0..200 {
            self.sample();
            self.seen.remove(&self.root);
            if self.seen.keys().all(|pid| stat(*pid).is_none_or(|s| s.dead)) {
                return;
            }
            self.kill();
            thread::sleep(Duration::from_millis(1 + round / 10));
        }
    }
}

fn processes() -> BTreeMap<u32, Stat> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return BTreeMap::new() };
    let pids = entries.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, stat(pid)?))).collect()
}

fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in parentheses, and may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|f| f.parse::<u64>().ok());
    Some(Stat {
        parent: u32::try_from(number(1)?).ok()?,
        session: u32::try_from(number(3)?).ok()?,
        dead: matches!(fields.first(), Some(&"Z" | &"X")),
        ticks: number(11)? + number(12)? + number(13)? + number(14)?,
        started: number(19)?,
        pages: number(21)?,
    })
}

fn resident(pid: u32) -> u64 {
    // SAFETY: asks for a constant.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    stat(pid).map_or(0, |s| s.pages * page.cast_unsigned())
}
