//! The state of a run, laid out so that compiled code can work on it.
//!
//! C calls never recurse on the host's stack: frames are records in a region
//! of their own, and their slots lie in another. Both regions are reserved once
//! (untouched pages cost nothing), so addresses into them stay valid.

use std::ptr;

use cairn_base::{Budget, EntityRef, Limit};
use cairn_ir::{EdgeId, FuncId, Program};

use crate::births::Births;
use crate::code::{FuncCode, HotSpot, NO_SLOT};
use crate::inputs::Inputs;
use crate::interp::Spread;
use crate::memory::{Entry, Memory};
use crate::observe::Watch;
use crate::outcome::{Notes, Unmodelled};
use crate::statics::Statics;
use crate::stop::Stop;
use crate::world::Ahead;
use crate::{Io, Options};

/// Frames that may be open at once.
const MAX_FRAMES: usize = 1 << 22;
/// Slots of all open frames together.
const MAX_SLOTS: usize = 1 << 26;
/// Steps between two looks at the clock.
const STEPS_PER_CLOCK_CHECK: u64 = 1 << 18;

/// An open call.
#[repr(C)]
#[derive(Copy, Clone, Debug)]
pub struct Frame {
    pub code: *mut FuncCode,
    /// Slot 0.
    pub base: *mut u64,
    /// The next instruction; in frames below the top, the one after the call.
    pub pc: u32,
    /// The *caller's* slot for the result, or [`NO_SLOT`].
    pub dst: u32,
}

/// What compiled code reads and writes.
#[repr(C)]
#[derive(Debug)]
pub struct Context {
    /// The table of objects. Any operation that makes an object may move it.
    pub table: *const Entry,
    pub table_len: u64,
    /// Slots of the global variables.
    pub globals: *mut u64,
    /// Steps counted so far, and the count at which to return to the interpreter.
    pub steps: u64,
    pub pause: u64,
    /// The running frame, and the end of the two regions.
    pub frame: *mut Frame,
    pub frames_end: *mut Frame,
    pub slots_end: *mut u64,
    /// The mask register: initialised bits of the last byte loaded, or of the last result.
    pub mask: u64,
    /// ILP32: for each page of 64 KiB the object it belongs to, see [`crate::memory::flat`].
    pub pages: *const u32,
}

/// Compiled code for a hot spot. Called when `context.frame` is at the spot; runs as far as it
/// can, leaves all values in slots and `pc` of every frame it opened or changed up to date, and
/// returns; the interpreter goes on from there. An operation that would be undefined, or that
/// the compiled code does not know, is left to the interpreter in this way.
pub type NativeEntry = unsafe extern "C" fn(*mut Context);

/// A faster tier. It never changes what a program means, only how fast it runs.
pub trait Tier {
    /// A run begins. Code that was compiled for an earlier one must not be entered again.
    fn begin(&mut self, program: &Program);

    /// `code` has been visited often at the hot spot `code.hot[spot]`. Returns code to run from
    /// there on, or `None` to leave it to the interpreter for good.
    fn hot(
        &mut self,
        program: &Program,
        statics: &Statics,
        code: &FuncCode,
        spot: usize,
    ) -> Option<NativeEntry>;

    /// Visits after which a spot is hot.
    fn threshold(&self) -> u32 {
        1000
    }
}

/// One run of a program. The context comes first, so that its address is the address of the machine.
#[repr(C)]
pub struct Machine<'r> {
    pub ctx: Context,
    pub program: &'r Program,
    pub options: &'r Options,
    pub budget: &'r Budget,
    pub memory: Memory,
    pub statics: Statics,
    pub inputs: Inputs,
    pub(crate) births: Births,
    pub(crate) spread: Spread,
    pub(crate) io: &'r mut dyn Io,
    pub(crate) ahead: Ahead,
    pub(crate) tier: Option<&'r mut dyn Tier>,
    pub(crate) watch: Option<Watch<'r>>,
    pub(crate) natives: Vec<NativeEntry>,
    codes: Vec<*mut FuncCode>,
    frames: Region<Frame>,
    _slots: Region<u64>,
    globals: Box<[u64]>,
    /// Objects of `alloca` and VLAs: depth of their frame, id, serial.
    pub(crate) scoped: Vec<(u32, u32, u64)>,
    /// No segment that was compiled has more edges.
    longest: u64,
    /// Why [`run_insn`](crate::interp::run_insn) could not go on.
    pub(crate) stop: Option<Stop>,
    pub(crate) unmodelled: Unmodelled,
    pub(crate) notes: Notes,
}

