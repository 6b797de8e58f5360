//! Evidence for the verification programs of the test suite, end to end: the
//! executor confirms the inputs, the harness is built by gcc and fails, the
//! witnesses are written, read back and built into the program, whose run along
//! them fails again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Compiled, Input, Options, compile};
use cairn_core::replay::{Confirmed, replay};
use cairn_core::verdict::InputValue;
use cairn_core::{Property, Task, Trace};
use cairn_ir::Ty;
use cairn_sem::{End, Executor, Given};
use cairn_witness::harness::harness_c;
use cairn_witness::reproduce::{Reproduced, reproduce};
use cairn_witness::{Claim, Sources, TaskInfo, Witness, evidence, graphml, testcase, validate, yaml};

fn program(name: &str) -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
        .join("../../tests/programs/verify")
        .join(name)
}

fn compiled(inputs: &[Input], model: DataModel) -> Compiled {
    compile(inputs, &Options::with_model(model), None)
        .unwrap_or_else(|r| panic!("{:?}", r.diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>()))
}

/// The inputs as the executor consumes them.
fn trace(task: &Task, inputs: &[Given]) -> Trace {
    let options = cairn_sem::Options { inputs: inputs.to_vec(), targets: vec![], ..Default::default() };
    let mut io = cairn_sem::Captured::default();
    let outcome = Executor::new(&task.program, options, Budget::default()).run_with(&mut io, None);
    let value =
        |i: &cairn_sem::InputRecord| InputValue { name: i.name, ty: i.ty, bits: i.bits, place: i.place };
    Trace { inputs: outcome.inputs.iter().map(value).collect(), births: Vec::new() }
}

struct Case {
    file: PathBuf,
    task: Task,
    confirmed: Confirmed,
    options: Options,
    info: TaskInfo,
    sources: Sources,
}

fn case(file: &Path, property: Property, inputs: &[Given], model: DataModel) -> Case {
    let options = Options::with_model(model);
    let unit = [Input::File(file.to_owned())];
    let program = compiled(&unit, model).program;
    let task = Task::new(program, property.clone(), Default::default()).unwrap();
    let trace = trace(&task, inputs);
    let confirmed = replay(&task, &trace, &Budget::default(), None).expect("the inputs lead to the error");
    let created = time::OffsetDateTime::UNIX_EPOCH;
    let info = TaskInfo::new(&[file], &property, "main", model, created, "0.1.0").unwrap();
    let sources = Sources::load(&unit, &options, None).unwrap();
    Case { file: file.to_owned(), task, confirmed, options, info, sources }
}

/// Does the program with the witness built in fail with these inputs?
fn follows(case: &Case, claim: &Claim, inputs: &[Given]) -> bool {
    let Claim::Violation(segments) = claim else { panic!() };
    let followed = validate::with_segments(&case.sources, segments).expect("the witness fits");
    let program = compiled(&followed.inputs, case.options.cpp.model).program;
    let mut task = Task::new(program, case.task.property.clone(), Default::default()).unwrap();
    assert!(validate::guard_errors(&mut task.program, followed.armed));
    cairn_ir::verify(&task.program).unwrap_or_else(|v| panic!("{}", v[0]));
    let trace = trace(&task, inputs);
    // Overflow is judged by the checks in the program here, which know of the guard.
    let options = cairn_sem::Options {
        inputs: trace.inputs.iter().map(|i| Given::Bits(i.bits)).collect(),
        targets: vec![],
        ..Default::default()
    };
    let mut io = cairn_sem::Captured::default();
    let outcome = Executor::new(&task.program, options, Budget::default()).run_with(&mut io, None);
    matches!(outcome.end, End::ErrorReached(_))
}

fn everything(name: &str, property: Property, inputs: &[Given], other: &[Given], model: DataModel) {
    check(&program(name), property, inputs, other, model);
}

