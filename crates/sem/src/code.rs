//! The compact form of a function that is executed.
//!
//! A frame is an array of 64-bit **slots**. A value of at most 64 bits takes
//! one slot and is *extended to 64 bits by the signedness of its type* (so that
//! comparing, dividing and widening need no further work); `bool` is 0 or 1,
//! `f32` and `f64` are their bit patterns, a pointer is `id << 32 | offset` in
//! both data models. Wider values (`i128`, `x80`, `f128`) take two slots, low
//! half first, extended to 128 bits in the same way.
//!
//! Frame: parameters in order, then the slots that start as zero (per local
//! object its address and whether it is alive; per tracked variable its
//! shadow), then the variables, then temporaries.
//!
//! An instruction belongs to one edge. Steps are counted where control leaves a
//! segment of straight-line code: every instruction with a field `n` adds `n`
//! to the counter, and `FuncCode::upto[pc]` says how many edges of its segment
//! have begun by `pc`. The exact number at any point is therefore
//! `context.steps + upto[pc]`.

use cairn_base::EntityRef;
use cairn_ir::{
    AllocKind, BinOp, Builtin, EdgeId, FuncId, LocId, ObjId, Signature, Symbol, Trap, Ty, UnOp, VarId,
};
use rustc_hash::FxHashMap;

/// Index of a slot in the frame.
pub type Slot = u32;

/// No slot: a result that is thrown away.
pub const NO_SLOT: Slot = u32::MAX;

/// Marks an initialised variable in its shadow slot. Anything else is a mask of the initialised
/// bits (which only variables of 8 bits need).
pub const INIT: u64 = u64::MAX;

/// `d`: destination slot, `a`, `b`: source slots, `t`: target pc, `k`: index into `aux`.
#[derive(Copy, Clone, Debug)]
#[rustfmt::skip]
pub enum Insn {
    Const { d: Slot, v: u64 },
    Mov { d: Slot, a: Slot },
    Mov2 { d: Slot, a: Slot },
    GetGlobal { d: Slot, g: u32 },
    SetGlobal { g: u32, a: Slot },

    AddI32 { d: Slot, a: Slot, b: Slot },
    AddU32 { d: Slot, a: Slot, b: Slot },
    Add64 { d: Slot, a: Slot, b: Slot },
    AddI32Imm { d: Slot, a: Slot, v: i32 },
    AddU32Imm { d: Slot, a: Slot, v: i32 },
    Add64Imm { d: Slot, a: Slot, v: i32 },
    SubI32 { d: Slot, a: Slot, b: Slot },
    SubU32 { d: Slot, a: Slot, b: Slot },
    Sub64 { d: Slot, a: Slot, b: Slot },
    MulI32 { d: Slot, a: Slot, b: Slot },
    MulU32 { d: Slot, a: Slot, b: Slot },
    Mul64 { d: Slot, a: Slot, b: Slot },
    MulI32Imm { d: Slot, a: Slot, v: i32 },
    Mul64Imm { d: Slot, a: Slot, v: i32 },
    /// `w` is the width of the type.
    DivS { w: u16, d: Slot, a: Slot, b: Slot },
    DivU { d: Slot, a: Slot, b: Slot },
    RemS { w: u16, d: Slot, a: Slot, b: Slot },
    RemU { d: Slot, a: Slot, b: Slot },
    ShlS { w: u16, d: Slot, a: Slot, b: Slot },
    ShlU { w: u16, d: Slot, a: Slot, b: Slot },
    ShrS { w: u16, d: Slot, a: Slot, b: Slot },
    ShrU { w: u16, d: Slot, a: Slot, b: Slot },
    ShlSImm { w: u16, d: Slot, a: Slot, v: u32 },
    ShlUImm { w: u16, d: Slot, a: Slot, v: u32 },
    ShrSImm { d: Slot, a: Slot, v: u32 },
    ShrUImm { d: Slot, a: Slot, v: u32 },
    And { d: Slot, a: Slot, b: Slot },
    Or { d: Slot, a: Slot, b: Slot },
    Xor { d: Slot, a: Slot, b: Slot },
    AndImm { d: Slot, a: Slot, v: i32 },
    OrImm { d: Slot, a: Slot, v: i32 },
    XorImm { d: Slot, a: Slot, v: i32 },
    /// Into the range of a signed or unsigned type of `w` bits.
    ExtS { w: u16, d: Slot, a: Slot },
    ExtU { w: u16, d: Slot, a: Slot },
    /// `Add`, `Sub`, `Mul` and `Shl` of a signed type of `w` bits, undefined on overflow.
    AddChecked { w: u16, d: Slot, a: Slot, b: Slot },
    SubChecked { w: u16, d: Slot, a: Slot, b: Slot },
    MulChecked { w: u16, d: Slot, a: Slot, b: Slot },
    ShlChecked { w: u16, d: Slot, a: Slot, b: Slot },

