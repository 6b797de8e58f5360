//! Objects and their bytes. Of each byte it is known whether it is data, belongs to
//! a pointer, or was never written.

use std::collections::BTreeMap;

use cairn_base::DataModel;
use cairn_ir::{FuncId, LabelId};

use super::{Flow, Stop, layout, open, undefined};

/// A place in an object; with object 0 a plain number, of which 0 is the null pointer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub object: u32,
    pub offset: i64,
}

impl Pointer {
    pub const NULL: Pointer = Pointer { object: 0, offset: 0 };

    pub fn to(object: u32, offset: i64) -> Pointer {
        Pointer { object, offset }
    }

    pub fn number(n: u64) -> Pointer {
        Pointer { object: 0, offset: n as i64 }
    }
}

/// What is not data.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Code {
    Func(FuncId),
    Label(LabelId),
}

/// What a byte is.
const DATA: u8 = 0;
const UNWRITTEN: u8 = 1;
const POINTER: u8 = 2;

#[derive(Default)]
struct Object {
    bytes: Vec<u8>,
    kinds: Vec<u8>,
    /// Pointers by the offset of their first byte, all of whose bytes are still there.
    pointers: BTreeMap<usize, Pointer>,
    /// The bits that are written of bytes that are not as a whole.
    partial: BTreeMap<usize, u8>,
    live: bool,
    writable: bool,
    heap: bool,
    code: Option<Code>,
}

pub struct Memory {
    word: usize,
    /// By number; 0 is no object.
    objects: Vec<Object>,
    /// Bytes that are alive, and how many there may be.
    live: u64,
    limit: u64,
}

impl Memory {
    pub fn new(model: DataModel, limit: u64) -> Memory {
        let word = model.ptr_bytes() as usize;
        Memory { word, objects: vec![Object::default()], live: 0, limit }
    }

    fn add(&mut self, object: Object) -> u32 {
        self.objects.push(object);
        self.objects.len() as u32 - 1
    }

    pub fn code(&mut self, code: Code) -> u32 {
        self.add(Object { live: true, code: Some(code), ..Object::default() })
    }

    /// A new object, of zeroes or of bytes that nobody has written.
    pub fn create(&mut self, size: u64, zeroed: bool) -> Flow<u32> {
        self.live = self.live.saturating_add(size);
        if self.live > self.limit || size > u32::MAX.into() || self.objects.len() >= u32::MAX as usize {
            return Err(open("the execution needs too much memory to be followed again"));
        }
        let n = size as usize;
        let kinds = vec![if zeroed { DATA } else { UNWRITTEN }; n];
        Ok(self.add(Object { bytes: vec![0; n], kinds, live: true, writable: true, ..Object::default() }))
    }

    pub fn protect(&mut self, i: u32) {
        self.objects[i as usize].writable = false;
    }

    pub fn allocated(&mut self, i: u32) {
        self.objects[i as usize].heap = true;
    }

    pub fn may_be_freed(&self, i: u32) -> bool {
        let o = &self.objects[i as usize];
        o.live && o.heap
    }

    pub fn end(&mut self, i: u32) {
        let o = &mut self.objects[i as usize];
        if o.live {
            self.live -= o.bytes.len() as u64;
            *o = Object::default();
        }
    }

    /// The function or label that a pointer is the address of.
    pub fn code_at(&self, p: Pointer) -> Option<Code> {
        self.objects[p.object as usize].code.filter(|_| p.offset == 0)
    }

    /// Surely the address of a byte of a live object, or of a function?
    pub fn is_inside(&self, p: Pointer) -> bool {
        let o = &self.objects[p.object as usize];
        match o.code {
            Some(Code::Func(_)) => p.offset == 0,
            Some(Code::Label(_)) => false,
            None => o.live && usize::try_from(p.offset).is_ok_and(|at| at < o.bytes.len()),
        }
    }

