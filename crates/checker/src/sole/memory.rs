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
    writable: bool,
    heap: bool,
    code: Option<Code>,
}

pub struct Memory {
    word: usize,
    /// By number, those that are alive; 0 is no object.
    objects: Vec<Option<Box<Object>>>,
    /// Bytes that are alive, and how many there may be.
    live: u64,
    limit: u64,
}

impl Memory {
    pub fn new(model: DataModel, limit: u64) -> Memory {
        let word = model.ptr_bytes() as usize;
        Memory { word, objects: vec![None], live: 0, limit }
    }

    fn add(&mut self, object: Object) -> u32 {
        self.objects.push(Some(Box::new(object)));
        self.objects.len() as u32 - 1
    }

    pub fn code(&mut self, code: Code) -> u32 {
        self.add(Object { code: Some(code), ..Object::default() })
    }

    /// A new object, of zeroes or of uninitialised bytes.
    pub fn create(&mut self, size: u64, zeroed: bool) -> Flow<u32> {
        self.live = self.live.saturating_add(size);
        // Numbers are not used again, so that what points to dead objects is seen.
        let all = self.live.saturating_add(8 * self.objects.len() as u64);
        if all > self.limit || size > u32::MAX.into() || self.objects.len() >= u32::MAX as usize {
            return Err(open("the execution needs too much memory to be followed again"));
        }
        let n = size as usize;
        let kinds = vec![if zeroed { DATA } else { UNWRITTEN }; n];
        Ok(self.add(Object { bytes: vec![0; n], kinds, writable: true, ..Object::default() }))
    }

    pub fn protect(&mut self, i: u32) {
        self.objects[i as usize].iter_mut().for_each(|o| o.writable = false);
    }

    pub fn allocated(&mut self, i: u32) {
        self.objects[i as usize].iter_mut().for_each(|o| o.heap = true);
    }

    pub fn may_be_freed(&self, i: u32) -> bool {
        self.objects[i as usize].as_ref().is_some_and(|o| o.heap)
    }

    pub fn end(&mut self, i: u32) {
        if let Some(o) = self.objects[i as usize].take() {
            self.live -= o.bytes.len() as u64;
        }
    }

    /// The function or label that a pointer is the address of.
    pub fn code_at(&self, p: Pointer) -> Option<Code> {
        self.objects[p.object as usize].as_ref()?.code.filter(|_| p.offset == 0)
    }

    /// Surely the address of a byte of a live object, or of a function?
    pub fn is_inside(&self, p: Pointer) -> bool {
        let Some(o) = &self.objects[p.object as usize] else { return false };
        match o.code {
            Some(Code::Func(_)) => p.offset == 0,
            Some(Code::Label(_)) => false,
            None => usize::try_from(p.offset).is_ok_and(|at| at < o.bytes.len()),
        }
    }

    /// Bytes from a pointer to the end of its object, 0 if there is none alive.
    pub fn room(&self, p: Pointer) -> u64 {
        let Some(o) = &self.objects[p.object as usize] else { return 0 };
        usize::try_from(p.offset).map_or(0, |at| o.bytes.len().saturating_sub(at)) as u64
    }

    /// Checks an access to `n` bytes; gives where they begin.
    fn access(&self, p: Pointer, n: u64, write: bool) -> Flow<(&Object, usize)> {
        if p.object == 0 && p != Pointer::NULL {
            // Some object may lie there.
            return Err(layout());
        }
        let o = self.objects[p.object as usize].as_ref().ok_or_else(undefined)?;
        let at = usize::try_from(p.offset).map_err(|_| undefined())?;
        let end = usize::try_from(n).ok().and_then(|n| at.checked_add(n));
        let fine = end.is_some_and(|end| end <= o.bytes.len()) && o.code.is_none() && (!write || o.writable);
        if fine { Ok((o, at)) } else { Err(undefined()) }
    }

