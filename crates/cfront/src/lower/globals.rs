//! Objects with static storage, functions and labels: the tables of the program
//! that exist before any body is lowered.

use cairn_base::{Diagnostic, Place, Span};
use cairn_ctyped::hir::{self, AddrTarget, GlobalInit, GlobalKind};
use cairn_ctyped::types::{FuncType, Type, TypeId};
use cairn_ir::{
    self as ir, Data, ExprId, Function, Init, IntTy, LabelInfo, ObjKind, Object, Reloc, RelocTarget,
    Signature, Ty, Var, VarKind,
};

use super::{Cx, Storage};

/// Library functions after which control is not where the automata have it: those behind
/// `setjmp` and `longjmp`, and those that start further threads or processes.
const CONTROL: &[&str] = &[
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "getcontext",
    "setcontext",
    "swapcontext",
    "makecontext",
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "clone",
];

impl Cx<'_> {
    /// Makes all functions that have a body, with their entry and exit, and the labels whose
    /// address somebody takes (static data may refer to them).
    pub fn declare_functions(&mut self) {
        for (id, func) in self.hir.funcs.iter() {
            let Some(body) = &func.body else {
                // Nobody may call it, but a run may start in it.
                if func.unsupported.is_some() {
                    self.func(id);
                }
                continue;
            };
            let ir_id = self.add_function(id, true);
            let (entry, _) = self.prog.new_body(ir_id);
            for (label, info) in body.labels.iter().filter(|(_, l)| l.addr_taken) {
                let ir_label = self.prog.labels.push(LabelInfo { name: info.name, func: ir_id, loc: entry });
                self.labels.insert((id, label), ir_label);
            }
        }
    }

    /// The IR function; made now if it is the first use of one without a body.
    pub fn func(&mut self, id: hir::FuncId) -> ir::FuncId {
        match self.funcs[id] {
            Some(f) => f,
            None => self.add_function(id, false),
        }
    }

    fn add_function(&mut self, id: hir::FuncId, has_body: bool) -> ir::FuncId {
        let func = &self.hir.funcs[id];
        let place = self.place(func.span);
        let ir_id = self.prog.funcs.push(Function {
            name: func.name,
            sig: self.signature_of(func),
            params: Vec::new(),
            body: None,
            place,
            is_model: self.places.is_model(func.span.src),
            noreturn: func.noreturn,
        });
        self.funcs[id] = Some(ir_id);
        if let Some(reason) = &func.unsupported {
            self.unsupported.push((ir_id, reason.clone()));
        }
        if !has_body && !self.func_type(func.ty).prototyped {
            self.open_signatures.insert(ir_id);
        }
        ir_id
    }

    pub fn func_type(&self, ty: TypeId) -> &FuncType {
        match self.types.get(ty) {
            Type::Function(f) => f,
            other => unreachable!("the type of a function is {other:?}"),
        }
    }

    /// How a function is called. One defined without a prototype takes its parameters as its
    /// definition says.
    fn signature_of(&self, func: &hir::Func) -> Signature {
        let ty = self.func_type(func.ty);
        match &func.body {
            Some(body) => self.signature(ty, body.params.iter().map(|p| p.passed_as)),
            None => self.signature(ty, ty.params.iter().copied()),
        }
    }

    pub fn signature(&self, ty: &FuncType, fixed: impl Iterator<Item = TypeId>) -> Signature {
        let mut params = Vec::new();
        if self.is_aggregate(ty.ret.id) {
            params.push(Ty::Ptr);
        }
        params.extend(fixed.map(|p| self.types.scalar(p).unwrap_or(Ty::Ptr)));
        if ty.variadic {
            params.push(Ty::Ptr);
        }
        Signature { params, ret: self.types.scalar(ty.ret.id), variadic: ty.variadic }
    }

    /// Is a value of the type passed around in memory?
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(_) | Type::VaListElem | Type::Array { .. })
    }

    /// Makes all objects that some unit defines: first the memory, so that initialisers can refer
    /// to it, then contents and scalar variables.
    pub fn define_globals(&mut self) {
        for (id, global) in self.hir.globals.iter() {
            if self.is_in_memory(global) && matches!(global.init, GlobalInit::Data(_)) {
                self.add_object(id);
            }
        }
        for (id, global) in self.hir.globals.iter() {
            let GlobalInit::Data(data) = &global.init else { continue };
            match self.globals[id] {
                Some(Storage::Object(obj)) => {
                    let data = self.data(data, global.span);
                    self.prog.objects[obj].init = Init::Static(data);
                }
                _ => self.add_variable(id, data),
            }
        }
    }

    /// Where a global lives; an undefined one is made at its first use.
    pub fn global(&mut self, id: hir::GlobalId, span: Span) -> Storage {
        if let Some(storage) = self.globals[id] {
            return storage;
        }
        self.note_unmodelled(self.hir.globals[id].name, span, false);
        self.add_object(id)
    }

    /// The storage of a global if it has been made already.
    pub fn known_global(&self, id: hir::GlobalId) -> Option<Storage> {
        self.globals[id]
    }

    fn is_in_memory(&self, global: &hir::Global) -> bool {
        global.addr_taken || self.types.scalar(global.ty).is_none()
    }

    fn add_object(&mut self, id: hir::GlobalId) -> Storage {
        let global = &self.hir.globals[id];
        let constant = global.is_const || global.kind == GlobalKind::String;
        let place = self.place(global.span);
        let dtype = self.dtype(global.ty);
        let init = match global.init {
            GlobalInit::Extern => Init::Unknown,
            GlobalInit::Data(_) => Init::Static(Data::default()),
        };
        let obj = self.prog.new_object(Object {
            name: global.name,
            owner: None,
            kind: if constant { ObjKind::Const } else { ObjKind::Global },
            size: self.reserved(global),
            align: u32::try_from(global.align).unwrap_or(1 << 30),
            init,
            place,
            scope: Place::NONE,
            dtype,
        });
        let storage = Storage::Object(obj);
        self.globals[id] = Some(storage);
        storage
    }

    /// The bytes of an object. An `extern` array that nobody gives a size has some.
    fn reserved(&self, global: &hir::Global) -> u64 {
        match (&global.init, self.types.get(global.ty)) {
            (GlobalInit::Extern, Type::Array { elem, .. }) if self.types.size_of(global.ty).is_none() => {
                self.types.size_of(elem.id).unwrap_or(0) * super::external::OPEN_ARRAY
            }
            _ => global.size,
        }
    }

    fn add_variable(&mut self, id: hir::GlobalId, data: &hir::StaticData) {
        let global = &self.hir.globals[id];
        let ty = self.scalar(global.ty, global.span);
        let init = self.initial_value(ty, data, global.span);
        let place = self.place(global.span);
        let dtype = self.dtype(global.ty);
        let var = self.prog.new_var(Var {
            name: global.name,
            ty,
            owner: None,
            kind: VarKind::Global { init },
            place,
            scope: Place::NONE,
            dtype,
        });
        self.globals[id] = Some(Storage::Var(var));
    }

    /// The value that static data gives a scalar.
    fn initial_value(&mut self, ty: Ty, data: &hir::StaticData, span: Span) -> ExprId {
        let Some(addr) = data.addresses.first() else {
            let mut bits = 0u128;
            for (offset, bytes) in &data.bytes {
                for (i, byte) in bytes.iter().enumerate() {
                    let shift = 8 * (offset + i as u64);
                    if shift < 128 {
                        bits |= u128::from(*byte) << shift;
                    }
                }
            }
            let width = ty.bits(self.prog.model);
            let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
            return self.prog.exprs.constant(ty, bits & mask);
        };
        let base = match self.reloc_target(addr.target, span) {
            RelocTarget::Object(o) => self.prog.exprs.addr(o),
            RelocTarget::Func(f) => self.prog.exprs.func(f),
            RelocTarget::Label(l) => self.prog.exprs.label(l),
        };
        let addend = self.prog.exprs.int(IntTy::diff(self.prog.model), addr.addend.into());
        let value = self.prog.exprs.binary(ir::BinOp::PtrAdd, base, addend);
        match ty {
            Ty::Ptr | Ty::Int(_) => self.prog.exprs.cast(ty, value),
            _ => {
                self.unsupported(span, "an address as the initial value of this type");
                self.prog.exprs.constant(ty, 0)
            }
        }
    }

    fn data(&mut self, data: &hir::StaticData, span: Span) -> Data {
        let bytes = data.bytes.iter().map(|(at, b)| (*at, b.clone().into_boxed_slice())).collect();
        let relocs = data.addresses.iter().map(|a| {
            let target = self.reloc_target(a.target, span);
            Reloc { offset: a.offset, bytes: a.bytes, target, addend: a.addend }
        });
        Data { bytes, relocs: relocs.collect() }
    }

    fn reloc_target(&mut self, target: AddrTarget, span: Span) -> RelocTarget {
        match target {
            AddrTarget::Global(g) => match self.global(g, span) {
                Storage::Object(o) => RelocTarget::Object(o),
                // Whoever takes an address has marked the global, so it is in memory.
                Storage::Var(_) | Storage::Vla(_) => unreachable!("the address of a variable"),
            },
            AddrTarget::Func(f) => {
                let id = self.func(f);
                self.note_if_undefined(f, span);
                RelocTarget::Func(id)
            }
            AddrTarget::Label(f, l) => match self.labels.get(&(f, l)) {
                Some(&label) => RelocTarget::Label(label),
                None => {
                    self.unsupported(span, "the address of a label of a function without a body");
                    RelocTarget::Func(self.func(f))
                }
            },
        }
    }

    /// A function that is used, has no body and that lowering knows nothing of goes on the list.
    /// A run must not reach one that moves control behind the automata's back, nor a primitive of
    /// another verifier, which would not just give some value.
    pub fn note_if_undefined(&mut self, id: hir::FuncId, span: Span) {
        let func = &self.hir.funcs[id];
        let name = func.name.as_str();
        if func.body.is_some() || func.unsupported.is_some() || super::intrinsic::is_known(name) {
            return;
        }
        let reason = if CONTROL.contains(&name) {
            format!("what `{name}` does to the flow of control is not supported")
        } else if let Some(tool) = super::intrinsic::owner(name) {
            format!("{tool}'s primitive `{name}` is not supported")
        } else if cairn_ctyped::is_reserved(name) {
            format!("built-in function '{name}' is not supported")
        } else {
            return self.note_unmodelled(func.name, span, true);
        };
        let ir_id = self.func(id);
        self.unsupported.push((ir_id, Diagnostic::unsupported(span, reason)));
    }
}
