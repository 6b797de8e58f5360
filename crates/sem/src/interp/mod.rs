//! The interpreter: the portable tier, and the reference for every other.
//!
//! One loop over [`Insn`]s works directly on the slots of the running frame.
//! It is compiled five times: *fast*, which looks at the step limit and the
//! clock only every so many steps; *careful*, which stops at exactly the last
//! step that is allowed; *single*, which executes one instruction on behalf
//! of compiled code; *watched*, which is careful and shows every instruction
//! to an observer; and *spreading*, for frames that hold uninitialised data, see
//! [`spread`].

mod assist;
mod calls;
mod objects;
mod scalars;
mod spread;

pub use assist::{close_frame, run_insn};
pub(crate) use spread::Spread;

use cairn_base::{EntityRef, Limit};
use cairn_ir::{DataModel, FuncId};

use crate::code::{INIT, Insn, NO_SLOT};
use crate::machine::Machine;
use crate::memory::{Fault, pointer};
use crate::slot::{ext_s, ext_u};
use crate::stop::{Cause, Stop};

const FAST: u8 = 0;
const CAREFUL: u8 = 1;
const SINGLE: u8 = 2;
const WATCHED: u8 = 3;
const SPREADING: u8 = 4;

/// Why the loop was left without a stop.
enum Left {
    /// It is time to look at the clock, or to become careful.
    Paused,
    /// The single instruction is done.
    Done,
}