    /// Bytes from a pointer to the end of its object, 0 if there is none alive.
    pub fn room(&self, p: Pointer) -> u64 {
        let o = &self.objects[p.object as usize];
        usize::try_from(p.offset).map_or(0, |at| o.bytes.len().saturating_sub(at)) as u64
    }

    /// The object and the offset of an access to `n` bytes that are there.
    fn access(&self, p: Pointer, n: u64, write: bool) -> Flow<(usize, usize)> {
        let i = p.object as usize;
        if i == 0 && p != Pointer::NULL {
            // Some object may lie there.
            return Err(layout());
        }
        let o = &self.objects[i];
        let at = usize::try_from(p.offset).ok();
        let fine = at
            .and_then(|at| at.checked_add(usize::try_from(n).ok()?))
            .is_some_and(|end| end <= o.bytes.len());
        match at {
            Some(at) if fine && o.live && o.code.is_none() && (!write || o.writable) => Ok((i, at)),
            _ => Err(undefined()),
        }
    }

    /// Data that is read as data.
    fn data(&self, p: Pointer, n: u64) -> Flow<&[u8]> {
        let (i, at) = self.access(p, n, false)?;
        let end = at + n as usize;
        let o = &self.objects[i];
        match o.kinds[at..end].iter().max() {
            None | Some(&DATA) => Ok(&o.bytes[at..end]),
            Some(&UNWRITTEN) => Err(unwritten()),
            _ => Err(layout()),
        }
    }

    /// At most 16 bytes, the first lowest.
    pub fn read_word(&self, p: Pointer, n: u64) -> Flow<u128> {
        Ok(self.data(p, n)?.iter().rev().fold(0, |word, &b| word << 8 | u128::from(b)))
    }

    pub fn read_pointer(&self, p: Pointer) -> Flow<Pointer> {
        let (i, at) = self.access(p, self.word as u64, false)?;
        if let Some(&q) = self.objects[i].pointers.get(&at) {
            return Ok(q);
        }
        self.read_word(p, self.word as u64).map(|n| Pointer::number(n as u64))
    }

    /// The bytes of a string before its end, or before `most` of them.
    pub fn string(&self, p: Pointer, most: Option<usize>) -> Flow<Vec<u8>> {
        let mut text = Vec::new();
        while most.is_none_or(|most| text.len() < most) {
            match self.data(Pointer { offset: p.offset + text.len() as i64, ..p }, 1)? {
                [0] => break,
                byte => text.extend_from_slice(byte),
            }
        }
        Ok(text)
    }

    /// May `n` bytes be shown to the world? Pointers among them are.
    pub fn readable(&self, p: Pointer, n: u64) -> Flow<()> {
        if n == 0 {
            return Ok(());
        }
        let (i, at) = self.access(p, n, false)?;
        let shown = &self.objects[i].kinds[at..at + n as usize];
        if shown.contains(&UNWRITTEN) { Err(unwritten()) } else { Ok(()) }
    }

    /// `n` bytes are about to become something else.
    fn overwrite(&mut self, p: Pointer, n: u64, kind: u8) -> Flow<(usize, usize)> {
        let (i, at) = self.access(p, n, true)?;
        let (word, end) = (self.word, at + n as usize);
        let o = &mut self.objects[i];
        if !o.pointers.is_empty() {
            let near = o.pointers.range((at + 1).saturating_sub(word)..end);
            let cut: Vec<usize> = near.map(|(&start, _)| start).collect();
            cut.iter().for_each(|start| _ = o.pointers.remove(start));
        }
        if !o.partial.is_empty() {
            o.partial.retain(|byte, _| !(at..end).contains(byte));
        }
        o.kinds[at..end].fill(kind);
        Ok((i, at))
    }

