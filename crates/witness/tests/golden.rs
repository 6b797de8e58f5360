//! The exact files for one small program. `CAIRN_BLESS=1` rewrites them.

use std::path::Path;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_core::{LoopProof, Proof, Property, Task};
use cairn_formats::property::specification;
use cairn_ir::BinOp;
use cairn_sem::{End, Executor, Given};
use cairn_witness::harness::harness_c;
use cairn_witness::{Claim, Sources, TaskInfo, Witness, evidence, graphml, task, testcase, yaml};

const PROGRAM: &str = "\
#define READ() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), m = READ();
    double d = __VERIFIER_nondet_double(
    );
    for (int i = 0; i < n; i++) m++;
    if (m == 7 && d > 0.5) { reach_error(); }
    return 0;
}
";

fn same(name: &str, text: &str) {
    let path = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("CAIRN_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} differs");
}

#[test]
fn files() {
    // The program is preprocessed, so it must be on disk; its name in the files is short.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("golden.c");
    std::fs::write(&path, PROGRAM).unwrap();
    let place = dir.path().to_string_lossy().into_owned() + "/";
    let unit = [Input::File(path)];
    let options = Options::with_model(DataModel::Lp64);
    let mut program = compile(&unit, &options, None).map_err(|_| ()).unwrap().program;
    let sources = Sources::load(&unit, &options, None).unwrap();
    let property = Property::default();
    let info = TaskInfo {
        files: vec![("golden.c".into(), Some(task::hash(PROGRAM.as_bytes())))],
        specification: specification(&property, "main"),
        model: Some(DataModel::Lp64),
        creation_time: "2000-01-01T00:00:00Z".into(),
        producer: "Cairn".into(),
        version: "0.1.0".into(),
    };
    let short = |text: String| text.replace(&place, "");

    let built = Task::new(program.clone(), property, Default::default()).unwrap();
    let run = cairn_sem::Options {
        inputs: vec![Given::Int(3), Given::Int(4), Given::Real(1.5)],
        targets: vec![],
        ..Default::default()
    };
    let mut io = cairn_sem::Captured::default();
    let outcome = Executor::new(&built.program, run, Budget::default()).run_with(&mut io, None);
    let End::ErrorReached(report) = outcome.end else { panic!("{:?}", outcome.end) };
    let mut segments = evidence::violation(&built.original, &sources, &outcome.inputs, &report);
    // What the macro hides is not named.
    assert_eq!(segments.len(), 3, "{segments:?}");
    for s in &mut segments {
        s.follow.at.file = short(s.follow.at.file.clone());
    }
    same("harness.c", &harness_c(&built.original, &built.property, &outcome.inputs));
    same("metadata.xml", &testcase::metadata(&info, "main"));
    same("testcase-1.xml", &testcase::testcase(&outcome.inputs, true));
    same("violation.graphml", &graphml::write(&info, &segments, "main"));
    let claim = Claim::Violation(segments);
    same("violation.yml", &yaml::write(&Witness { task: info.clone(), claim }).unwrap());

    let head = program.locs.iter().find(|(_, l)| l.loop_stmt.is_some()).unwrap().0;
    let mut facts = Vec::new();
    for name in ["i", "n"] {
        let v = program.vars.iter().find(|(_, v)| v.name.as_str() == name).unwrap().0;
        let (x, zero) = (program.exprs.var(v), program.exprs.int(cairn_ir::IntTy::I32, 0));
        facts.push(program.exprs.binary(BinOp::Le, zero, x));
    }
    let loops = [(head, LoopProof::Invariant { k: 1, facts })].into();
    let proof = Proof {
        exprs: program.exprs.clone(),
        loops,
        recursion: Default::default(),
        contracts: Default::default(),
        cuts: Default::default(),
        sole: None,
    };
    let (mut invariants, left_out) = evidence::invariants(&program, &sources, &proof);
    assert_eq!(left_out, 0);
    for i in &mut invariants {
        i.at.file = short(i.at.file.clone());
    }
    let claim = Claim::Correctness(invariants);
    same("correctness.yml", &yaml::write(&Witness { task: info, claim }).unwrap());
}
