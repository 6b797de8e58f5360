//! No text makes a reader panic: truncated and damaged witnesses and test cases.

use cairn_witness::witness::{Choice, Invariant, Position, Segment, WaypointKind};
use cairn_witness::{Claim, TaskInfo, Witness, graphml, testcase, yaml};
use oorandom::Rand32;

fn samples() -> Vec<String> {
    let task = TaskInfo {
        files: vec![("a.c".into(), Some("00".repeat(32)))],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
        model: None,
        creation_time: "2000-01-01T00:00:00Z".into(),
        producer: "Cairn".into(),
        version: "1".into(),
    };
    let at = Position { file: "a.c".into(), line: 3, column: Some(4), function: Some("f".into()) };
    let result = WaypointKind::FunctionReturn {
        constraint: Some("\\result == 3".into()),
        function: Some("__VERIFIER_nondet_int".into()),
    };
    let segments = vec![
        Segment::follow(result, at.clone()),
        Segment::follow(WaypointKind::Branching(Choice::True), at.clone()),
        Segment::follow(WaypointKind::Target, at.clone()),
    ];
    let graph = graphml::write(&task, &segments, "main");
    let violation = Witness { task: task.clone(), claim: Claim::Violation(segments) };
    let invariants = vec![Invariant { at, is_loop: true, value: "x <= 3".into() }];
    let correct = Witness { task, claim: Claim::Correctness(invariants) };
    let test = "<?xml version=\"1.0\"?>\n<testcase>\n<input type=\"int\">&#53;&lt;</input></testcase>\n";
    vec![yaml::write(&violation).unwrap(), yaml::write(&correct).unwrap(), graph, test.into()]
}

fn read_all(text: &str) {
    let _ = cairn_witness::read(text);
    let _ = yaml::read(text);
    let _ = graphml::read(text);
    let _ = testcase::read(text);
}

#[test]
fn truncations() {
    for text in samples() {
        for end in (0..text.len()).filter(|&n| text.is_char_boundary(n)) {
            if end % 7 == 0 || end + 100 > text.len() {
                read_all(&text[..end]);
            }
        }
    }
}

#[test]
fn damage() {
    let mut random = Rand32::new(7);
    for text in samples() {
        for _ in 0..400 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.rand_range(0..4) {
                let at = random.rand_range(0..bytes.len() as u32) as usize;
                match random.rand_range(0..3) {
                    0 => bytes[at] ^= 1 << random.rand_range(0..7),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"<>&\"':-{}[]\n #!|0"[random.rand_range(0..17) as usize]),
                }
            }
            read_all(&String::from_utf8_lossy(&bytes));
        }
    }
}
