//! What uninitialised memory held, as text: for test cases and command lines.
//!
//! `x@prog.c:12:9/0+4` is byte 4 of the object `x` that is declared there, when it comes to
//! life for the first time (`/1` is the second); `memory` stands for what was allocated
//! there. Objects with one text are told apart by `~1`, `~2`, … Bytes are written in hexadecimal: `0a:ff:00`.

use std::collections::BTreeMap;

use cairn_base::Place;
use cairn_ir::{Op, Program};

use crate::births::{Birth, Site};

/// Bytes of an object that comes to life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelled {
    /// The object and the offset of the first byte.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Spelled {
    /// Reads a name and bytes; `None` if they are not of this kind.
    pub fn new(name: &str, bytes: &str) -> Option<Spelled> {
        let (object, offset) = name.rsplit_once('+')?;
        object.contains('@').then_some(())?;
        offset.parse::<u64>().ok()?;
        let byte = |pair: &str| u8::from_str_radix(pair, 16).ok().filter(|_| pair.len() == 2);
        let bytes = bytes.trim().split(':').map(byte).collect::<Option<Vec<u8>>>()?;
        Some(Spelled { name: name.to_owned(), bytes })
    }

    /// The bytes in hexadecimal.
    pub fn hex(&self) -> String {
        let pairs: Vec<String> = self.bytes.iter().map(|b| format!("{b:02x}")).collect();
        pairs.join(":")
    }
}

/// The text of what is said of objects that come to life.
pub fn spell(program: &Program, births: &[Birth]) -> Vec<Spelled> {
    let mut all: Vec<Spelled> = Vec::new();
    for birth in births {
        let site = name(program, birth.site);
        let mut next = None;
        for (&at, &byte) in &birth.bytes {
            match all.last_mut().filter(|_| next == Some(at)) {
                Some(run) => run.bytes.push(byte),
                None => all.push(Spelled { name: format!("{site}+{at}"), bytes: vec![byte] }),
            }
            next = at.checked_add(1);
        }
    }
    all
}

/// What is said of objects of this program. `Err` says which object is not there.
pub fn births(program: &Program, all: &[Spelled]) -> Result<Vec<Birth>, String> {
    let mut found: Vec<Birth> = Vec::new();
    for spelled in all {
        let missing = || format!("`{}` is no object of this program", spelled.name);
        let (object, offset) = spelled.name.rsplit_once('+').ok_or_else(missing)?;
        let offset: u64 = offset.parse().map_err(|_| missing())?;
        let site = site(program, object).ok_or_else(missing)?;
        let at = found.iter().position(|b| b.site == site).unwrap_or_else(|| {
            found.push(Birth { site, bytes: BTreeMap::new() });
            found.len() - 1
        });
        let places = (0..).map(|n: u64| offset.wrapping_add(n));
        found[at].bytes.extend(places.zip(spelled.bytes.iter().copied()));
    }
    Ok(found)
}

/// Where objects come to life, with the counts left out, in the order of the program.
fn sites(program: &Program) -> impl Iterator<Item = (Site, String)> {
    let label = |name: &str, place: Place| {
        let file = program.files.get(place.file).map_or("", |f| f.rsplit('/').next().unwrap_or(f));
        let plain = |c: char| !matches!(c, ',' | '=' | '#' | '/' | '+' | '@' | '~' | '\'');
        let clean = |text: &str| text.chars().filter(|&c| plain(c)).collect::<String>();
        format!("{}@{}:{}:{}", clean(name), clean(file), place.line, place.col)
    };
    let statics = program.objects.iter().map(move |(o, x)| (Site::Static(o), label(&x.name, x.place)));
    let born = program.edges.iter().filter_map(move |(e, edge)| {
        let name = match edge.op {
            Op::Begin { obj } => program.objects[obj].name.as_str(),
            Op::Alloc { .. } => "memory",
            _ => return None,
        };
        Some((Site::Edge(e, 0), label(name, edge.place)))
    });
    statics.chain(born)
}

fn name(program: &Program, site: Site) -> String {
    let (plain, count) = match site {
        Site::Static(_) => (site, String::new()),
        Site::Edge(e, n) => (Site::Edge(e, 0), format!("/{n}")),
    };
    let label = sites(program).find(|s| s.0 == plain).map_or_else(String::new, |s| s.1);
    let edge = matches!(plain, Site::Edge(..));
    let same = sites(program).filter(|s| s.1 == label && matches!(s.0, Site::Edge(..)) == edge);
    match same.take_while(|s| s.0 != plain).count() {
        0 => format!("{label}{count}"),
        n => format!("{label}~{n}{count}"),
    }
}

fn site(program: &Program, text: &str) -> Option<Site> {
    let (text, count) = match text.split_once('/') {
        Some((text, count)) => (text, Some(count.parse::<u32>().ok()?)),
        None => (text, None),
    };
    let (label, skip) = match text.split_once('~') {
        Some((label, n)) => (label, n.parse::<usize>().ok()?),
        None => (text, 0),
    };
    let of_kind = |s: &(Site, String)| s.1 == label && matches!(s.0, Site::Edge(..)) == count.is_some();
    match (sites(program).filter(of_kind).nth(skip)?.0, count) {
        (Site::Edge(e, _), Some(n)) => Some(Site::Edge(e, n)),
        (other, _) => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_pairs() {
        let spelled = Spelled::new("x@a.c:1:2/0+4", "0a:ff:00").unwrap();
        assert_eq!((spelled.bytes.as_slice(), spelled.hex().as_str()), (&[10, 255, 0][..], "0a:ff:00"));
        for (name, bytes) in
            [("x", "00"), ("x@a.c:1:2/0", "00"), ("x@a.c+z", "00"), ("x@a+0", "0"), ("x@a+0", "")]
        {
            assert_eq!(Spelled::new(name, bytes), None, "{name} {bytes}");
        }
    }
}
