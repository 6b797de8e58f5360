//! Violation witnesses in the GraphML format 1.0: an automaton whose edges name
//! lines of the program. Written and read are paths; other automata are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cairn_base::DataModel;
use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};

use crate::error::WitnessError;
use crate::task::TaskInfo;
use crate::witness::{Choice, Claim, Position, Segment, WaypointKind, Witness};
use crate::xml;

/// The keys that are declared: id, name, type, what they belong to, default.
const KEYS: [(&str, &str, &str, &str, Option<&str>); 18] = [
    ("witness-type", "witness-type", "string", "graph", None),
    ("sourcecodelang", "sourcecodeLanguage", "string", "graph", None),
    ("producer", "producer", "string", "graph", None),
    ("specification", "specification", "string", "graph", None),
    ("programfile", "programFile", "string", "graph", None),
    ("programhash", "programHash", "string", "graph", None),
    ("architecture", "architecture", "string", "graph", None),
    ("creationtime", "creationTime", "string", "graph", None),
    ("entry", "isEntryNode", "boolean", "node", Some("false")),
    ("violation", "isViolationNode", "boolean", "node", Some("false")),
    ("startline", "startline", "int", "edge", None),
    ("endline", "endline", "int", "edge", None),
    ("assumption", "assumption", "string", "edge", None),
    ("assumption.scope", "assumption.scope", "string", "edge", None),
    ("assumption.resultfunction", "assumption.resultfunction", "string", "edge", None),
    ("control", "control", "string", "edge", None),
    ("enterFunction", "enterFunction", "string", "edge", None),
    ("originfile", "originFileName", "string", "edge", None),
];

/// The text of a violation witness. Only what GraphML can say at a line is written: results of
/// calls, decisions, assumptions after a statement, the target.
pub fn write(task: &TaskInfo, segments: &[Segment], entry: &str) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    let main = task.files.first().map_or("", |(f, _)| f.as_str());
    for (id, name, ty, of, default) in KEYS {
        let _ = write!(out, " <key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\" id=\"{id}\"");
        let default = if id == "originfile" { Some(main) } else { default };
        match default {
            Some(d) => {
                let _ = writeln!(out, ">\n  <default>{}</default>\n </key>", escape(d));
            }
            None => out.push_str("/>\n"),
        }
    }
    out.push_str(" <graph edgedefault=\"directed\">\n");
    let producer = format!("{} {}", task.producer, task.version);
    let hash = task.files.first().and_then(|(_, h)| h.as_deref()).unwrap_or("");
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &task.specification),
        ("programfile", main),
        ("programhash", hash),
        ("architecture", task.architecture()),
        ("creationtime", &task.creation_time),
    ] {
        data(&mut out, 2, key, value);
    }
    let steps: Vec<&Segment> = segments.iter().collect();
    for n in 0..=steps.len() + 1 {
        let flag = match n {
            0 => Some("entry"),
            _ if n == steps.len() + 1 => Some("violation"),
            _ => None,
        };
        match flag {
            Some(key) => {
                let _ = writeln!(out, "  <node id=\"N{n}\">");
                data(&mut out, 3, key, "true");
                out.push_str("  </node>\n");
            }
            None => {
                let _ = writeln!(out, "  <node id=\"N{n}\"/>");
            }
        }
        if n == 0 {
            continue;
        }
        let _ = writeln!(out, "  <edge source=\"N{}\" target=\"N{n}\">", n - 1);
        if n == 1 {
            data(&mut out, 3, "enterFunction", entry);
        } else {
            edge(&mut out, steps[n - 2], main);
        }
        out.push_str("  </edge>\n");
    }
    out.push_str(" </graph>\n</graphml>\n");
    out
}