impl Machine<'_> {
    /// Runs until something ends the program.
    pub(crate) fn run_to_end(&mut self) -> Stop {
        loop {
            if let Some(limit) = self.budget.exceeded() {
                return Stop::Limit(limit);
            }
            self.set_pause();
            let left = if self.is_spreading() {
                self.spread.wanted = false;
                self.execute::<SPREADING>()
            } else if self.watch.is_some() && self.watched() {
                self.execute::<WATCHED>()
            } else if self.must_be_careful() {
                self.execute::<CAREFUL>()
            } else {
                self.execute::<FAST>()
            };
            if let Err(stop) = left {
                return stop;
            }
        }
    }

    /// Executes the instruction at the running frame's `pc`, which must not be a call of a
    /// function with a body, a return or a jump. `false`: it has met uninitialised data and is to be
    /// executed by [`Machine::run_to_end`].
    fn execute_one(&mut self) -> Result<bool, Stop> {
        self.execute::<SINGLE>().map(|left| matches!(left, Left::Done))
    }

    #[allow(clippy::cognitive_complexity)]
    fn execute<const MODE: u8>(&mut self) -> Result<Left, Stop> {
        // SAFETY: for the whole loop. Slots named by instructions lie in the frame, whose room
        // was checked when it was opened; jump targets lie in the code; code and frames live as
        // long as the machine, and code is changed only by `visit`, which touches the current
        // instruction alone.
        unsafe {
            let mut frame = self.ctx.frame;
            let mut code = (*frame).code;
            let mut insns: *const Insn = (*code).insns.as_ptr();
            let mut s: *mut u64 = (*frame).base;
            let mut pc = (*frame).pc as usize;
            let start = pc;
            // In ILP32 pointers move in their low half only.
            let moving: u64 = match self.program.model {
                DataModel::Lp64 => u64::MAX,
                DataModel::Ilp32 => 0xffff_ffff,
            };

            macro_rules! get {
                ($i:expr) => {
                    *s.add($i as usize)
                };
            }
            macro_rules! fail {
                ($stop:expr) => {{
                    (*frame).pc = pc as u32 - 1;
                    return Err(Stop::from($stop));
                }};
            }
            // Uninitialised data: the instruction is executed in another mode.
            macro_rules! uninit {
                () => {{
                    (*frame).pc = pc as u32 - 1;
                    self.spread.wanted = true;
                    return Ok(Left::Paused);
                }};
            }
            // A load that other modes leave to the one for uninitialised data.
            macro_rules! initialised {
                ($result:expr) => {
                    match $result {
                        Err(Stop::Undefined(Cause::Access { fault: Fault::Uninit(_), .. }))
                            if MODE != SPREADING =>
                        {
                            uninit!()
                        }
                        result => attempt!(result),
                    }
                };
            }
            // Back in a frame that may hold uninitialised data.
            macro_rules! returned {
                () => {
                    if MODE != SPREADING && self.is_spreading() {
                        (*frame).pc = pc as u32;
                        return Ok(Left::Paused);
                    }
                };
            }
            macro_rules! attempt {
                ($result:expr) => {
                    match $result {
                        Ok(v) => v,
                        Err(stop) => fail!(stop),
                    }
                };
            }
            macro_rules! reload {
                () => {{
                    frame = self.ctx.frame;
                    code = (*frame).code;
                    insns = (*code).insns.as_ptr();
                    s = (*frame).base;
                    pc = (*frame).pc as usize;
                }};
            }
            // Ends a segment of `n` edges; control goes on at `pc`.
            macro_rules! count {
                ($n:expr) => {{
                    self.ctx.steps += u64::from($n);
                    if (MODE == FAST || MODE == WATCHED || MODE == SPREADING)
                        && self.ctx.steps >= self.ctx.pause
                    {
                        (*frame).pc = pc as u32;
                        return Ok(Left::Paused);
                    }
                }};
            }
            macro_rules! branch {
                ($n:expr, $t:expr, $cond:expr) => {{
                    if $cond {
                        pc = $t as usize;
                    }
                    count!($n)
                }};
            }
            macro_rules! moved {
                ($p:expr, $by:expr) => {{
                    let p: u64 = $p;
                    let by: i64 = $by;
                    (p.wrapping_add(by as u64) & moving) | (p & !moving)
                }};
            }
            macro_rules! load {
                ($t:ty, $wide:ty, $mask:ty, $d:expr, $a:expr, $v:expr) => {{
                    const N: u32 = size_of::<$t>() as u32;
                    let p = moved!(get!($a), i64::from($v));
                    let Some(e) = self.memory.reading(p, N) else {
                        fail!(self.bad_access(p, N.into(), false))
                    };
                    let offset = (p & 0xffff_ffff) as usize;
                    if !e.shadow.is_null()
                        && e.shadow.add(offset).cast::<$mask>().read_unaligned() != <$mask>::MAX
                    {
                        uninit!()
                    }
                    get!($d) = e.base.add(offset).cast::<$t>().read_unaligned() as $wide as u64;
                }};
            }
            macro_rules! store {
                ($t:ty, $a:expr, $b:expr, $v:expr) => {{
                    const N: u32 = size_of::<$t>() as u32;
                    let p = moved!(get!($a), i64::from($v));
                    let Some(e) = self.memory.writing(p, N) else {
                        fail!(self.bad_access(p, N.into(), true))
                    };
                    let offset = (p & 0xffff_ffff) as usize;
                    if !e.shadow.is_null() {
                        e.shadow.add(offset).cast::<$t>().write_unaligned(<$t>::MAX);
                    }
                    e.base.add(offset).cast::<$t>().write_unaligned(get!($b) as $t);
                }};
            }
            macro_rules! f64s {
                ($a:expr, $b:expr) => {
                    (f64::from_bits(get!($a)), f64::from_bits(get!($b)))
                };
            }
            macro_rules! f32s {
                ($a:expr, $b:expr) => {
                    (f32::from_bits(get!($a) as u32), f32::from_bits(get!($b) as u32))
                };
            }

            // The edge of the last instruction, if the mode may end with it.
            let mut last: Option<(*const crate::machine::Frame, cairn_ir::EdgeId)> = None;
            loop {
                if MODE == SPREADING {
                    let now = (frame.cast_const(), (*code).edge(pc as u32));
                    if last.is_some_and(|l| l != now) && self.settle(code, s, now.1) {
                        (*frame).pc = pc as u32;
                        return Ok(Left::Paused);
                    }
                    last = Some(now);
                }
                if MODE == CAREFUL || MODE == WATCHED || MODE == SPREADING {
                    let upto = *(*code).upto.as_ptr().add(pc);
                    if self.ctx.steps + u64::from(upto) > self.budget.max_steps {
                        (*frame).pc = pc as u32;
                        return Err(Stop::Limit(Limit::Steps));
                    }
                }
                if MODE == WATCHED || (MODE == SPREADING && self.watch.is_some() && self.watched()) {
                    self.observe(pc as u32);
                }
                let insn = *insns.add(pc);
                if MODE == SINGLE && pc != start {
                    (*frame).pc = pc as u32;
                    return Ok(Left::Done);
                }
                pc += 1;
                if MODE == SPREADING && attempt!(self.spread(insn, code, frame, s)) {
                    continue;
                }
                match insn {
                    Insn::Const { d, v } => get!(d) = v,
                    Insn::Mov { d, a } => get!(d) = get!(a),
                    Insn::Mov2 { d, a } => {
                        let (low, high) = (get!(a), get!(a + 1));
                        get!(d) = low;
                        get!(d + 1) = high;
                    }
                    Insn::GetGlobal { d, g } => get!(d) = *self.ctx.globals.add(g as usize),
                    Insn::SetGlobal { g, a } => *self.ctx.globals.add(g as usize) = get!(a),

                    Insn::AddI32 { d, a, b } => {
                        get!(d) = (get!(a) as i32).wrapping_add(get!(b) as i32) as i64 as u64
                    }
                    Insn::AddU32 { d, a, b } => {
                        get!(d) = u64::from((get!(a) as u32).wrapping_add(get!(b) as u32))
                    }
                    Insn::Add64 { d, a, b } => get!(d) = get!(a).wrapping_add(get!(b)),
                    Insn::AddI32Imm { d, a, v } => get!(d) = (get!(a) as i32).wrapping_add(v) as i64 as u64,
                    Insn::AddU32Imm { d, a, v } => {
                        get!(d) = u64::from((get!(a) as u32).wrapping_add(v as u32))
                    }
                    Insn::Add64Imm { d, a, v } => get!(d) = get!(a).wrapping_add(i64::from(v) as u64),
                    Insn::SubI32 { d, a, b } => {
                        get!(d) = (get!(a) as i32).wrapping_sub(get!(b) as i32) as i64 as u64
                    }
                    Insn::SubU32 { d, a, b } => {
                        get!(d) = u64::from((get!(a) as u32).wrapping_sub(get!(b) as u32))
                    }
                    Insn::Sub64 { d, a, b } => get!(d) = get!(a).wrapping_sub(get!(b)),
                    Insn::MulI32 { d, a, b } => {
                        get!(d) = (get!(a) as i32).wrapping_mul(get!(b) as i32) as i64 as u64
                    }
                    Insn::MulU32 { d, a, b } => {
                        get!(d) = u64::from((get!(a) as u32).wrapping_mul(get!(b) as u32))
                    }
                    Insn::Mul64 { d, a, b } => get!(d) = get!(a).wrapping_mul(get!(b)),
                    Insn::MulI32Imm { d, a, v } => get!(d) = (get!(a) as i32).wrapping_mul(v) as i64 as u64,
                    Insn::Mul64Imm { d, a, v } => get!(d) = get!(a).wrapping_mul(i64::from(v) as u64),
                    Insn::DivS { w, d, a, b } => {
                        let (x, y) = (get!(a) as i64, get!(b) as i64);
                        if let Some(u) = bad_division(w, x, y) {
                            fail!(u)
                        }
                        get!(d) = (x / y) as u64
                    }
                    Insn::RemS { w, d, a, b } => {
                        let (x, y) = (get!(a) as i64, get!(b) as i64);
                        if let Some(u) = bad_division(w, x, y) {
                            fail!(u)
                        }
                        get!(d) = (x % y) as u64
                    }
                    Insn::DivU { d, a, b } => match get!(a).checked_div(get!(b)) {
                        Some(q) => get!(d) = q,
                        None => fail!(cairn_value::Undefined::DivisionByZero),
                    },
                    Insn::RemU { d, a, b } => match get!(a).checked_rem(get!(b)) {
                        Some(r) => get!(d) = r,
                        None => fail!(cairn_value::Undefined::DivisionByZero),
                    },
                    Insn::ShlS { w, d, a, b } => {
                        if get!(b) >= u64::from(w) {
                            fail!(cairn_value::Undefined::BadShift)
                        }
                        get!(d) = ext_s(get!(a) << get!(b), w)
                    }
                    Insn::ShlU { w, d, a, b } => {
                        if get!(b) >= u64::from(w) {
                            fail!(cairn_value::Undefined::BadShift)
                        }
                        get!(d) = ext_u(get!(a) << get!(b), w)
                    }
                    Insn::ShrS { w, d, a, b } => {
                        if get!(b) >= u64::from(w) {
                            fail!(cairn_value::Undefined::BadShift)
                        }
                        get!(d) = ((get!(a) as i64) >> get!(b)) as u64
                    }
                    Insn::ShrU { w, d, a, b } => {
                        if get!(b) >= u64::from(w) {
                            fail!(cairn_value::Undefined::BadShift)
                        }
                        get!(d) = get!(a) >> get!(b)
                    }
                    Insn::ShlSImm { w, d, a, v } => get!(d) = ext_s(get!(a) << v, w),
                    Insn::ShlUImm { w, d, a, v } => get!(d) = ext_u(get!(a) << v, w),
                    Insn::ShrSImm { d, a, v } => get!(d) = ((get!(a) as i64) >> v) as u64,
                    Insn::ShrUImm { d, a, v } => get!(d) = get!(a) >> v,
                    Insn::And { d, a, b } => get!(d) = get!(a) & get!(b),
                    Insn::Or { d, a, b } => get!(d) = get!(a) | get!(b),
                    Insn::Xor { d, a, b } => get!(d) = get!(a) ^ get!(b),
                    Insn::AndImm { d, a, v } => get!(d) = get!(a) & i64::from(v) as u64,
                    Insn::OrImm { d, a, v } => get!(d) = get!(a) | i64::from(v) as u64,
                    Insn::XorImm { d, a, v } => get!(d) = get!(a) ^ i64::from(v) as u64,
                    Insn::ExtS { w, d, a } => get!(d) = ext_s(get!(a), w),
                    Insn::ExtU { w, d, a } => get!(d) = ext_u(get!(a), w),
                    Insn::AddChecked { w, d, a, b } => {
                        let sum = i128::from(get!(a) as i64) + i128::from(get!(b) as i64);
                        get!(d) = attempt!(in_range(sum, w, "an addition"))
                    }
                    Insn::SubChecked { w, d, a, b } => {
                        let difference = i128::from(get!(a) as i64) - i128::from(get!(b) as i64);
                        get!(d) = attempt!(in_range(difference, w, "a subtraction"))
                    }
                    Insn::MulChecked { w, d, a, b } => {
                        let product = i128::from(get!(a) as i64) * i128::from(get!(b) as i64);
                        get!(d) = attempt!(in_range(product, w, "a multiplication"))
                    }
                    Insn::ShlChecked { w, d, a, b } => {
                        if get!(b) >= u64::from(w) {
                            fail!(cairn_value::Undefined::BadShift)
                        }
                        get!(d) = attempt!(self.shl_checked(w, get!(a), get!(b)))
                    }

                    Insn::Eq { d, a, b } => get!(d) = (get!(a) == get!(b)).into(),
                    Insn::Ne { d, a, b } => get!(d) = (get!(a) != get!(b)).into(),
                    Insn::LtS { d, a, b } => get!(d) = ((get!(a) as i64) < get!(b) as i64).into(),
                    Insn::LeS { d, a, b } => get!(d) = (get!(a) as i64 <= get!(b) as i64).into(),
                    Insn::LtU { d, a, b } => get!(d) = (get!(a) < get!(b)).into(),
                    Insn::LeU { d, a, b } => get!(d) = (get!(a) <= get!(b)).into(),
                    Insn::EqImm { d, a, v } => get!(d) = (get!(a) as i64 == i64::from(v)).into(),
                    Insn::NeImm { d, a, v } => get!(d) = (get!(a) as i64 != i64::from(v)).into(),
                    Insn::LtSImm { d, a, v } => get!(d) = ((get!(a) as i64) < i64::from(v)).into(),
                    Insn::LeSImm { d, a, v } => get!(d) = (get!(a) as i64 <= i64::from(v)).into(),
                    Insn::GtSImm { d, a, v } => get!(d) = (get!(a) as i64 > i64::from(v)).into(),
                    Insn::GeSImm { d, a, v } => get!(d) = (get!(a) as i64 >= i64::from(v)).into(),

                    Insn::FAdd64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x + y).to_bits()
                    }
                    Insn::FSub64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x - y).to_bits()
                    }
                    Insn::FMul64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x * y).to_bits()
                    }
                    Insn::FDiv64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x / y).to_bits()
                    }
                    Insn::FEq64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x == y).into()
                    }
                    Insn::FNe64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x != y).into()
                    }
                    Insn::FLt64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x < y).into()
                    }
                    Insn::FLe64 { d, a, b } => {
                        let (x, y) = f64s!(a, b);
                        get!(d) = (x <= y).into()
                    }
                    Insn::FAdd32 { d, a, b } => {
                        let (x, y) = f32s!(a, b);
                        get!(d) = (x + y).to_bits().into()
                    }
                    Insn::FSub32 { d, a, b } => {
                        let (x, y) = f32s!(a, b);
                        get!(d) = (x - y).to_bits().into()
                    }
                    Insn::FMul32 { d, a, b } => {
                        let (x, y) = f32s!(a, b);
                        get!(d) = (x * y).to_bits().into()
                    }
                    Insn::FDiv32 { d, a, b } => {
                        let (x, y) = f32s!(a, b);
                        get!(d) = (x / y).to_bits().into()
                    }
                    Insn::SToF64 { d, a } => get!(d) = (get!(a) as i64 as f64).to_bits(),
                    Insn::F32To64 { d, a } => get!(d) = f64::from(f32::from_bits(get!(a) as u32)).to_bits(),

                    Insn::Unary { k, d, a } => attempt!(self.unary(&(&(*code).aux)[k as usize], s, d, a)),
                    Insn::Binary { k, d, a, b } => {
                        attempt!(self.binary(&(&(*code).aux)[k as usize], s, d, a, b, false))
                    }
                    Insn::BinaryChecked { k, d, a, b } => {
                        attempt!(self.binary(&(&(*code).aux)[k as usize], s, d, a, b, true))
                    }
                    Insn::Cast { k, d, a } => attempt!(self.cast(&(&(*code).aux)[k as usize], s, d, a)),

                    Insn::PtrAdd { d, a, b } => {
                        let (p, by) = (get!(a), get!(b) as i64);
                        if moving == u64::MAX && i64::from(by as i32) != by {
                            attempt!(self.far_move(p, by))
                        }
                        get!(d) = moved!(p, by)
                    }
                    Insn::PtrAddImm { d, a, v } => get!(d) = moved!(get!(a), i64::from(v)),
                    Insn::PtrIndex { scale, d, a, b } => {
                        let (p, by) = (get!(a), (get!(b) as i64).wrapping_mul(i64::from(scale)));
                        if moving == u64::MAX && i64::from(by as i32) != by {
                            attempt!(self.far_move(p, by))
                        }
                        get!(d) = moved!(p, by)
                    }
                    Insn::PtrSub32 { d, a, b } => {
                        let (x, y) = attempt!(self.addresses(get!(a), get!(b)));
                        let difference = x.wrapping_sub(y);
                        get!(d) = match moving {
                            u64::MAX => difference,
                            _ => difference as i32 as i64 as u64,
                        }
                    }
                    Insn::PtrEq32 { d, a, b } => {
                        let (x, y) = attempt!(self.addresses(get!(a), get!(b)));
                        get!(d) = (x == y).into()
                    }
                    Insn::PtrLt32 { d, a, b } => {
                        let (x, y) = attempt!(self.addresses(get!(a), get!(b)));
                        get!(d) = (x < y).into()
                    }
                    Insn::PtrLe32 { d, a, b } => {
                        let (x, y) = attempt!(self.addresses(get!(a), get!(b)));
                        get!(d) = (x <= y).into()
                    }
                    Insn::PtrToInt32 { d, a } => get!(d) = attempt!(self.memory.address(get!(a))),
                    Insn::IntToPtr32 { d, a } => get!(d) = self.memory.resolve(get!(a)),

                    Insn::LoadI8 { d, a, v } => load!(i8, i64, u8, d, a, v),
                    Insn::LoadU8 { d, a, v } => load!(u8, u64, u8, d, a, v),
                    Insn::LoadI16 { d, a, v } => load!(i16, i64, u16, d, a, v),
                    Insn::LoadU16 { d, a, v } => load!(u16, u64, u16, d, a, v),
                    Insn::LoadI32 { d, a, v } => load!(i32, i64, u32, d, a, v),
                    Insn::LoadU32 { d, a, v } => load!(u32, u64, u32, d, a, v),
                    Insn::Load64 { d, a, v } => load!(u64, u64, u64, d, a, v),
                    Insn::Store8 { a, b, v } => store!(u8, a, b, v),
                    Insn::Store16 { a, b, v } => store!(u16, a, b, v),
                    Insn::Store32 { a, b, v } => store!(u32, a, b, v),
                    Insn::Store64 { a, b, v } => store!(u64, a, b, v),
                    Insn::LoadAny { k, d, a, v } => {
                        let p = moved!(get!(a), i64::from(v));
                        initialised!(self.load_any(&(&(*code).aux)[k as usize], s, d, p))
                    }
                    Insn::StoreAny { k, a, b, v } => {
                        let p = moved!(get!(a), i64::from(v));
                        attempt!(self.store_any(&(&(*code).aux)[k as usize], s, b, p))
                    }
                    Insn::LoadByte { signed, d, a, v } => {
                        let p = moved!(get!(a), i64::from(v));
                        let Some(e) = self.memory.reading(p, 1) else { fail!(self.bad_access(p, 1, false)) };
                        let offset = (p & 0xffff_ffff) as usize;
                        let mask = if e.shadow.is_null() { 0xff } else { *e.shadow.add(offset) };
                        self.ctx.mask = if mask == 0xff { INIT } else { mask.into() };
                        let byte = *e.base.add(offset);
                        get!(d) = if signed { i64::from(byte as i8) as u64 } else { byte.into() }
                    }
                    Insn::StoreByte { a, b, v } => {
                        let p = moved!(get!(a), i64::from(v));
                        let Some(e) = self.memory.writing(p, 1) else { fail!(self.bad_access(p, 1, true)) };
                        *e.base.add((p & 0xffff_ffff) as usize) = get!(b) as u8;
                        self.memory.set_shadow(p, self.ctx.mask as u8);
                    }
                    Insn::PutMask { a } => self.ctx.mask = get!(a),
                    Insn::TakeMask { d } => get!(d) = self.ctx.mask,
                    Insn::LoadBits { k, d, a } => {
                        initialised!(self.load_bits(&(&(*code).aux)[k as usize], s, d, get!(a)))
                    }
                    Insn::StoreBits { k, a, b } => {
                        attempt!(self.store_bits(&(&(*code).aux)[k as usize], s, b, get!(a)))
                    }
                    Insn::Copy { may_overlap, a, b, size } => {
                        attempt!(self.copy(get!(a), get!(b), get!(size), may_overlap))
                    }
                    Insn::Fill { a, b, size } => attempt!(self.fill(get!(a), get!(b) as u8, get!(size))),

                    Insn::Begin { o } => attempt!(self.begin(code, s, o, pc as u32 - 1)),
                    Insn::End { o } => self.end(code, s, o, pc as u32 - 1),
                    Insn::Alloc { k, d, a } => {
                        let edge = (*code).edge(pc as u32 - 1);
                        get!(d) = attempt!(self.alloc(&(&(*code).aux)[k as usize], get!(a), edge))
                    }
                    Insn::Free { kind, a } => {
                        let edge = (*code).edge(pc as u32 - 1);
                        attempt!(self.free(kind, get!(a), edge))
                    }
                    Insn::Input { k, d } => {
                        let edge = (*code).edge(pc as u32 - 1);
                        self.input(&(&(*code).aux)[k as usize], s, d, edge)
                    }

                    Insn::Call { n, f, args, d } => {
                        self.ctx.steps += u64::from(n);
                        let callee = self.code(FuncId::new(f as usize));
                        (*frame).pc = pc as u32;
                        if let Err(stop) = self.push_frame(callee, d) {
                            self.ctx.steps -= u64::from(n);
                            fail!(stop)
                        }
                        let from = s.add(args as usize);
                        reload!();
                        std::ptr::copy_nonoverlapping(from, s, (*code).layout.params as usize);
                        count!(0u16)
                    }
                    Insn::CallPtr { n, k, args, d } => {
                        let edge = (*code).edge(pc as u32 - 1);
                        let entered = attempt!(self.call_ptr(&(&(*code).aux)[k as usize], s, d, edge));
                        self.ctx.steps += u64::from(n);
                        (*frame).pc = pc as u32;
                        if let Some(callee) = entered {
                            if let Err(stop) = self.push_frame(callee, d) {
                                self.ctx.steps -= u64::from(n);
                                fail!(stop)
                            }
                            let from = s.add(args as usize);
                            reload!();
                            std::ptr::copy_nonoverlapping(from, s, (*code).layout.params as usize);
                        }
                        count!(0u16)
                    }
                    Insn::CallError { f } => fail!(self.error_called(FuncId::new(f as usize))),
                    Insn::CallMismatch { f } => fail!(Cause::WrongArguments(FuncId::new(f as usize))),
                    Insn::CallUnknown { f, d } => {
                        let edge = (*code).edge(pc as u32 - 1);
                        attempt!(self.call_unknown(FuncId::new(f as usize), s, d, edge));
                    }
                    Insn::CallBuiltin { k, args, d } => {
                        attempt!(self.call_builtin(&(&(*code).aux)[k as usize], s, args, d))
                    }
                    Insn::CheckReturned => {
                        if self.ctx.mask != INIT {
                            fail!(Cause::NoReturnValue)
                        }
                    }
                    Insn::Ret { n, a } => {
                        let wide = (*code).wide_result;
                        let (low, high) = (get!(a), if wide { get!(a + 1) } else { 0 });
                        let d = (*frame).dst;
                        (*frame).pc = pc as u32 - 1;
                        if (*frame.sub(1)).code.is_null() {
                            return Err(Stop::Exit(low as i32));
                        }
                        self.pop_frame((*code).edge(pc as u32 - 1));
                        self.ctx.mask = INIT;
                        reload!();
                        if d != NO_SLOT {
                            get!(d) = low;
                            if wide {
                                get!(d + 1) = high;
                            }
                        }
                        count!(n);
                        returned!()
                    }
                    Insn::RetVoid { n } | Insn::RetNone { n } => {
                        (*frame).pc = pc as u32 - 1;
                        if (*frame.sub(1)).code.is_null() {
                            return Err(Stop::Exit(0));
                        }
                        self.pop_frame((*code).edge(pc as u32 - 1));
                        self.ctx.mask = if matches!(insn, Insn::RetNone { .. }) { 0 } else { INIT };
                        reload!();
                        count!(n);
                        returned!()
                    }

                    Insn::Jump { n, t } => {
                        pc = t as usize;
                        count!(n)
                    }
                    Insn::Br { n, a, t } => branch!(n, t, get!(a) != 0),
                    Insn::BrNot { n, a, t } => branch!(n, t, get!(a) == 0),
                    Insn::BrEq { n, a, b, t } => branch!(n, t, get!(a) == get!(b)),
                    Insn::BrNe { n, a, b, t } => branch!(n, t, get!(a) != get!(b)),
                    Insn::BrLtS { n, a, b, t } => branch!(n, t, (get!(a) as i64) < get!(b) as i64),
                    Insn::BrLeS { n, a, b, t } => branch!(n, t, get!(a) as i64 <= get!(b) as i64),
                    Insn::BrLtU { n, a, b, t } => branch!(n, t, get!(a) < get!(b)),
                    Insn::BrLeU { n, a, b, t } => branch!(n, t, get!(a) <= get!(b)),
                    Insn::BrEqImm { n, a, v, t } => branch!(n, t, get!(a) as i64 == i64::from(v)),
                    Insn::BrNeImm { n, a, v, t } => branch!(n, t, get!(a) as i64 != i64::from(v)),
                    Insn::BrLtSImm { n, a, v, t } => branch!(n, t, (get!(a) as i64) < i64::from(v)),
                    Insn::BrLeSImm { n, a, v, t } => branch!(n, t, get!(a) as i64 <= i64::from(v)),
                    Insn::BrGtSImm { n, a, v, t } => branch!(n, t, get!(a) as i64 > i64::from(v)),
                    Insn::BrGeSImm { n, a, v, t } => branch!(n, t, get!(a) as i64 >= i64::from(v)),

                    Insn::Assume { holds, a } => {
                        if (get!(a) != 0) != holds {
                            fail!(Stop::AssumptionFailed)
                        }
                    }
                    Insn::CheckInit { a, .. } => {
                        if get!(a) != INIT {
                            uninit!()
                        }
                    }
                    Insn::Trap { trap } => fail!(Cause::Trap(trap)),
                    Insn::Stuck => fail!(Cause::Returned),
                    Insn::Hot { k } => self.visit(code, k, pc as u32 - 1),
                    Insn::Native { k } => {
                        if MODE == FAST {
                            (*frame).pc = pc as u32 - 1;
                            let entry = self.natives[k as usize];
                            // The context is the first field; what runs may come back for the rest.
                            entry(std::ptr::from_mut(self).cast());
                            if let Some(stop) = self.stop.take() {
                                return Err(stop);
                            }
                            let before = (frame, pc as u32 - 1);
                            reload!();
                            // Native code that got nowhere leaves the rest to the interpreter.
                            if (frame, pc as u32) == before {
                                pc += 1;
                            }
                            count!(0u16);
                            returned!()
                        }
                    }
                }
            }
        }
    }

    #[cold]
    pub(crate) fn bad_access(&self, ptr: u64, size: u64, write: bool) -> Cause {
        let fault = self.memory.diagnose(ptr, size, write).unwrap_or(Fault::OutOfBounds);
        Cause::Access { fault, ptr, size, write }
    }

    /// LP64: pointer arithmetic by 2 GiB or more. Fine where no object is, or inside one.
    #[cold]
    fn far_move(&self, ptr: u64, by: i64) -> Result<(), Stop> {
        let (id, offset) = (crate::memory::id_of(ptr), crate::memory::offset_of(ptr));
        let Some(e) = self.memory.entry(id) else { return Ok(()) };
        let inside =
            i64::from(offset).checked_add(by).is_some_and(|end| (0..=i64::from(e.size)).contains(&end));
        if inside || !self.memory.is_live(id) || ptr == pointer(id, 0) && id == 0 {
            return Ok(());
        }
        Err(Cause::FarPointer { ptr, by }.into())
    }
}

fn bad_division(w: u16, x: i64, y: i64) -> Option<cairn_value::Undefined> {
    match y {
        0 => Some(cairn_value::Undefined::DivisionByZero),
        -1 if x == i64::MIN >> (64 - u32::from(w)) => Some(cairn_value::Undefined::DivisionOverflow),
        _ => None,
    }
}

/// A result as a value of a signed type of `w` bits.
fn in_range(v: i128, w: u16, what: &'static str) -> Result<u64, Stop> {
    let limit = 1i128 << (w - 1);
    if (-limit..limit).contains(&v) { Ok(v as i64 as u64) } else { Err(Cause::SignedOverflow(what).into()) }
}