fn check(file: &Path, property: Property, inputs: &[Given], other: &[Given], model: DataModel) {
    let c = case(file, property, inputs, model);
    let name = file.display();
    // gcc says the same.
    let harness = harness_c(&c.task.original, &c.task.property, &c.confirmed.inputs);
    let again = reproduce(
        std::slice::from_ref(&c.file),
        &c.options.cpp,
        &harness,
        &c.task.property,
        "main",
        Duration::from_secs(60),
    );
    assert!(matches!(again.result, Reproduced::Yes(_)), "{name}: {:?}\n{harness}", again);
    assert!(again.commands[0].contains("harness.c"));
    // With other inputs the executor and gcc agree as well.
    let zeroes: Vec<_> =
        c.confirmed.inputs.iter().map(|i| cairn_sem::InputRecord { bits: 0, ..i.clone() }).collect();
    let run = cairn_sem::Options {
        inputs: zeroes.iter().map(|_| Given::Int(0)).collect(),
        targets: vec![],
        ..Default::default()
    };
    let mut io = cairn_sem::Captured::default();
    // Machines that wait for the right inputs would wait for ever.
    let budget = Budget { max_steps: 1_000_000, ..Budget::default() };
    let outcome = Executor::new(&c.task.program, run, budget).run_with(&mut io, None);
    if outcome.inputs.iter().all(|i| i.given) && !matches!(outcome.end, End::Limit(..)) {
        let harness = harness_c(&c.task.original, &c.task.property, &zeroes);
        let files = std::slice::from_ref(&c.file);
        let again =
            reproduce(files, &c.options.cpp, &harness, &c.task.property, "main", Duration::from_secs(60));
        let failed = matches!(outcome.end, End::ErrorReached(_));
        assert_eq!(matches!(again.result, Reproduced::Yes(_)), failed, "{name}: {:?}", again.result);
    }
    // The test case has the same inputs.
    let back = testcase::read(&testcase::testcase(&c.confirmed.inputs, true)).unwrap();
    assert_eq!(back.len(), c.confirmed.inputs.len());
    // The witnesses lead there, and nowhere else.
    let segments =
        evidence::violation(&c.task.original, &c.sources, &c.confirmed.inputs, &c.confirmed.report);
    let w = Witness { task: c.info.clone(), claim: Claim::Violation(segments.clone()) };
    let text = yaml::write(&w).unwrap();
    let read = yaml::read(&text).unwrap();
    assert_eq!(read.task.belongs_to(&c.info), Ok(vec![]));
    assert!(follows(&c, &read.claim, inputs), "{name}\n{text}");
    let text = graphml::write(&c.info, &segments, "main");
    if let Some(dir) = std::env::var_os("CAIRN_GRAPHML_DIR") {
        let to = Path::new(&dir).join(file.file_name().unwrap()).with_extension("graphml");
        std::fs::write(to, &text).unwrap();
    }
    let read = graphml::read(&text).unwrap();
    assert!(follows(&c, &read.claim, inputs), "{name}\n{text}");
    if !other.is_empty() {
        let elsewhere = yaml::read(&yaml::write(&w).unwrap()).unwrap();
        assert!(!follows(&c, &elsewhere.claim, other), "{name}: other inputs follow the witness too");
    }
}

fn ints(values: &[i128]) -> Vec<Given> {
    values.iter().map(|&n| Given::Int(n)).collect()
}

#[test]
fn counting_up() {
    everything("count_up_unsafe.c", Property::default(), &ints(&[7]), &ints(&[9]), DataModel::Lp64);
}

#[test]
fn counting_up_with_32_bits() {
    everything("count_up_unsafe.c", Property::default(), &ints(&[7]), &ints(&[9]), DataModel::Ilp32);
}

#[test]
fn the_style_of_competitions() {
    everything(
        "svcomp_style_unsafe.c",
        Property::default(),
        &ints(&[20, 60]),
        &ints(&[21, 60]),
        DataModel::Lp64,
    );
}

#[test]
fn an_error_function_with_a_body() {
    let reach = Property::UnreachCall { functions: vec!["reach_error".into()], assertions: false };
    everything("error_body_unsafe.c", reach, &ints(&[12345]), &[], DataModel::Lp64);
}

#[test]
fn functions_of_the_library_and_of_the_program_as_targets() {
    let inputs = ints(&[12345]);
    let abort = Property::named("call:abort").unwrap();
    everything("error_body_unsafe.c", abort, &inputs, &[], DataModel::Lp64);
    let body = Property::named("call:__VERIFIER_assert").unwrap();
    everything("svcomp_style_unsafe.c", body, &ints(&[20, 60]), &[], DataModel::Lp64);
}

#[test]
fn assertions() {
    everything("assertion_unsafe.c", Property::default(), &ints(&[i32::MIN.into()]), &[], DataModel::Lp64);
}

