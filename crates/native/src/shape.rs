//! What an instruction reads, writes and where it leads: all that analyses
//! need to know about one, in one place.

use cairn_base::EntityRef;
use cairn_ir::{FuncId, Program, Ty};
use cairn_sem::code::{Aux, FuncCode, Insn, NO_SLOT, Slot, slots_of};

/// A run of consecutive slots.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    pub first: Slot,
    pub count: u32,
}

impl Slots {
    pub const NONE: Slots = Slots { first: 0, count: 0 };

    pub fn one(first: Slot) -> Slots {
        Slots { first, count: u32::from(first != NO_SLOT) }
    }

    pub fn of(first: Slot, ty: Ty) -> Slots {
        Slots { first, count: if first == NO_SLOT { 0 } else { slots_of(ty) } }
    }

    pub fn iter(self) -> impl Iterator<Item = Slot> {
        self.first..self.first + self.count
    }
}

/// Where control goes after an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    Next,
    Jump(u32),
    /// To the target or to the next instruction.
    Branch(u32),
    /// Out of the function, or nowhere.
    Leave,
}

/// The slots an instruction reads and writes, and where control goes from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstrShape {
    pub uses: [Slots; 3],
    pub defs: [Slots; 2],
    pub flow: Flow,
}

impl InstrShape {
    fn new(defs: Slots, uses: &[Slots]) -> InstrShape {
        let mut all = [Slots::NONE; 3];
        all[..uses.len()].copy_from_slice(uses);
        InstrShape { uses: all, defs: [defs, Slots::NONE], flow: Flow::Next }
    }

    fn flow(flow: Flow, uses: &[Slots]) -> InstrShape {
        InstrShape { flow, ..InstrShape::new(Slots::NONE, uses) }
    }

