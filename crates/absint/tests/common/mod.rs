//! Programs from C text.

use cairn_cfront::{Input, Options, compile};
use cairn_ir::{DataModel, FuncId, LocId, ObjId, Program, VarId};

pub fn program(text: &str, model: DataModel) -> Program {
    let input = Input::Text { name: "t.c".into(), text: text.into() };
    match compile(&[input], &Options::with_model(model), None) {
        Ok(c) => c.program,
        Err(r) => {
            panic!("{}", r.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
        }
    }
}

#[allow(dead_code)]
pub fn var(p: &Program, name: &str) -> VarId {
    p.vars.iter().find(|(_, v)| v.name.as_str() == name).map(|(v, _)| v).expect("a variable")
}

#[allow(dead_code)]
pub fn object(p: &Program, name: &str) -> ObjId {
    p.objects.iter().find(|(_, o)| o.name.as_str() == name).map(|(o, _)| o).expect("an object")
}

#[allow(dead_code)]
pub fn func(p: &Program, name: &str) -> FuncId {
    p.func_named(name).expect("a function")
}

/// The heads of the source's loops in a function, in order of the text.
#[allow(dead_code)]
pub fn heads(p: &Program, name: &str) -> Vec<LocId> {
    let f = func(p, name);
    let mut all: Vec<LocId> =
        p.locs.iter().filter(|(_, l)| l.func == f && l.loop_stmt.is_some()).map(|(l, _)| l).collect();
    all.sort_by_key(|&l| p.locs[l].loop_stmt.map(|s| (s.line, s.col)));
    all
}
