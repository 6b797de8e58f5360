//! The state in which executions start, and the instances of objects.

use cairn_base::Place;
use cairn_ir::{FuncId, Init, ObjId, ObjKind, Ty, VarKind};
use cairn_term::{Pool, TermId};
use imbl::OrdMap;

use super::Stepper;
use crate::guard::Guard;
use crate::object::{Content, Ground};
use crate::pointer::Instance;
use crate::state::{Info, Object, State};

/// What the addresses of allocated memory are multiples of.
const ALLOCATED: u32 = 16;

impl Info {
    /// A function or a label: nothing to access.
    pub(super) fn code(pool: &mut Pool, name: &str, place: Place) -> Info {
        Info {
            name: name.to_string(),
            place,
            size: pool.bits(64, 0),
            constant_size: Some(0),
            align: 1,
            is_heap: false,
            writable: false,
            is_code: true,
        }
    }

    /// Memory that no object of the program stands for; its size is a 64-bit term.
    pub(super) fn memory(pool: &Pool, name: &str, place: Place, size: TermId, is_heap: bool) -> Info {
        Info {
            name: name.to_string(),
            place,
            size,
            constant_size: pool.as_bits(size).map(|b| b as u64),
            align: ALLOCATED,
            is_heap,
            writable: true,
            is_code: false,
        }
    }
}

impl Stepper<'_, '_> {
    /// The state in which executions start.
    pub fn start(&mut self, entry: FuncId) -> State {
        let mut state = State {
            guard: Guard::default(),
            globals: OrdMap::new(),
            locals: OrdMap::new(),
            memory: OrdMap::new(),
            frame: OrdMap::new(),
            result: None,
        };
        self.statics(&mut state);
        self.entry_arguments(entry, &mut state);
        state
    }

    pub(super) fn instance(&mut self, info: Info) -> Instance {
        let i = Instance(self.infos.len() as u32);
        self.pointers.place(self.pool, i, &info);
        self.infos.push(info);
        i
    }

    fn statics(&mut self, state: &mut State) {
        let p = self.program;
        for (f, func) in p.funcs.iter() {
            let info = Info::code(self.pool, func.name.as_str(), func.place);
            let i = self.instance(info);
            self.funcs.insert(f, i);
        }
        for (l, label) in p.labels.iter() {
            let info = Info::code(self.pool, label.name.as_str(), Place::NONE);
            let i = self.instance(info);
            self.labels.insert(l, i);
        }
        for (o, object) in p.objects.iter() {
            if object.kind == ObjKind::Local {
                continue;
            }
            let info = self.info_of(o);
            let i = self.instance(info);
            self.objects.insert(o, i);
            let ground = match &object.init {
                Init::Static(d) if d.bytes.is_empty() && d.relocs.is_empty() => Ground::Zero,
                Init::Static(_) => Ground::Data(o),
                Init::Uninit | Init::Unknown => Ground::Indeterminate,
            };
            state.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(ground) });
        }
        for (v, var) in p.vars.iter() {
            if let VarKind::Global { init } = var.kind {
                let t = self.pure(init, state);
                state.globals.insert(v, t);
            }
        }
    }

    pub(super) fn info_of(&mut self, o: ObjId) -> Info {
        let object = &self.program.objects[o];
        Info {
            name: object.name.to_string(),
            place: object.place,
            size: self.pool.bits(64, object.size.into()),
            constant_size: Some(object.size),
            align: object.align,
            is_heap: false,
            writable: object.kind != ObjKind::Const,
            is_code: false,
        }
    }

    /// `main(argc, argv)`: one argument, the program's name.
    fn entry_arguments(&mut self, entry: FuncId, state: &mut State) {
        let params = self.program.funcs[entry].params.clone();
        for (n, v) in params.into_iter().enumerate() {
            let value = match (n, self.program.vars[v].ty) {
                (0, Ty::Int(i)) => self.pool.bits(i.bits, 1),
                (_, Ty::Ptr) => {
                    let word = self.program.model.ptr_bytes();
                    let name = self.fresh_zero(state, "program name", 16);
                    let vector = self.fresh_zero(state, "argv", 2 * word);
                    if n == 1 {
                        let address = name.address(self.pool);
                        let zero = self.pool.bits(64, 0);
                        self.write_instance(state, vector, zero, Ty::Ptr, address);
                    }
                    vector.address(self.pool)
                }
                (_, ty) => {
                    let s = crate::expr::sort(self.pool, ty);
                    self.pool.fresh("argument", s)
                }
            };
            state.locals.insert(v, value);
        }
    }

    fn fresh_zero(&mut self, state: &mut State, name: &str, size: u64) -> Instance {
        let term = self.pool.bits(64, size.into());
        let info = Info::memory(self.pool, name, Place::NONE, term, false);
        let i = self.instance(info);
        state.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(Ground::Zero) });
        i
    }
}