    pub fn write(&mut self, p: Pointer, bytes: &[u8]) -> Flow<()> {
        let (i, at) = self.overwrite(p, bytes.len() as u64, DATA)?;
        self.objects[i].bytes[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    pub fn write_pointer(&mut self, p: Pointer, q: Pointer) -> Flow<()> {
        if q.object == 0 {
            return self.write(p, &(q.offset as u64).to_le_bytes()[..self.word]);
        }
        let (i, at) = self.overwrite(p, self.word as u64, POINTER)?;
        self.objects[i].pointers.insert(at, q);
        Ok(())
    }

    pub fn fill(&mut self, p: Pointer, byte: u8, n: u64) -> Flow<()> {
        if n == 0 {
            return Ok(());
        }
        let (i, at) = self.overwrite(p, n, DATA)?;
        self.objects[i].bytes[at..at + n as usize].fill(byte);
        Ok(())
    }

    pub fn copy(&mut self, d: Pointer, s: Pointer, n: u64, may_overlap: bool) -> Flow<()> {
        if n == 0 {
            return Ok(());
        }
        let (from, start) = self.access(s, n, false)?;
        self.access(d, n, true)?;
        let apart = d.object != s.object || d.offset.abs_diff(s.offset) >= n;
        if !apart && !may_overlap && d != s {
            return Err(undefined());
        }
        let (len, word) = (n as usize, self.word);
        let o = &self.objects[from];
        let (bytes, kinds) = (o.bytes[start..start + len].to_vec(), o.kinds[start..start + len].to_vec());
        let whole = o.pointers.range(start..(start + len + 1).saturating_sub(word).max(start));
        let moved: Vec<(usize, Pointer)> = whole.map(|(&at, &q)| (at - start, q)).collect();
        let partial: Vec<(usize, u8)> =
            o.partial.range(start..start + len).map(|(&at, &bits)| (at - start, bits)).collect();
        let (to, at) = self.overwrite(d, n, DATA)?;
        let o = &mut self.objects[to];
        o.bytes[at..at + len].copy_from_slice(&bytes);
        o.kinds[at..at + len].copy_from_slice(&kinds);
        o.pointers.extend(moved.into_iter().map(|(from, q)| (at + from, q)));
        o.partial.extend(partial.into_iter().map(|(from, bits)| (at + from, bits)));
        Ok(())
    }

    // Bit-fields.

    pub fn read_field(&self, p: Pointer, bit: u8, width: u8) -> Flow<u128> {
        let n = field_bytes(bit, width);
        let (i, at) = self.access(p, n as u64, false)?;
        let o = &self.objects[i];
        let mut word = 0;
        for k in 0..usize::from(width) {
            let (byte, mask) = (at + (usize::from(bit) + k) / 8, 1 << ((usize::from(bit) + k) % 8));
            match o.kinds[byte] {
                DATA => {}
                UNWRITTEN if o.partial.get(&byte).is_some_and(|written| written & mask != 0) => {}
                UNWRITTEN => return Err(unwritten()),
                _ => return Err(layout()),
            }
            if o.bytes[byte] & mask != 0 {
                word |= 1 << k;
            }
        }
        Ok(word)
    }

    pub fn write_field(&mut self, p: Pointer, bit: u8, width: u8, value: u128) -> Flow<()> {
        let n = field_bytes(bit, width);
        let (i, at) = self.access(p, n as u64, true)?;
        let o = &mut self.objects[i];
        if o.kinds[at..at + n].contains(&POINTER) {
            return Err(layout());
        }
        for k in 0..usize::from(width) {
            let (byte, mask) = (at + (usize::from(bit) + k) / 8, 1 << ((usize::from(bit) + k) % 8));
            let set = if value >> k & 1 != 0 { mask } else { 0 };
            o.bytes[byte] = o.bytes[byte] & !mask | set;
            if o.kinds[byte] == UNWRITTEN {
                let written = o.partial.entry(byte).or_default();
                *written |= mask;
                if *written == u8::MAX {
                    o.partial.remove(&byte);
                    o.kinds[byte] = DATA;
                }
            }
        }
        Ok(())
    }
}

fn field_bytes(bit: u8, width: u8) -> usize {
    (usize::from(bit) + usize::from(width)).div_ceil(8)
}

fn unwritten() -> Stop {
    open("memory is read that nobody has written")
}