    pub fn of(program: &Program, code: &FuncCode, insn: Insn) -> InstrShape {
        use Insn::*;
        let one = Slots::one;
        let two = |first| Slots { first, count: 2 };
        let none = Slots::NONE;
        let aux = |k: u32| &code.aux[k as usize];
        match insn {
            Const { d, .. } | GetGlobal { d, .. } => InstrShape::new(one(d), &[]),
            Mov { d, a }
            | AddI32Imm { d, a, .. }
            | AddU32Imm { d, a, .. }
            | Add64Imm { d, a, .. }
            | MulI32Imm { d, a, .. }
            | Mul64Imm { d, a, .. }
            | ShlSImm { d, a, .. }
            | ShlUImm { d, a, .. }
            | ShrSImm { d, a, .. }
            | ShrUImm { d, a, .. }
            | AndImm { d, a, .. }
            | OrImm { d, a, .. }
            | XorImm { d, a, .. }
            | ExtS { d, a, .. }
            | ExtU { d, a, .. }
            | EqImm { d, a, .. }
            | NeImm { d, a, .. }
            | LtSImm { d, a, .. }
            | LeSImm { d, a, .. }
            | GtSImm { d, a, .. }
            | GeSImm { d, a, .. }
            | SToF64 { d, a }
            | F32To64 { d, a }
            | PtrAddImm { d, a, .. }
            | PtrToInt32 { d, a }
            | IntToPtr32 { d, a }
            | LoadI8 { d, a, .. }
            | LoadU8 { d, a, .. }
            | LoadI16 { d, a, .. }
            | LoadU16 { d, a, .. }
            | LoadI32 { d, a, .. }
            | LoadU32 { d, a, .. }
            | Load64 { d, a, .. }
            | Alloc { d, a, .. } => InstrShape::new(one(d), &[one(a)]),
            Mov2 { d, a } => InstrShape::new(two(d), &[two(a)]),
            SetGlobal { a, .. } => InstrShape::new(none, &[one(a)]),
            AddI32 { d, a, b }
            | AddU32 { d, a, b }
            | Add64 { d, a, b }
            | SubI32 { d, a, b }
            | SubU32 { d, a, b }
            | Sub64 { d, a, b }
            | MulI32 { d, a, b }
            | MulU32 { d, a, b }
            | Mul64 { d, a, b }
            | DivS { d, a, b, .. }
            | DivU { d, a, b }
            | RemS { d, a, b, .. }
            | RemU { d, a, b }
            | ShlS { d, a, b, .. }
            | ShlU { d, a, b, .. }
            | ShrS { d, a, b, .. }
            | ShrU { d, a, b, .. }
            | And { d, a, b }
            | Or { d, a, b }
            | Xor { d, a, b }
            | AddChecked { d, a, b, .. }
            | SubChecked { d, a, b, .. }
            | MulChecked { d, a, b, .. }
            | ShlChecked { d, a, b, .. }
            | Eq { d, a, b }
            | Ne { d, a, b }
            | LtS { d, a, b }
            | LeS { d, a, b }
            | LtU { d, a, b }
            | LeU { d, a, b }
            | FAdd64 { d, a, b }
            | FSub64 { d, a, b }
            | FMul64 { d, a, b }
            | FDiv64 { d, a, b }
            | FEq64 { d, a, b }
            | FNe64 { d, a, b }
            | FLt64 { d, a, b }
            | FLe64 { d, a, b }
            | FAdd32 { d, a, b }
            | FSub32 { d, a, b }
            | FMul32 { d, a, b }
            | FDiv32 { d, a, b }
            | PtrAdd { d, a, b }
            | PtrIndex { d, a, b, .. }
            | PtrSub32 { d, a, b }
            | PtrEq32 { d, a, b }
            | PtrLt32 { d, a, b }
            | PtrLe32 { d, a, b } => InstrShape::new(one(d), &[one(a), one(b)]),
            Store8 { a, b, .. } | Store16 { a, b, .. } | Store32 { a, b, .. } | Store64 { a, b, .. } => {
                InstrShape::new(none, &[one(a), one(b)])
            }
            Copy { a, b, size, .. } | Fill { a, b, size } => {
                InstrShape::new(none, &[one(a), one(b), one(size)])
            }
            Free { a, .. } | Assume { a, .. } | CheckInit { a, .. } => InstrShape::new(none, &[one(a)]),
            Begin { o } | End { o } => {
                let object = &code.layout.objects[o as usize];
                InstrShape {
                    defs: [one(object.addr), one(object.alive)],
                    ..InstrShape::new(none, &[one(object.addr), one(object.alive)])
                }
            }
            Jump { t, .. } => InstrShape::flow(Flow::Jump(t), &[]),
            Br { a, t, .. }
            | BrNot { a, t, .. }
            | BrEqImm { a, t, .. }
            | BrNeImm { a, t, .. }
            | BrLtSImm { a, t, .. }
            | BrLeSImm { a, t, .. }
            | BrGtSImm { a, t, .. }
            | BrGeSImm { a, t, .. } => InstrShape::flow(Flow::Branch(t), &[one(a)]),
            BrEq { a, b, t, .. }
            | BrNe { a, b, t, .. }
            | BrLtS { a, b, t, .. }
            | BrLeS { a, b, t, .. }
            | BrLtU { a, b, t, .. }
            | BrLeU { a, b, t, .. } => InstrShape::flow(Flow::Branch(t), &[one(a), one(b)]),
            Trap { .. } | Stuck => InstrShape::flow(Flow::Leave, &[]),
            RetVoid { .. } | RetNone { .. } => InstrShape::flow(Flow::Leave, &[]),
            Ret { a, .. } => InstrShape::flow(Flow::Leave, &[if code.wide_result { two(a) } else { one(a) }]),
            CheckReturned | Hot { .. } | Native { .. } => InstrShape::new(none, &[]),
            Unary { k, d, a } => match aux(k) {
                Aux::Unary(op, ty) => typed(op.result(*ty), d, &[Slots::of(a, *ty)]),
                other => panic!("{other:?} of a unary operation"),
            },
            Binary { k, d, a, b } | BinaryChecked { k, d, a, b } => match aux(k.into()) {
                Aux::Binary(op, ty, rty) => {
                    typed(op.result(*ty, *rty, program.model), d, &[Slots::of(a, *ty), Slots::of(b, *rty)])
                }
                other => panic!("{other:?} of a binary operation"),
            },
            Cast { k, d, a } => match aux(k) {
                Aux::Cast(from, to) => InstrShape::new(Slots::of(d, *to), &[Slots::of(a, *from)]),
                other => panic!("{other:?} of a cast"),
            },
            LoadAny { k, d, a, .. } => InstrShape::new(Slots::of(d, aux_type(aux(k.into()))), &[one(a)]),
            StoreAny { k, a, b, .. } => {
                InstrShape::new(none, &[one(a), Slots::of(b, aux_type(aux(k.into())))])
            }
            LoadByte { d, a, .. } => InstrShape::new(one(d), &[one(a)]),
            StoreByte { a, b, .. } => InstrShape::new(none, &[one(a), one(b)]),
            PutMask { a } => InstrShape::new(none, &[one(a)]),
            TakeMask { d } => InstrShape::new(one(d), &[]),
            LoadBits { k, d, a } => InstrShape::new(Slots::of(d, aux_type(aux(k))), &[one(a)]),
            StoreBits { k, a, b } => InstrShape::new(none, &[one(a), Slots::of(b, aux_type(aux(k)))]),
            Input { k, d } => InstrShape::new(Slots::of(d, aux_type(aux(k))), &[]),
            Call { f, args, d, .. } => {
                let sig = &program.funcs[FuncId::new(f as usize)].sig;
                typed(sig.ret, d, &[arguments(args, &sig.params)])
            }
            CallPtr { k, args, d, .. } => match aux(k) {
                Aux::CallPtr { target, sig } => {
                    typed(sig.ret, d, &[arguments(args, &sig.params), one(*target)])
                }
                other => panic!("{other:?} of a call"),
            },
            CallBuiltin { k, args, d } => match aux(k.into()) {
                Aux::Builtin { builtin, args: types } => InstrShape {
                    flow: if builtin.returns() { Flow::Next } else { Flow::Leave },
                    ..typed(builtin.signature(program.model).ret, d, &[arguments(args, types)])
                },
                other => panic!("{other:?} of a builtin"),
            },
            CallUnknown { f, d } => typed(program.funcs[FuncId::new(f as usize)].sig.ret, d, &[]),
            CallError { .. } | CallMismatch { .. } => InstrShape::flow(Flow::Leave, &[]),
        }
    }
}

/// A result of a type that may be missing.
fn typed(result: Option<Ty>, d: Slot, uses: &[Slots]) -> InstrShape {
    InstrShape::new(result.map_or(Slots::NONE, |ty| Slots::of(d, ty)), uses)
}

fn arguments(first: Slot, types: &[Ty]) -> Slots {
    Slots { first, count: types.iter().map(|&ty| slots_of(ty)).sum() }
}

fn aux_type(aux: &Aux) -> Ty {
    match aux {
        Aux::Type(ty) | Aux::Bits { ty, .. } | Aux::Input { ty, .. } => *ty,
        other => panic!("{other:?} has no type"),
    }
}