    Eq { d: Slot, a: Slot, b: Slot },
    Ne { d: Slot, a: Slot, b: Slot },
    LtS { d: Slot, a: Slot, b: Slot },
    LeS { d: Slot, a: Slot, b: Slot },
    LtU { d: Slot, a: Slot, b: Slot },
    LeU { d: Slot, a: Slot, b: Slot },
    EqImm { d: Slot, a: Slot, v: i32 },
    NeImm { d: Slot, a: Slot, v: i32 },
    LtSImm { d: Slot, a: Slot, v: i32 },
    LeSImm { d: Slot, a: Slot, v: i32 },
    /// `v < a`.
    GtSImm { d: Slot, a: Slot, v: i32 },
    GeSImm { d: Slot, a: Slot, v: i32 },

    FAdd64 { d: Slot, a: Slot, b: Slot },
    FSub64 { d: Slot, a: Slot, b: Slot },
    FMul64 { d: Slot, a: Slot, b: Slot },
    FDiv64 { d: Slot, a: Slot, b: Slot },
    FEq64 { d: Slot, a: Slot, b: Slot },
    FNe64 { d: Slot, a: Slot, b: Slot },
    FLt64 { d: Slot, a: Slot, b: Slot },
    FLe64 { d: Slot, a: Slot, b: Slot },
    FAdd32 { d: Slot, a: Slot, b: Slot },
    FSub32 { d: Slot, a: Slot, b: Slot },
    FMul32 { d: Slot, a: Slot, b: Slot },
    FDiv32 { d: Slot, a: Slot, b: Slot },
    SToF64 { d: Slot, a: Slot },
    F32To64 { d: Slot, a: Slot },

    /// Everything else about values, by `cairn_value::eval`.
    Unary { k: u32, d: Slot, a: Slot },
    Binary { k: u16, d: Slot, a: Slot, b: Slot },
    /// The same, undefined on signed overflow.
    BinaryChecked { k: u16, d: Slot, a: Slot, b: Slot },
    Cast { k: u32, d: Slot, a: Slot },

    /// Pointer plus bytes.
    PtrAdd { d: Slot, a: Slot, b: Slot },
    PtrAddImm { d: Slot, a: Slot, v: i32 },
    /// Pointer plus `scale * b`.
    PtrIndex { scale: u16, d: Slot, a: Slot, b: Slot },
    /// ILP32 only.
    PtrSub32 { d: Slot, a: Slot, b: Slot },
    PtrEq32 { d: Slot, a: Slot, b: Slot },
    PtrLt32 { d: Slot, a: Slot, b: Slot },
    PtrLe32 { d: Slot, a: Slot, b: Slot },
    PtrToInt32 { d: Slot, a: Slot },
    IntToPtr32 { d: Slot, a: Slot },

    /// Reads at `a + v`.
    LoadI8 { d: Slot, a: Slot, v: i32 },
    LoadU8 { d: Slot, a: Slot, v: i32 },
    LoadI16 { d: Slot, a: Slot, v: i32 },
    LoadU16 { d: Slot, a: Slot, v: i32 },
    LoadI32 { d: Slot, a: Slot, v: i32 },
    LoadU32 { d: Slot, a: Slot, v: i32 },
    Load64 { d: Slot, a: Slot, v: i32 },
    /// A value of the type `aux[k]`.
    LoadAny { k: u16, d: Slot, a: Slot, v: i32 },
    /// One byte, initialised or not; its mask goes to the machine's mask register.
    LoadByte { signed: bool, d: Slot, a: Slot, v: i32 },
    /// Writes `b` at `a + v`.
    Store8 { a: Slot, b: Slot, v: i32 },
    Store16 { a: Slot, b: Slot, v: i32 },
    Store32 { a: Slot, b: Slot, v: i32 },
    Store64 { a: Slot, b: Slot, v: i32 },
    StoreAny { k: u16, a: Slot, b: Slot, v: i32 },
    /// One byte with its mask from the mask register.
    StoreByte { a: Slot, b: Slot, v: i32 },
    /// Slot to mask register and back.
    PutMask { a: Slot },
    TakeMask { d: Slot },
    LoadBits { k: u32, d: Slot, a: Slot },
    StoreBits { k: u32, a: Slot, b: Slot },
    Copy { may_overlap: bool, a: Slot, b: Slot, size: Slot },
    Fill { a: Slot, b: Slot, size: Slot },

    /// The local with this index in `Layout::objects`.
    Begin { o: u32 },
    End { o: u32 },
    Alloc { k: u32, d: Slot, a: Slot },
    Free { kind: AllocKind, a: Slot },
    Input { k: u32, d: Slot },

    /// `args`: first of the slots that hold the arguments, in the callee's parameter layout.
    Call { n: u16, f: u32, args: Slot, d: Slot },
    CallPtr { n: u16, k: u32, args: Slot, d: Slot },
    /// A call of an error function, of one without a body, or with arguments that do not fit.
    CallError { f: u32 },
    CallUnknown { f: u32, d: Slot },
    CallMismatch { f: u32 },
    /// Counted by the instruction that ends the segment, unless it never returns.
    CallBuiltin { k: u16, args: Slot, d: Slot },
    /// After a call that left 0 in the mask register: it returned no value. Undefined.
    CheckReturned,
    Ret { n: u16, a: Slot },
    RetVoid { n: u16 },
    /// Returns an indeterminate value: 0 goes to the mask register (all ones otherwise).
    RetNone { n: u16 },

