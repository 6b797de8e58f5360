//! Test cases in the exchange format of Test-Comp: a `metadata.xml` for the
//! suite and a `testcase-N.xml` with the input values in order.

use cairn_sem::spelled::Spelled;
use cairn_sem::{Given, InputRecord};
use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::Event;

use crate::error::WitnessError;
use crate::task::TaskInfo;
use crate::value;
use crate::xml;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// The text of `metadata.xml`.
pub fn metadata(task: &TaskInfo, entry: &str) -> String {
    let (file, hash) = task.files.first().map_or(("", ""), |(f, h)| (f, h.as_deref().unwrap_or("")));
    let fields = [
        ("sourcecodelang", "C"),
        ("producer", &format!("{} {}", task.producer, task.version)),
        ("specification", &task.specification),
        ("programfile", file),
        ("programhash", hash),
        ("entryfunction", entry),
        ("architecture", task.architecture()),
        ("creationtime", &task.creation_time),
    ];
    let mut out = String::from(HEAD);
    out.push_str(
        "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.0//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.0.dtd\">\n<test-metadata>\n",
    );
    for (key, text) in fields {
        out.push_str(&format!("  <{key}>{}</{key}>\n", escape(text)));
    }
    out.push_str("</test-metadata>\n");
    out
}

/// The text of a test case. Values that no call asks for (of variables read before they are
/// assigned, addresses of objects) are left out.
pub fn testcase(inputs: &[InputRecord], covers_error: bool) -> String {
    let calls: Vec<InputRecord> = inputs.iter().filter(|i| is_call(i)).cloned().collect();
    complete(&calls, &[], covers_error)
}

/// The types of inputs that no call reads, as they are written.
const ADDRESS: &str = "address";
const UNASSIGNED: &str = "unassigned";
const MEMORY: &str = "memory";

/// The text of a test case with all that an execution depends on. What no call asks for comes behind the
/// rest, so that others, who read values one after another, do not come to it.
pub fn complete(inputs: &[InputRecord], memory: &[Spelled], covers_error: bool) -> String {
    let mut out = String::from(HEAD);
    out.push_str(
        "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.0//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.0.dtd\">\n",
    );
    out.push_str(if covers_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
    for i in inputs.iter().filter(|i| is_call(i)) {
        let ty = i.name.strip_prefix("__VERIFIER_nondet_").unwrap_or(i.name.as_str());
        out.push_str(&format!("  <input type=\"{}\">{}</input>\n", escape(ty), value::text(i.ty, i.bits)));
    }
    let mut variable = |name: &str, ty: &str, value: &str| {
        let name = escape(name);
        out.push_str(&format!("  <input variable=\"{name}\" type=\"{ty}\">{value}</input>\n"));
    };
    for i in inputs.iter().filter(|i| !is_call(i)) {
        let ty = if is_address(&i.name) { ADDRESS } else { UNASSIGNED };
        variable(i.name.trim_end_matches('?'), ty, &value::text(i.ty, i.bits));
    }
    memory.iter().for_each(|m| variable(&m.name, MEMORY, &m.hex()));
    out.push_str("</testcase>\n");
    out
}

/// Is the input the result of a call (rather than an indeterminate variable)?
pub fn is_call(input: &InputRecord) -> bool {
    !input.name.ends_with('?')
}

/// Is that the name of an input that says where an object lies?
pub fn is_address(name: &str) -> bool {
    name.starts_with('&')
}

/// All that a test case says.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TestValues {
    /// What calls read, in order.
    pub calls: Vec<Given>,
    /// Values that no call reads, by name, in order: of variables, and addresses of objects (`&x`).
    pub variables: Vec<(String, Given)>,
    /// What memory held that nobody had written.
    pub memory: Vec<Spelled>,
}

impl TestValues {
    /// No more than what calls read.
    pub fn of(calls: &[Given]) -> TestValues {
        TestValues { calls: calls.to_vec(), ..TestValues::default() }
    }

    /// Does it say where objects lie?
    pub fn has_addresses(&self) -> bool {
        self.variables.iter().any(|(name, _)| is_address(name))
    }
}

/// Where an object lies if nobody says it: apart from all others.
fn somewhere(number: usize) -> Given {
    Given::Bits(0x4000_0000 + 0x2_0000 * number as u128)
}

/// Tries to give every value to the call that it is for.
const TRIES: usize = 100;

/// The values of all inputs, where those of the calls are known: variables that may be read before
/// they are assigned, which nobody but Cairn counts among the inputs, are zero unless the test case has a
/// value, and objects lie apart. `run` says which inputs the program takes on given values.
pub fn aligned(test: &TestValues, mut run: impl FnMut(&[Given]) -> Vec<InputRecord>) -> Vec<Given> {
    let mut values = test.calls.clone();
    for _ in 0..TRIES {
        let mut rest = test.calls.iter();
        let mut stated = test.variables.iter().collect::<Vec<_>>();
        let mut next = Vec::with_capacity(values.len());
        for input in &run(&values) {
            match is_call(input) {
                false => {
                    let name = input.name.trim_end_matches('?');
                    let value = match stated.iter().position(|(n, _)| n == name) {
                        Some(at) => stated.remove(at).1,
                        None if is_address(name) => somewhere(next.len()),
                        None => Given::Bits(0),
                    };
                    next.push(value);
                }
                true => match rest.next() {
                    Some(value) => next.push(*value),
                    None => break,
                },
            }
        }
        next.extend(rest);
        // No number equals NaN: the text does.
        if format!("{next:?}") == format!("{values:?}") {
            break;
        }
        values = next;
    }
    values
}