fn edge(out: &mut String, segment: &Segment, main: &str) {
    let w = &segment.follow;
    if w.at.file != main && !w.at.file.is_empty() {
        data(out, 3, "originfile", &w.at.file);
    }
    data(out, 3, "startline", &w.at.line.to_string());
    data(out, 3, "endline", &w.at.line.to_string());
    let scope = w.at.function.as_deref();
    match &w.kind {
        WaypointKind::FunctionReturn { constraint: Some(c), function: Some(f) } => {
            data(out, 3, "assumption", &format!("{c};"));
            if let Some(scope) = scope {
                data(out, 3, "assumption.scope", scope);
            }
            data(out, 3, "assumption.resultfunction", f);
        }
        WaypointKind::AssumptionAfter(parts) => {
            data(out, 3, "assumption", &format!("{};", parts.join("; ")));
            if let Some(scope) = scope {
                data(out, 3, "assumption.scope", scope);
            }
        }
        WaypointKind::Branching(Choice::True) => data(out, 3, "control", "condition-true"),
        WaypointKind::Branching(Choice::False) => data(out, 3, "control", "condition-false"),
        _ => {}
    }
}

fn data(out: &mut String, indent: usize, key: &str, value: &str) {
    let _ = writeln!(out, "{:indent$}<data key=\"{key}\">{}</data>", "", escape(value));
}

#[derive(Default)]
struct Node {
    entry: bool,
    sink: bool,
    violation: bool,
}

struct Edge {
    source: String,
    target: String,
    line: u64,
    data: BTreeMap<String, String>,
}

#[derive(Default)]
struct Graph {
    data: BTreeMap<String, String>,
    nodes: BTreeMap<String, Node>,
    edges: Vec<Edge>,
    /// The name of the file that edges without one mean.
    origin: Option<String>,
}

/// Reads a violation witness whose automaton is a path.
pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let graph = parse(text)?;
    match graph.data.get("witness-type").map(|t| t.trim()) {
        Some("violation_witness") => {}
        Some(other) => {
            return Err(WitnessError::Unsupported(format!("a GraphML witness of type '{other}'")));
        }
        None => return Err(WitnessError::malformed("not a GraphML witness: it has no witness-type")),
    }
    let get = |key: &str| graph.data.get(key).map(|s| s.trim().to_owned());
    let task = TaskInfo {
        files: get("programfile")
            .map(|f| (f, get("programhash").filter(|h| h.len() == 64)))
            .into_iter()
            .collect(),
        specification: get("specification").unwrap_or_default(),
        model: match get("architecture").as_deref() {
            Some("32bit") => Some(DataModel::Ilp32),
            Some("64bit") => Some(DataModel::Lp64),
            _ => None,
        },
        creation_time: get("creationtime").unwrap_or_default(),
        producer: get("producer").unwrap_or_default(),
        version: String::new(),
    };
    let segments = path(&graph)?;
    Ok(Witness { task, claim: Claim::Violation(segments) })
}