    /// The same for a write.
    fn access_mut(&mut self, p: Pointer, n: u64) -> Flow<(&mut Object, usize)> {
        let at = self.access(p, n, true)?.1;
        let o = self.objects[p.object as usize].as_mut().ok_or_else(undefined)?;
        Ok((o, at))
    }

    /// Data that is read as data.
    fn data(&self, p: Pointer, n: u64) -> Flow<&[u8]> {
        let (o, at) = self.access(p, n, false)?;
        let end = at + n as usize;
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
        let (o, at) = self.access(p, self.word as u64, false)?;
        if let Some(&q) = o.pointers.get(&at) {
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
        let (o, at) = self.access(p, n, false)?;
        let shown = &o.kinds[at..at + n as usize];
        if shown.contains(&UNWRITTEN) { Err(unwritten()) } else { Ok(()) }
    }

    /// `n` bytes are about to become something else.
    fn overwrite(&mut self, p: Pointer, n: u64, kind: u8) -> Flow<(&mut Object, usize)> {
        let word = self.word;
        let (o, at) = self.access_mut(p, n)?;
        let end = at + n as usize;
        if !o.pointers.is_empty() {
            let near = o.pointers.range((at + 1).saturating_sub(word)..end);
            let cut: Vec<usize> = near.map(|(&start, _)| start).collect();
            cut.iter().for_each(|start| _ = o.pointers.remove(start));
        }
        if !o.partial.is_empty() {
            o.partial.retain(|byte, _| !(at..end).contains(byte));
        }
        o.kinds[at..end].fill(kind);
        Ok((o, at))
    }

    pub fn write(&mut self, p: Pointer, bytes: &[u8]) -> Flow<()> {
        let (o, at) = self.overwrite(p, bytes.len() as u64, DATA)?;
        o.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    pub fn write_pointer(&mut self, p: Pointer, q: Pointer) -> Flow<()> {
        if q.object == 0 {
            return self.write(p, &(q.offset as u64).to_le_bytes()[..self.word]);
        }
        let (o, at) = self.overwrite(p, self.word as u64, POINTER)?;
        o.pointers.insert(at, q);
        Ok(())
    }

    pub fn fill(&mut self, p: Pointer, byte: u8, n: u64) -> Flow<()> {
        if n == 0 {
            return Ok(());
        }
        let (o, at) = self.overwrite(p, n, DATA)?;
        o.bytes[at..at + n as usize].fill(byte);
        Ok(())
    }

    pub fn copy(&mut self, d: Pointer, s: Pointer, n: u64, may_overlap: bool) -> Flow<()> {
        if n == 0 {
            return Ok(());
        }
        let (o, start) = self.access(s, n, false)?;
        self.access(d, n, true)?;
        let apart = d.object != s.object || d.offset.abs_diff(s.offset) >= n;
        if !apart && !may_overlap && d != s {
            return Err(undefined());
        }
        let (len, word) = (n as usize, self.word);
        let (bytes, kinds) = (o.bytes[start..start + len].to_vec(), o.kinds[start..start + len].to_vec());
        let whole = o.pointers.range(start..(start + len + 1).saturating_sub(word).max(start));
        let moved: Vec<(usize, Pointer)> = whole.map(|(&at, &q)| (at - start, q)).collect();
        let partial: Vec<(usize, u8)> =
            o.partial.range(start..start + len).map(|(&at, &bits)| (at - start, bits)).collect();
        let (o, at) = self.overwrite(d, n, DATA)?;
        o.bytes[at..at + len].copy_from_slice(&bytes);
        o.kinds[at..at + len].copy_from_slice(&kinds);
        o.pointers.extend(moved.into_iter().map(|(from, q)| (at + from, q)));
        o.partial.extend(partial.into_iter().map(|(from, bits)| (at + from, bits)));
        Ok(())
    }

    // Bit-fields.

    pub fn read_field(&self, p: Pointer, bit: u8, width: u8) -> Flow<u128> {
        let n = field_bytes(bit, width);
        let (o, at) = self.access(p, n as u64, false)?;
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
        let (o, at) = self.access_mut(p, n as u64)?;
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
    open("memory is read that was never written")
}