    Jump { n: u16, t: u32 },
    Br { n: u16, a: Slot, t: u32 },
    BrNot { n: u16, a: Slot, t: u32 },
    BrEq { n: u16, a: Slot, b: Slot, t: u32 },
    BrNe { n: u16, a: Slot, b: Slot, t: u32 },
    BrLtS { n: u16, a: Slot, b: Slot, t: u32 },
    BrLeS { n: u16, a: Slot, b: Slot, t: u32 },
    BrLtU { n: u16, a: Slot, b: Slot, t: u32 },
    BrLeU { n: u16, a: Slot, b: Slot, t: u32 },
    BrEqImm { n: u16, a: Slot, v: i32, t: u32 },
    BrNeImm { n: u16, a: Slot, v: i32, t: u32 },
    BrLtSImm { n: u16, a: Slot, v: i32, t: u32 },
    BrLeSImm { n: u16, a: Slot, v: i32, t: u32 },
    BrGtSImm { n: u16, a: Slot, v: i32, t: u32 },
    BrGeSImm { n: u16, a: Slot, v: i32, t: u32 },

    /// The run goes on only if `a` is `holds`.
    Assume { holds: bool, a: Slot },
    /// Undefined unless the shadow slot `a` of variable `v` says initialised.
    CheckInit { a: Slot, v: VarId },
    Trap { trap: Trap },
    /// A location without a way on.
    Stuck,
    /// Counts the visits of a function entry or a loop head, for the native tier.
    Hot { k: u32 },
    /// Continues in native code.
    Native { k: u32 },
}

/// What does not fit into an instruction.
#[derive(Clone, PartialEq, Debug)]
pub enum Aux {
    Unary(UnOp, Ty),
    Binary(BinOp, Ty, Ty),
    Cast(Ty, Ty),
    Type(Ty),
    Bits {
        bit: u8,
        width: u8,
        ty: Ty,
    },
    Alloc {
        kind: AllocKind,
        zeroed: bool,
    },
    Input {
        name: Symbol,
        ty: Ty,
    },
    /// Slot of the target and the signature assumed.
    CallPtr {
        target: Slot,
        sig: Signature,
    },
    Builtin {
        builtin: Builtin,
        args: Vec<Ty>,
    },
}

/// A local object in the frame.
#[derive(Copy, Clone, Debug)]
pub struct LocalObject {
    pub obj: ObjId,
    /// Slot of its address (kept after its end, so that a late use is seen), and of whether it
    /// is alive (0 or 1).
    pub addr: Slot,
    pub alive: Slot,
    /// Its address is used for nothing but direct accesses.
    pub private: bool,
}

/// Where the things of a function live in its frame.
#[derive(Clone, Default, Debug)]
pub struct Layout {
    /// Slots of the parameters, variables and their shadows (tracked variables only).
    pub vars: FxHashMap<VarId, Slot>,
    pub shadows: FxHashMap<VarId, Slot>,
    pub objects: Vec<LocalObject>,
    pub object_index: FxHashMap<ObjId, u32>,
    /// Slots of all parameters together.
    pub params: u32,
    /// Slots that start as zero: `params .. zeroed`.
    pub zeroed: u32,
    /// First slot of the temporaries.
    pub temps: Slot,
}

/// A place where native code may take over: the function's entry or a loop head.
#[derive(Copy, Clone, Debug)]
pub struct HotSpot {
    pub loc: LocId,
    pub visits: u32,
    pub pc: u32,
}

/// A function, ready to run.
#[derive(Clone, Debug)]
pub struct FuncCode {
    pub func: FuncId,
    pub insns: Vec<Insn>,
    /// For every instruction its edge, and how many edges of its segment have begun.
    pub edges: Vec<EdgeId>,
    pub upto: Vec<u16>,
    pub aux: Vec<Aux>,
    pub layout: Layout,
    /// Slots of a frame.
    pub slots: u32,
    /// The result takes two slots.
    pub wide_result: bool,
    /// The most edges a segment has.
    pub longest: u16,
    pub hot: Vec<HotSpot>,
    /// First instruction of every edge that begins a segment or has instructions of its own.
    pub edge_pc: FxHashMap<EdgeId, u32>,
    /// First instruction of the blocks that begin at these locations.
    pub loc_pc: FxHashMap<LocId, u32>,
}

/// Slots a value of the type takes.
pub fn slots_of(ty: Ty) -> u32 {
    if is_wide(ty) { 2 } else { 1 }
}

pub fn is_wide(ty: Ty) -> bool {
    match ty {
        Ty::Bool | Ty::Ptr => false,
        Ty::Int(i) => i.bits > 64,
        Ty::Float(f) => f.bits() > 64,
    }
}

impl FuncCode {
    /// The edge an instruction belongs to.
    pub fn edge(&self, pc: u32) -> EdgeId {
        self.edges.get(pc as usize).copied().unwrap_or(EdgeId::new(0))
    }
}