/// Reads the values of a test case that calls read.
pub fn read(text: &str) -> Result<Vec<Given>, WitnessError> {
    read_all(text).map(|test| test.calls)
}

/// Reads a test case.
pub fn read_all(text: &str) -> Result<TestValues, WitnessError> {
    let mut reader = Reader::from_str(text);
    let fail = |reader: &Reader<&[u8]>, m: String| {
        WitnessError::at_line(xml::line_at(text, reader.buffer_position()), m)
    };
    let mut test = TestValues::default();
    let (mut inside, mut seen) = (None::<String>, false);
    let (mut name, mut ty) = (String::new(), String::new());
    let mut depth = 0usize;
    loop {
        let event = reader.read_event().map_err(|e| fail(&reader, format!("not a test case: {e}")))?;
        match event {
            Event::Start(e) => {
                depth += 1;
                match e.name().as_ref() {
                    b"testcase" if depth == 1 => seen = true,
                    b"input" if depth == 2 && seen => {
                        inside = Some(String::new());
                        let attribute = |key: &str| {
                            let found = e.try_get_attribute(key).ok().flatten();
                            found
                                .and_then(|a| Some(a.unescape_value().ok()?.into_owned()))
                                .unwrap_or_default()
                        };
                        (name, ty) = (attribute("variable"), attribute("type"));
                    }
                    _ if depth == 1 => {
                        return Err(fail(&reader, "not a test case: the root is not <testcase>".into()));
                    }
                    _ => {}
                }
            }
            Event::Empty(e) => match e.name().as_ref() {
                b"testcase" if depth == 0 => seen = true,
                b"input" if depth == 1 => return Err(fail(&reader, "an input without a value".into())),
                _ => {}
            },
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if let Some(word) = inside.take_if(|_| depth == 1) {
                    let bad = || fail(&reader, format!("not a value: '{}'", word.trim()));
                    if ty == MEMORY && !name.is_empty() {
                        test.memory.push(Spelled::new(&name, &word).ok_or_else(bad)?);
                        continue;
                    }
                    let given = value::read(&word).ok_or_else(bad)?;
                    match ty.as_str() {
                        ADDRESS | UNASSIGNED if !name.is_empty() => {
                            test.variables.push((std::mem::take(&mut name), given))
                        }
                        _ => test.calls.push(given),
                    }
                }
            }
            Event::Eof => break,
            other => {
                if let (Some(word), Some(piece)) = (&mut inside, xml::text_of(&other)) {
                    word.push_str(&piece);
                }
            }
        }
    }
    if !seen || depth != 0 {
        return Err(WitnessError::malformed("not a test case: there is no complete <testcase>"));
    }
    Ok(test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_base::{Place, sym};
    use cairn_value::{FloatTy, IntTy, Ty};

    fn record(name: &str, ty: Ty, bits: u128) -> InputRecord {
        InputRecord { name: sym(name), ty, bits, place: Place::NONE, given: true }
    }

    #[test]
    fn written_and_read() {
        let inputs = [
            record("__VERIFIER_nondet_int", Ty::I32, 0xffff_fffb),
            record("x?", Ty::I32, 3),
            record("__VERIFIER_nondet_double", Ty::Float(FloatTy::F64), 0.1f64.to_bits().into()),
            record("__VERIFIER_nondet_u<", Ty::Int(IntTy::U64), u64::MAX.into()),
        ];
        let text = testcase(&inputs, true);
        assert_eq!(
            read(&text).unwrap(),
            [Given::Int(-5), Given::Real(0.1), Given::Int(u64::MAX.into())],
            "{text}"
        );
        assert!(text.contains("<input type=\"int\">-5</input>"));
        let memory = [Spelled { name: "b@a.c:1:2/0+4".into(), bytes: vec![7, 0] }];
        let all = complete(&[inputs[0].clone(), inputs[1].clone(), record("&y?", Ty::I32, 9)], &memory, true);
        let test = read_all(&all).unwrap();
        assert_eq!(test.calls, [Given::Int(-5)]);
        assert_eq!(test.variables, [("x".into(), Given::Int(3)), ("&y".into(), Given::Int(9))]);
        assert_eq!(test.memory, memory);
        let metadata = metadata(&crate::task::sample(), "main");
        assert!(metadata.contains("<entryfunction>main</entryfunction>"));
        assert!(metadata.contains("DTD test-format test-metadata 1.0//EN"));
    }

    #[test]
    fn bad_test_cases_have_a_line() {
        let bad = "<testcase>\n<input>5</input>\n<input>five</input>\n</testcase>";
        assert_eq!(read(bad).unwrap_err().to_string(), "line 3: not a value: 'five'");
        for bad in ["", "x", "<a></a>", "<testcase>", "<testcase><input/></testcase>", "<testcase></x>"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert_eq!(read("<testcase/>"), Ok(vec![]));
    }
}
