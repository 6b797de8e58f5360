//! Values and the places that hold them, as a reader of the source would write them.

use cairn_base::Place;
use cairn_ir::{Bits, DType, DTypeId, EdgeId, FloatTy, Init, ObjId, ObjKind, Program, Ty, VarId};
use cairn_sem::memory::Kind;
use cairn_sem::{Pointee, View};
use cairn_value::eval;
use rustc_hash::FxHashMap;

/// Characters of a string literal that are shown.
const TEXT: usize = 24;

/// A value at the time when it was seen.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Value {
    ty: Ty,
    dtype: Option<DTypeId>,
    bits: Bits,
    pointee: Option<Pointee>,
}

impl Value {
    pub fn new(view: &View<'_, '_>, ty: Ty, dtype: Option<DTypeId>, bits: Bits) -> Value {
        let pointee = if ty == Ty::Ptr { view.pointee(bits as u64) } else { None };
        Value { ty, dtype, bits, pointee }
    }

    /// The value of a variable that has one.
    pub fn of_var(view: &View<'_, '_>, v: VarId) -> Option<Value> {
        let var = &view.program().vars[v];
        Some(Value::new(view, var.ty, var.dtype, view.var(v)?))
    }
}

/// What was assigned or read.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Holder {
    Var(VarId),
    /// A scalar in memory; what the source calls it stands at the edge.
    Memory {
        at: Pointee,
        ty: Ty,
        bits: Option<(u8, u8)>,
        edge: EdgeId,
    },
    /// What an edge computed, called as the source calls it.
    Text(EdgeId),
}

/// The source text at a place.
pub type Source<'s> = dyn Fn(Place) -> Option<String> + 's;

/// Puts values into words.
pub(super) struct Words<'s> {
    pub program: &'s Program,
    pub source: &'s Source<'s>,
    /// Numbers of heap objects by their serial, in the order of their appearance.
    pub heap: FxHashMap<u64, usize>,
}

impl Words<'_> {
    pub fn value(&mut self, v: &Value) -> String {
        let name = v.dtype.and_then(|t| match &self.program.dtypes[t] {
            DType::Scalar { name, .. } => Some(name.as_str()),
            _ => None,
        });
        match v.ty {
            Ty::Bool => v.bits.to_string(),
            Ty::Int(i) => {
                let number =
                    if i.signed { i.number(v.bits).to_string() } else { (v.bits & i.mask()).to_string() };
                let is_char = i.bits == 8 && name.is_some_and(|n| n.ends_with("char"));
                match u8::try_from(v.bits & i.mask()) {
                    Ok(c) if is_char && (c == b' ' || c.is_ascii_graphic()) => {
                        let quoted = if c == b'\'' || c == b'\\' {
                            format!("\\{}", c as char)
                        } else {
                            (c as char).to_string()
                        };
                        format!("{number} '{quoted}'")
                    }
                    _ => number,
                }
            }
            Ty::Float(f) => self.float(f, v.bits),
            Ty::Ptr => self.pointer(v),
        }
    }

    fn float(&self, f: FloatTy, bits: Bits) -> String {
        if f == FloatTy::F32 {
            return format!("{:?}", f32::from_bits(bits as u32));
        }
        match eval::cast(Ty::Float(f), Ty::Float(FloatTy::F64), bits, self.program.model) {
            Ok(bits) => format!("{:?}", f64::from_bits(bits as u64)),
            Err(_) => format!("{bits:#x}"),
        }
    }

    fn pointer(&mut self, v: &Value) -> String {
        let Some(p) = v.pointee else {
            return if v.bits == 0 { "NULL".to_owned() } else { format!("{:#x}", v.bits as u64) };
        };
        let text = match (p.kind, p.object) {
            (Kind::Func(f), _) => return self.program.funcs[f].name.to_string(),
            (Kind::Label(l), _) => return format!("&&{}", self.program.labels[l].name),
            (_, Some(o)) => match self.literal(o, p.offset) {
                Some(text) => text,
                None => format!("&{}", self.member(o, p.offset)),
            },
            (kind, None) => {
                let whole = self.unnamed(kind, p.serial);
                format!("&{whole}{}", plus(p.offset))
            }
        };
        if p.live { text } else { format!("{text} (dangling)") }
    }

    fn unnamed(&mut self, kind: Kind, serial: u64) -> String {
        match kind {
            Kind::Argument => "argument".to_owned(),
            Kind::Gone => "local".to_owned(),
            _ => {
                let next = self.heap.len() + 1;
                let number = *self.heap.entry(serial).or_insert(next);
                format!("heap#{number}")
            }
        }
    }

    /// An object or the member of it at an offset.
    fn member(&self, o: ObjId, offset: i64) -> String {
        let object = &self.program.objects[o];
        let name = if object.name.is_empty() { "(unnamed)" } else { object.name.as_str() };
        let is_array = object.dtype.is_some_and(|t| matches!(self.program.dtypes[t], DType::Array { .. }));
        if offset == 0 && !is_array {
            return name.to_owned();
        }
        let path = object.dtype.zip(u64::try_from(offset).ok());
        match path.and_then(|(t, at)| self.program.scalar_at(t, at)) {
            Some(path) => format!("{name}{path}"),
            None => format!("{name}{}", plus(offset)),
        }
    }

    /// The text of a string literal from an offset on.
    fn literal(&self, o: ObjId, offset: i64) -> Option<String> {
        let object = &self.program.objects[o];
        let Init::Static(data) = &object.init else { return None };
        let is_text = |t: DTypeId| {
            matches!(&self.program.dtypes[t], DType::Array { elem, .. }
                if matches!(self.program.dtypes[*elem], DType::Scalar { name, .. } if name.ends_with("char")))
        };
        // Names that no C text can have are made by lowering.
        let unnamed = object.name.is_empty() || object.name.starts_with('<');
        if object.kind != ObjKind::Const || !unnamed || !object.dtype.is_none_or(is_text) {
            return None;
        }
        let start = usize::try_from(offset).ok()?;
        let bytes = match data.bytes.first() {
            Some((0, bytes)) => bytes.get(start..).unwrap_or_default(),
            _ => &[],
        };
        let text: Vec<u8> = bytes.iter().copied().take_while(|&b| b != 0).collect();
        let shown = String::from_utf8_lossy(&text[..text.len().min(TEXT)]).escape_debug().to_string();
        Some(format!("\"{shown}{}\"", if text.len() > TEXT { "…" } else { "" }))
    }

    /// The source text at a place, on one line.
    pub fn text(&self, place: Place) -> Option<String> {
        (self.source)(place).map(|t| one_line(&t))
    }

    pub fn holder(&mut self, h: &Holder) -> String {
        match *h {
            Holder::Var(v) => self.program.vars[v].name.to_string(),
            Holder::Text(e) => self.text(self.program.edges[e].place).unwrap_or_else(|| "value".to_owned()),
            Holder::Memory { at, ty, bits, edge } => self.memory(at, ty, bits, edge),
        }
    }

    fn memory(&mut self, at: Pointee, ty: Ty, bits: Option<(u8, u8)>, edge: EdgeId) -> String {
        if let Some(o) = at.object {
            let object = &self.program.objects[o];
            let named = object.dtype.zip(u64::try_from(at.offset).ok()).and_then(|(t, offset)| match bits {
                Some((bit, width)) => self.program.bit_field_at(t, offset, bit, width),
                None => self.program.member_at(t, offset, ty).map(|(path, _)| path),
            });
            if let Some(path) = named {
                return format!("{}{path}", object.name);
            }
        }
        let text = (self.source)(self.program.edges[edge].place);
        if let Some(text) = text.as_deref().and_then(assigned_text) {
            return text;
        }
        match at.object {
            Some(o) => self.member(o, at.offset),
            None => format!("{}{}", self.unnamed(at.kind, at.serial), plus(at.offset)),
        }
    }
}