/// Reserved zeroed memory for `len` values of type `T`.
struct Region<T> {
    start: *mut T,
    len: usize,
    /// Straight from the system: untouched pages cost nothing, not even when runs follow each
    /// other (an allocator would clear what it gives out again).
    _pages: memmap2::MmapMut,
}

impl<T> Region<T> {
    fn new(len: usize) -> Option<Region<T>> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let mut pages = memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok()?;
        Some(Region { start: pages.as_mut_ptr().cast(), len, _pages: pages })
    }

    /// Room for so many values, or for far fewer where the address space of the process is limited.
    fn at_most(len: usize) -> Option<Region<T>> {
        [len, len / 16, len / 256].into_iter().find_map(Region::new)
    }

    fn end(&self) -> *mut T {
        // SAFETY: one past the end of the mapping.
        unsafe { self.start.add(self.len) }
    }
}

impl<'r> Machine<'r> {
    /// The state before the first step; static objects are in place.
    pub fn new(
        program: &'r Program,
        options: &'r Options,
        budget: &'r Budget,
        io: &'r mut dyn Io,
        mut tier: Option<&'r mut dyn Tier>,
    ) -> Result<Machine<'r>, Limit> {
        if let Some(tier) = tier.as_deref_mut() {
            tier.begin(program);
        }
        let mut memory = Memory::new(program.model, budget.max_memory, program.places_objects());
        let mut notes = Notes::default();
        let (statics, globals) =
            Statics::build(program, &mut memory, &mut notes).map_err(|_| Limit::Memory)?;
        let mut globals = globals.into_boxed_slice();
        let frames = Region::at_most(MAX_FRAMES).ok_or(Limit::Memory)?;
        let slots = Region::at_most(MAX_SLOTS).ok_or(Limit::Memory)?;
        let ctx = Context {
            table: memory.table().as_ptr(),
            table_len: memory.table().len() as u64,
            globals: globals.as_mut_ptr(),
            steps: 0,
            pause: 0,
            frame: frames.start,
            frames_end: frames.end(),
            slots_end: slots.end(),
            mask: u64::MAX,
            pages: memory.pages(),
        };
        // The lowest frame belongs to no function; it gives the first one its slots.
        // SAFETY: the region has room for it.
        unsafe {
            *frames.start = Frame { code: ptr::null_mut(), base: slots.start, pc: 0, dst: NO_SLOT };
        }
        Ok(Machine {
            ctx,
            program,
            options,
            budget,
            memory,
            statics,
            ahead: Ahead::default(),
            inputs: Inputs::new(&options.inputs, options.seed),
            births: Births::new(&options.indeterminate),
            spread: Spread::default(),
            io,
            tier,
            watch: None,
            natives: Vec::new(),
            codes: vec![ptr::null_mut(); program.funcs.len()],
            frames,
            _slots: slots,
            globals,
            scoped: Vec::new(),
            longest: 0,
            stop: None,
            unmodelled: Unmodelled::default(),
            notes,
        })
    }

    /// Slots of all global variables.
    pub(crate) fn global_slots(&self) -> usize {
        self.globals.len()
    }

    /// Must be called after every operation that may have made an object.
    #[inline(always)]
    pub(crate) fn table_moved(&mut self) {
        self.ctx.table = self.memory.table().as_ptr();
        self.ctx.table_len = self.memory.table().len() as u64;
    }

    /// The code of a function that has a body, made at its first call.
    pub fn code(&mut self, func: FuncId) -> *mut FuncCode {
        let code = self.codes[func.index()];
        if code.is_null() { self.compile(func) } else { code }
    }

    #[cold]
    fn compile(&mut self, func: FuncId) -> *mut FuncCode {
        // An observer is told of loop heads where a tier would count visits.
        let hot = self.tier.is_some() || self.watch.is_some();
        let code = crate::compile::function(self.program, &self.statics, self.options, hot, func);
        self.longest = self.longest.max(u64::from(code.longest));
        let code = Box::into_raw(Box::new(code));
        self.codes[func.index()] = code;
        self.set_pause();
        code
    }

    /// Fixes when the fast loop must pause: to look at the clock, or because the step limit
    /// could lie in the segment after that.
    pub(crate) fn set_pause(&mut self) {
        let last = self.budget.max_steps.saturating_sub(self.longest);
        self.ctx.pause = last.min(self.ctx.steps.saturating_add(STEPS_PER_CLOCK_CHECK));
        if let Some(watch) = &self.watch {
            self.ctx.pause = self.ctx.pause.min(watch.window.border(self.ctx.steps));
        }
    }

    /// Is the step limit too near for the fast loop?
    pub(crate) fn must_be_careful(&self) -> bool {
        self.ctx.steps.saturating_add(self.longest) >= self.budget.max_steps
    }

    /// Number of open frames.
    pub fn depth(&self) -> u32 {
        // SAFETY: both lie in one region.
        unsafe { self.ctx.frame.offset_from(self.frames.start) as u32 }
    }

    /// Opens a frame for `code`, its parameters still unset.
    #[inline(always)]
    pub(crate) fn push_frame(&mut self, code: *mut FuncCode, dst: u32) -> Result<(), Stop> {
        // SAFETY: frames and code live as long as the machine; the region bounds are checked.
        unsafe {
            let top = &*self.ctx.frame;
            let used = if top.code.is_null() { 0 } else { (*top.code).slots };
            let base = top.base.add(used as usize);
            let next = self.ctx.frame.add(1);
            let slots = (*code).slots as usize;
            if next >= self.ctx.frames_end || (self.ctx.slots_end.offset_from(base) as usize) < slots {
                return Err(Stop::Limit(Limit::Depth));
            }
            *next = Frame { code, base, pc: 0, dst };
            let layout = &(*code).layout;
            ptr::write_bytes(base.add(layout.params as usize), 0, (layout.zeroed - layout.params) as usize);
            self.ctx.frame = next;
        }
        Ok(())
    }

    /// Ends what lived in the top frame and closes it.
    #[inline(always)]
    pub(crate) fn pop_frame(&mut self, edge: EdgeId) {
        // SAFETY: the top frame is open.
        unsafe {
            let frame = *self.ctx.frame;
            for o in &(*frame.code).layout.objects {
                if *frame.base.add(o.alive as usize) != 0 {
                    let id = crate::memory::id_of(*frame.base.add(o.addr as usize));
                    self.memory.kill(id, Some(edge));
                }
            }
            if !self.scoped.is_empty() {
                self.end_scoped(edge);
            }
            self.ctx.frame = self.ctx.frame.sub(1);
        }
    }

    #[cold]
    fn end_scoped(&mut self, edge: EdgeId) {
        let depth = self.depth();
        while let Some(&(d, id, serial)) = self.scoped.last()
            && d >= depth
        {
            self.scoped.pop();
            if self.memory.is_live(id) && self.memory.cold(id).is_some_and(|c| c.serial == serial) {
                self.memory.kill(id, Some(edge));
            }
        }
    }

    /// The open frames of functions, innermost first.
    pub fn open_frames(&self) -> impl Iterator<Item = &Frame> {
        (1..=self.depth() as usize).rev().map(|i| {
            // SAFETY: frames up to the top are initialised.
            unsafe { &*self.frames.start.add(i) }
        })
    }

    /// The edge of the user's code that `edge` of the running frame is executed for: itself, or
    /// the call of the model of a library function that it is part of.
    pub(crate) fn user_edge(&self, edge: EdgeId) -> EdgeId {
        for (i, frame) in self.open_frames().enumerate() {
            // SAFETY: code of open frames is alive.
            let code = unsafe { &*frame.code };
            if !self.program.funcs[code.func].is_model {
                return if i == 0 { edge } else { code.edge(frame.pc.saturating_sub(1)) };
            }
        }
        edge
    }

    /// The exact number of steps when the running frame is about to execute `pc`.
    pub fn steps_at(&self, pc: u32) -> u64 {
        // SAFETY: the top frame is valid.
        let code = unsafe { (*self.ctx.frame).code.as_ref() };
        let upto = code.and_then(|c| c.upto.get(pc as usize)).copied().unwrap_or(0);
        self.ctx.steps + u64::from(upto)
    }

    /// A hot spot was visited once more; asks the tier when it is time.
    pub(crate) fn visit(&mut self, code: *mut FuncCode, k: u32, pc: u32) {
        use crate::code::Insn;
        let Some(tier) = self.tier.as_deref_mut() else { return };
        // SAFETY: code lives as long as the machine and nothing else refers to it now.
        let code = unsafe { &mut *code };
        let spot: &mut HotSpot = &mut code.hot[k as usize];
        spot.visits += 1;
        if spot.visits < tier.threshold() {
            return;
        }
        let insn = match tier.hot(self.program, &self.statics, code, k as usize) {
            Some(entry) => {
                self.natives.push(entry);
                Insn::Native { k: self.natives.len() as u32 - 1 }
            }
            None => Insn::Jump { n: 0, t: pc + 1 },
        };
        code.insns[pc as usize] = insn;
    }
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        for &code in &self.codes {
            if !code.is_null() {
                // SAFETY: made by `Box::into_raw` in `compile`.
                drop(unsafe { Box::from_raw(code) });
            }
        }
    }
}
