//! Test cases in the exchange format of Test-Comp: a `metadata.xml` for the
//! suite and a `testcase-N.xml` with the input values in order.

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
/// assigned) are left out.
pub fn testcase(inputs: &[InputRecord], covers_error: bool) -> String {
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
    out.push_str("</testcase>\n");
    out
}

/// Is the input the result of a call (rather than an indeterminate variable)?
pub fn is_call(input: &InputRecord) -> bool {
    !input.name.ends_with('?')
}

/// Tries to give every value to the call that it is for.
const TRIES: usize = 100;

/// The values of all inputs, where those of the calls are known: variables that may be read before
/// they are assigned, which nobody but Cairn counts among the inputs, are zero. `run` says which
/// inputs the program takes on given values.
pub fn aligned(calls: &[Given], mut run: impl FnMut(&[Given]) -> Vec<InputRecord>) -> Vec<Given> {
    let mut values = calls.to_vec();
    for _ in 0..TRIES {
        let mut rest = calls.iter();
        let mut next = Vec::with_capacity(values.len());
        for input in &run(&values) {
            match is_call(input) {
                false => next.push(Given::Bits(0)),
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

/// Reads the input values of a test case.
pub fn read(text: &str) -> Result<Vec<Given>, WitnessError> {
    let mut reader = Reader::from_str(text);
    let fail = |reader: &Reader<&[u8]>, m: String| {
        WitnessError::at_line(xml::line_at(text, reader.buffer_position()), m)
    };
    let mut values = Vec::new();
    let (mut inside, mut seen) = (None::<String>, false);
    let mut depth = 0usize;
    loop {
        let event = reader.read_event().map_err(|e| fail(&reader, format!("not a test case: {e}")))?;
        match event {
            Event::Start(e) => {
                depth += 1;
                match e.name().as_ref() {
                    b"testcase" if depth == 1 => seen = true,
                    b"input" if depth == 2 && seen => inside = Some(String::new()),
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
                    let given = value::read(&word);
                    values
                        .push(given.ok_or_else(|| fail(&reader, format!("not a value: '{}'", word.trim())))?);
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
    Ok(values)
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