fn plus(offset: i64) -> String {
    match offset {
        0 => String::new(),
        n if n > 0 => format!(" + {n}"),
        n => format!(" - {}", n.unsigned_abs()),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The left side of an assignment.
fn assigned_text(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut nesting = 0u32;
    for (i, &b) in bytes.iter().enumerate() {
        let next = bytes.get(i + 1).copied().unwrap_or(0);
        let before = if i == 0 { 0 } else { bytes[i - 1] };
        match b {
            b'(' | b'[' => nesting += 1,
            b')' | b']' => nesting = nesting.saturating_sub(1),
            b'=' if nesting == 0 => {
                if next == b'='
                    || b"!=".contains(&before)
                    || (b"<>".contains(&before) && bytes[..i - 1].last() != Some(&before))
                {
                    return None;
                }
                let left = text[..i].trim_end_matches(|c: char| "+-*/%&|^<>".contains(c));
                return Some(one_line(left)).filter(|l| !l.is_empty());
            }
            _ => {}
        }
    }
    let plain = text.trim().trim_start_matches("++").trim_start_matches("--");
    let plain = plain.trim_end_matches("++").trim_end_matches("--");
    (plain.len() < text.trim().len()).then(|| one_line(plain))
}

/// The scalars of a type that lie in a range: offset, type and the type for people.
pub(super) fn scalars(
    p: &Program,
    t: DTypeId,
    base: u64,
    range: &std::ops::Range<u64>,
    most: usize,
    found: &mut Vec<(u64, Ty, DTypeId)>,
) {
    let end = base.saturating_add(p.dtype_size(t));
    if found.len() >= most || end <= range.start || base >= range.end {
        return;
    }
    match &p.dtypes[t] {
        DType::Scalar { ty, .. } => {
            if base >= range.start && end <= range.end {
                found.push((base, *ty, t));
            }
        }
        DType::Array { elem, len } => {
            let size = p.dtype_size(*elem).max(1);
            let first = range.start.saturating_sub(base) / size;
            for i in first..*len {
                let at = base + i * size;
                if at >= range.end || found.len() >= most {
                    break;
                }
                scalars(p, *elem, at, range, most, found);
            }
        }
        DType::Record { fields, is_union, .. } => {
            for f in fields.iter().filter(|f| f.bits.is_none()) {
                scalars(p, f.ty, base + f.offset, range, most, found);
                if *is_union {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_sides() {
        let left = |t: &str| assigned_text(t);
        assert_eq!(left("p->next = list").as_deref(), Some("p->next"));
        assert_eq!(left("a[i == 3] += f(x = 2)").as_deref(), Some("a[i == 3]"));
        assert_eq!(left("*p <<= 2").as_deref(), Some("*p"));
        assert_eq!(left("p->n++").as_deref(), Some("p->n"));
        assert_eq!(left("++ p->n").as_deref(), Some("p->n"));
        assert_eq!(left("a == b"), None);
        assert_eq!(left("a <= b"), None);
        assert_eq!(left("f(x)"), None);
    }
}