#[test]
fn not_a_number() {
    everything("float_guard_unsafe.c", Property::default(), &[Given::Real(f64::NAN)], &[], DataModel::Lp64);
}

#[test]
fn overflow() {
    let inputs = ints(&[2_000_000_000, 2_000_000_001]);
    everything("mid_overflow_unsafe.c", Property::NoOverflow, &inputs, &[], DataModel::Lp64);
}

#[derive(serde::Deserialize)]
struct Expectations {
    cairn: Runs,
}

#[derive(serde::Deserialize)]
struct Runs {
    run: Vec<Run>,
}

#[derive(serde::Deserialize)]
struct Run {
    #[serde(default)]
    inputs: Vec<String>,
}

/// A harness does not know where the object begins that CBMC's primitive fills, nor the type of a record
/// that a function of the program returns by value.
const UNFORCED: [&str; 2] = ["harness_objects_unsafe.c", "nondet_record_unsafe.c"];

/// All programs that are wrong, with the inputs that their expectation files give.
#[test]
fn every_unsafe_program() {
    let mut count = 0;
    let mut failed = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(program("")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for yml in files.iter().filter(|f| f.to_string_lossy().ends_with("_unsafe.yml")) {
        let text = std::fs::read_to_string(yml).unwrap();
        let Expectations { cairn } = serde_saphyr::from_str(&text).unwrap();
        let Some(Run { inputs }) = cairn.run.first() else { panic!("{}", yml.display()) };
        if !text.contains("expect: error}") {
            continue;
        }
        let inputs: Vec<Given> = inputs.iter().map(|v| cairn_witness::value::read(v).unwrap()).collect();
        let file = yml.with_extension("c");
        if UNFORCED.iter().any(|name| file.ends_with(name)) {
            continue;
        }
        // What assembly gives, what the library does (files, names, times), and where objects lie, no
        // harness can choose. The program's own functions it can.
        let of_library = yml.file_name().is_some_and(|n| n.to_string_lossy().starts_with("lib_"));
        let taken = case(&file, Property::default(), &inputs, DataModel::Lp64).confirmed.inputs;
        let chosen = |name: &str| name.contains("nondet") || !name.starts_with('&') && name.ends_with('?');
        let fixed = |name: &str| name == "asm" || name.starts_with('&') || of_library;
        if taken.iter().any(|i| !chosen(&i.name) && fixed(&i.name)) {
            continue;
        }
        let run = || check(&file, Property::default(), &inputs, &[], DataModel::Lp64);
        if std::panic::catch_unwind(run).is_err() {
            failed.push(file.display().to_string());
        }
        count += 1;
    }
    assert!(failed.is_empty(), "not reproduced: {failed:?}");
    assert!(count > 20, "{count}");
}

#[test]
fn division_by_zero_and_every_type_of_input() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("types.c");
    let text = "extern _Bool __VERIFIER_nondet_bool(void); extern char __VERIFIER_nondet_char(void);\n\
                extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
                extern float __VERIFIER_nondet_float(void); extern void *__VERIFIER_nondet_pointer(void);\n\
                extern unsigned short __VERIFIER_nondet_ushort(void); extern int unknown(int, char *);\n\
                int main(void) {\n\
                _Bool b = __VERIFIER_nondet_bool(); char c = __VERIFIER_nondet_char();\n\
                unsigned long long u = __VERIFIER_nondet_ulonglong();\n\
                float f = __VERIFIER_nondet_float(); void *p = __VERIFIER_nondet_pointer();\n\
                unsigned short s = __VERIFIER_nondet_ushort(); int k = unknown(1, 0);\n\
                if (b && c == -3 && u == 0xfedcba9876543210ULL && f == 0.1f && !p && s == 65535 && k == -9)\n\
                return 10 / (k + 9);\n\
                return 0;\n}\n";
    std::fs::write(&file, text).unwrap();
    let mut inputs = ints(&[1, -3, 0xfedc_ba98_7654_3210]);
    inputs.push(Given::Real(0.1));
    // The last but one says that `unknown` changes nothing.
    inputs.extend(ints(&[0, 65535, 0, -9]));
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        check(&file, Property::NoDivisionByZero, &inputs, &[], model);
    }
}

#[test]
fn results_of_no_type_fit() {
    assert_eq!(
        cairn_witness::value::c_type(Ty::Int(cairn_value::IntTy { bits: 3, signed: true }), DataModel::Lp64),
        None
    );
}
