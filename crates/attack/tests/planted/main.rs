//! What the attack finds: wrong readings of single operations and models of the
//! library are planted on the symbolic side only, so that engine and checker agree
//! on a proof that is wrong. The attack has to contradict it.

mod faults;
mod misread;

use std::time::Duration;

use cairn_attack::{Effort, attack_reading};
use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_core::{Cx, Engine, Facts, Proof, Property, Task, Verdict, Workshop};
use cairn_engines::bmc::Bmc;
use faults::{FAULTS, Planted};
use misread::misread;

const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern double __VERIFIER_nondet_double(void);\n\
    extern unsigned long strlen(const char *); extern int strcmp(const char *, const char *);\n\
    extern int strncmp(const char *, const char *, unsigned long);\n\
    extern int memcmp(const void *, const void *, unsigned long); extern int abs(int); extern int atoi(const char *);\n\
    extern void *memchr(const void *, int, unsigned long);\n\
    extern int isalpha(int); extern int isdigit(int); extern int toupper(int);\n\
    static int in(void) { return __VERIFIER_nondet_int(); }\n\
    static double ind(void) { return __VERIFIER_nondet_double(); }\n\
    static int minus(int a, int b) { return a - b; }\n\
    static void check(int c) { if (!c) reach_error(); }\n";

fn task(body: &str) -> Task {
    let text = format!("{PRELUDE}int main(void) {{ {body} return 0; }}\n");
    let input = Input::Text { name: "planted.c".into(), text: text.clone() };
    let program = match compile(&[input], &Options::with_model(DataModel::Lp64), None) {
        Ok(c) => c.program,
        Err(r) => panic!("{}\n{text}", r.diagnostics.first().map_or("", |d| d.message.as_str())),
    };
    Task::new(program, Property::default(), cairn_core::Options::default()).expect("a task")
}

fn budget() -> Budget {
    Budget::default().with_time(Duration::from_secs(60))
}

/// What bounded model checking says of a task, and the checker of its proof.
fn decide(task: &Task) -> Result<Proof, String> {
    let mut engine = Bmc { unwind: None };
    let events = |_| {};
    let mut cx = Cx {
        budget: budget(),
        whole: budget(),
        solver: &cairn_smt::standard,
        events: &events,
        facts: Facts::default(),
        workshop: None,
    };
    match engine.run(task, &mut cx) {
        Verdict::Safe(proof) => {
            let workshop = cx.workshop.take().unwrap_or_else(|| Workshop::new(cairn_smt::standard()));
            match cairn_checker::check_in(workshop, &task.program, task.entry, &proof, &budget()) {
                Ok(_) => Ok(proof),
                Err(_) => Err("the checker refuses the proof".into()),
            }
        }
        Verdict::Unsafe(_) => Err("an error is found".into()),
        Verdict::Unknown(why) => Err(why.detail),
    }
}

/// What the attack says if a fault is planted.
fn plant(planted: &Planted) -> Result<Option<String>, String> {
    let task = task(planted.body);
    let read = misread(&task.program, planted.fault);
    let proof = decide(&task.about(read.clone()))?;
    let attack = attack_reading(&task, &read, &proof, &Effort::default(), &budget());
    Ok(attack.contradiction.map(|c| c.what))
}

#[test]
fn planted_faults_are_found() {
    let (mut wrong, mut found, mut missed) = (0, 0, Vec::new());
    for planted in FAULTS {
        match plant(planted) {
            Ok(Some(what)) => {
                wrong += 1;
                found += 1;
                println!("found   {}: {what}", planted.name);
            }
            Ok(None) => {
                wrong += 1;
                missed.push(planted.name);
                println!("missed  {}", planted.name);
            }
            Err(why) => println!("no TRUE {}: {why}", planted.name),
        }
    }
    println!("{found} of {wrong} wrong proofs are contradicted; missed: {missed:?}");
    assert!(wrong >= 40, "only {wrong} faults lead to a wrong proof");
    assert!(found * 40 >= wrong * 38, "only {found} of {wrong} are found; missed: {missed:?}");
}

#[test]
fn right_readings_are_not_contradicted() {
    for planted in FAULTS {
        let task = task(planted.body);
        // The checks can fail, so that there is no proof.
        assert!(decide(&task).is_err(), "{}: the check holds even without the fault", planted.name);
        // What the symbolic reading says is nevertheless what happens, up to the failure.
        let proof = Proof {
            exprs: task.program.exprs.clone(),
            loops: Default::default(),
            recursion: Default::default(),
            contracts: Default::default(),
            cuts: Default::default(),
            sole: None,
        };
        let attack = attack_reading(&task, &task.program, &proof, &Effort::default(), &budget());
        if let Some(found) = attack.contradiction {
            assert!(found.what.contains("no execution fails"), "{}: {}", planted.name, found.what);
        }
    }
}