fn parse(text: &str) -> Result<Graph, WitnessError> {
    let mut reader = Reader::from_str(text);
    let mut graph = Graph::default();
    let mut stack: Vec<Vec<u8>> = Vec::new();
    // What the data element at hand belongs to, its key and text so far.
    let mut open: Option<(String, String)> = None;
    let mut key_id: Option<String> = None;
    let mut node: Option<String> = None;
    let mut seen = false;
    loop {
        let line = |r: &Reader<&[u8]>| xml::line_at(text, r.buffer_position());
        let event = reader
            .read_event()
            .map_err(|e| WitnessError::at_line(line(&reader), format!("not a GraphML witness: {e}")))?;
        let here = line(&reader);
        let need = |e: &BytesStart<'_>, name: &str| {
            attribute(e, name).ok_or_else(|| {
                let tag = String::from_utf8_lossy(e.name().as_ref()).into_owned();
                WitnessError::at_line(here, format!("<{tag}> without '{name}'"))
            })
        };
        let (start, empty) = match event {
            Event::Start(e) => (Some(e), false),
            Event::Empty(e) => (Some(e), true),
            Event::End(_) => {
                let tag = stack.pop().unwrap_or_default();
                let parent = stack.last().map(Vec::as_slice);
                match tag.as_slice() {
                    b"data" => {
                        if let Some((key, value)) = open.take() {
                            match parent {
                                Some(b"graph") => drop(graph.data.insert(key, value)),
                                Some(b"node") => {
                                    let flag = value.trim() == "true";
                                    if let Some(n) = node.as_ref().and_then(|id| graph.nodes.get_mut(id)) {
                                        match key.as_str() {
                                            "entry" => n.entry = flag,
                                            "sink" => n.sink = flag,
                                            "violation" => n.violation = flag,
                                            _ => {}
                                        }
                                    }
                                }
                                Some(b"edge") => {
                                    if let Some(e) = graph.edges.last_mut() {
                                        e.data.insert(key, value);
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                    b"default" => {
                        if let Some((_, value)) = open.take()
                            && key_id.as_deref() == Some("originfile")
                        {
                            graph.origin = Some(value.trim().to_owned());
                        }
                    }
                    b"key" => key_id = None,
                    b"node" => node = None,
                    _ => {}
                }
                (None, false)
            }
            Event::Eof => break,
            other => {
                if let (Some((_, value)), Some(piece)) = (&mut open, xml::text_of(&other)) {
                    value.push_str(&piece);
                }
                (None, false)
            }
        };
        let Some(e) = start else { continue };
        if stack.is_empty() {
            if e.name().as_ref() != b"graphml" || seen {
                return Err(WitnessError::at_line(here, "not a GraphML witness: the root is not <graphml>"));
            }
            seen = true;
        }
        match e.name().as_ref() {
            b"node" => {
                let id = need(&e, "id")?;
                graph.nodes.entry(id.clone()).or_default();
                node = (!empty).then_some(id);
            }
            b"edge" => {
                let (source, target) = (need(&e, "source")?, need(&e, "target")?);
                graph.edges.push(Edge { source, target, line: here, data: BTreeMap::new() });
            }
            b"key" => key_id = attribute(&e, "id"),
            b"data" if !empty => open = Some((need(&e, "key")?, String::new())),
            b"default" if !empty => open = Some((String::new(), String::new())),
            _ => {}
        }
        if !empty {
            stack.push(e.name().as_ref().to_vec());
        }
    }
    if !seen || !stack.is_empty() {
        return Err(WitnessError::malformed("not a GraphML witness: there is no complete <graphml>"));
    }
    Ok(graph)
}

fn attribute(e: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = e.try_get_attribute(name).ok()??;
    Some(found.unescape_value().ok()?.into_owned())
}

fn path(graph: &Graph) -> Result<Vec<Segment>, WitnessError> {
    let unsupported = |m: String| WitnessError::Unsupported(format!("unsupported witness automaton: {m}"));
    let mut entries = graph.nodes.iter().filter(|(_, n)| n.entry).map(|(id, _)| id);
    let (Some(entry), None) = (entries.next(), entries.next()) else {
        return Err(WitnessError::malformed("the automaton does not have exactly one entry"));
    };
    let mut out: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    for e in &graph.edges {
        let Some(target) = graph.nodes.get(&e.target) else {
            return Err(WitnessError::at_line(e.line, format!("there is no node '{}'", e.target)));
        };
        // Staying where one is, or going where nothing is violated, is no step.
        if !target.sink && e.source != e.target {
            out.entry(&e.source).or_default().push(e);
        }
    }
    let mut segments = Vec::new();
    let mut visited = BTreeSet::new();
    let mut at = entry.as_str();
    loop {
        if !visited.insert(at) {
            return Err(unsupported("it has a loop".into()));
        }
        if graph.nodes.get(at).is_some_and(|n| n.violation) {
            break;
        }
        match out.get(at).map(Vec::as_slice) {
            Some([edge]) => {
                let last = graph.nodes.get(&edge.target).is_some_and(|n| n.violation);
                step(graph, edge, last, &mut segments)?;
                at = &edge.target;
            }
            Some(_) => return Err(unsupported(format!("it branches at node {at}"))),
            None => return Err(unsupported("no violation can be reached in it".into())),
        }
    }
    if !matches!(segments.last(), Some(Segment { follow, .. }) if follow.kind == WaypointKind::Target) {
        segments.push(Segment::follow(WaypointKind::Target, Position::default()));
    }
    Ok(segments)
}

/// What an edge asks for. The last edge leads to the violation: its place is not asked for, since
/// tools differ in whether it is the call of the error or the way into it.
fn step(graph: &Graph, edge: &Edge, last: bool, out: &mut Vec<Segment>) -> Result<(), WitnessError> {
    let get = |key: &str| edge.data.get(key).map(|s| s.trim());
    let line = match get("startline").map(str::parse::<u32>) {
        None => return Ok(()),
        Some(Ok(line)) => line,
        Some(Err(_)) => return Err(WitnessError::at_line(edge.line, "an edge with a bad startline")),
    };
    let file = get("originfile").map(str::to_owned).or_else(|| graph.origin.clone());
    let file =
        file.or_else(|| graph.data.get("programfile").map(|f| f.trim().to_owned())).unwrap_or_default();
    let at = Position { file, line, column: None, function: get("assumption.scope").map(str::to_owned) };
    match get("control") {
        Some("condition-true") => {
            out.push(Segment::follow(WaypointKind::Branching(Choice::True), at.clone()))
        }
        Some("condition-false") => {
            out.push(Segment::follow(WaypointKind::Branching(Choice::False), at.clone()))
        }
        Some(other) => return Err(WitnessError::at_line(edge.line, format!("an unknown control '{other}'"))),
        None => {}
    }
    if let Some(text) = get("assumption") {
        let parts: Vec<&str> = text.split(';').map(str::trim).filter(|p| !p.is_empty()).collect();
        let kind = match (get("assumption.resultfunction"), parts.as_slice()) {
            (_, []) => return Ok(()),
            (Some(f), parts) => {
                let all = match parts {
                    [one] => (*one).to_owned(),
                    _ => parts.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" && "),
                };
                WaypointKind::FunctionReturn { constraint: Some(all), function: Some(f.to_owned()) }
            }
            (None, _) if text.contains("\\result") => {
                return Err(WitnessError::at_line(
                    edge.line,
                    "an assumption about the result of no function",
                ));
            }
            (None, parts) => WaypointKind::AssumptionAfter(parts.iter().map(|p| (*p).to_owned()).collect()),
        };
        if !last || matches!(kind, WaypointKind::FunctionReturn { .. }) {
            out.push(Segment::follow(kind, at));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::sample;

    fn segments() -> Vec<Segment> {
        let at =
            |line| Position { file: "dir/a.c".into(), line, column: None, function: Some("main".into()) };
        let result = WaypointKind::FunctionReturn {
            constraint: Some("\\result == 5 && 1 < 2".into()),
            function: Some("__VERIFIER_nondet_int".into()),
        };
        vec![
            Segment::follow(result, at(5)),
            Segment::follow(WaypointKind::AssumptionAfter(vec!["x == 5".into(), "y == 6".into()]), at(6)),
            Segment::follow(WaypointKind::Branching(Choice::False), Position { function: None, ..at(7) }),
            Segment::follow(WaypointKind::Target, at(8)),
        ]
    }

    #[test]
    fn written_and_read() {
        let text = write(&sample(), &segments(), "main");
        let back = read(&text).unwrap();
        let mut expected = segments();
        expected[3].follow.at = Position::default();
        assert_eq!(back.claim, Claim::Violation(expected), "{text}");
        assert_eq!(back.task.files, sample().files);
        assert_eq!(back.task.specification, sample().specification);
    }

    #[test]
    fn other_automata_are_refused() {
        let text = write(&sample(), &segments(), "main");
        let looped = text.replace("source=\"N1\" target=\"N2\"", "source=\"N1\" target=\"N0\"");
        assert!(read(&looped).unwrap_err().to_string().contains("it has a loop"));
        let branching = text.replace("source=\"N2\" target=\"N3\"", "source=\"N1\" target=\"N3\"");
        assert!(read(&branching).unwrap_err().to_string().contains("branches at node N1"));
        let gone = text.replace("target=\"N3\"", "target=\"X\"");
        assert!(read(&gone).unwrap_err().to_string().contains("there is no node 'X'"));
        for bad in ["", "<graphml/>", "<a/>", "<graphml><graph></graphml>", "<graphml><node/></graphml>"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
