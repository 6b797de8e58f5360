//! The contents of static objects, written piece by piece, later pieces over earlier ones.

use cairn_value::Bits;

use crate::hir::{AddrTarget, StaticAddr, StaticData};
use crate::types::BitField;

/// Zeros that are worth a gap between two runs of bytes.
const GAP: usize = 32;

/// A static object must not need more than this in written bytes, gaps included.
pub(crate) const MAX_DATA: u64 = 1 << 28;

#[derive(Default)]
pub(crate) struct StaticBuilder {
    bytes: Vec<u8>,
    /// Sorted by offset.
    addresses: Vec<StaticAddr>,
}

impl StaticBuilder {
    fn reserve(&mut self, end: u64) {
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
    }

    /// Makes the range zero again.
    pub fn clear(&mut self, offset: u64, len: u64) {
        let end = (offset + len).min(self.bytes.len() as u64);
        if offset < end {
            self.bytes[offset as usize..end as usize].fill(0);
        }
        self.drop_addresses(offset, len);
    }

    fn drop_addresses(&mut self, offset: u64, len: u64) {
        let touches = |a: &StaticAddr| a.offset < offset + len && offset < a.offset + u64::from(a.bytes);
        if self.addresses.last().is_some_and(|a| a.offset + u64::from(a.bytes) > offset) {
            self.addresses.retain(|a| !touches(a));
        }
    }

    pub fn write(&mut self, offset: u64, data: &[u8]) {
        let end = offset + data.len() as u64;
        self.reserve(end);
        self.bytes[offset as usize..end as usize].copy_from_slice(data);
        self.drop_addresses(offset, data.len() as u64);
    }

    pub fn write_bits(&mut self, offset: u64, place: BitField, value: Bits) {
        for i in 0..u64::from(place.width) {
            let bit = u64::from(place.bit) + i;
            let at = offset + bit / 8;
            self.reserve(at + 1);
            let mask = 1u8 << (bit % 8);
            if value >> i & 1 == 1 {
                self.bytes[at as usize] |= mask;
            } else {
                self.bytes[at as usize] &= !mask;
            }
        }
    }

    pub fn write_address(&mut self, offset: u64, bytes: u8, target: AddrTarget, addend: i64) {
        self.clear(offset, u64::from(bytes));
        let at = self.addresses.partition_point(|a| a.offset < offset);
        self.addresses.insert(at, StaticAddr { offset, bytes, target, addend });
    }

    /// Copies `len` bytes of another object's contents to `offset`.
    pub fn copy_from(&mut self, offset: u64, data: &StaticData, from: u64, len: u64) {
        let bytes: Vec<u8> = (0..len).map(|i| data.byte(from + i)).collect();
        self.write(offset, &bytes);
        for a in &data.addresses {
            if a.offset >= from && a.offset + u64::from(a.bytes) <= from + len {
                self.write_address(offset + a.offset - from, a.bytes, a.target, a.addend);
            }
        }
    }

    /// Repeats the `len` bytes at `offset` so that they fill `count` places.
    pub fn repeat(&mut self, offset: u64, len: u64, count: u64) {
        let mut piece = vec![0; len as usize];
        let have = self.bytes.get(offset as usize..).unwrap_or(&[]);
        let have = &have[..have.len().min(len as usize)];
        piece[..have.len()].copy_from_slice(have);
        let inside = |a: &&StaticAddr| a.offset >= offset && a.offset < offset + len;
        let addresses: Vec<(u64, u8, AddrTarget, i64)> =
            self.addresses.iter().filter(inside).map(|a| (a.offset, a.bytes, a.target, a.addend)).collect();
        for i in 1..count {
            self.write(offset + i * len, &piece);
            for &(at, bytes, target, addend) in &addresses {
                self.write_address(at + i * len, bytes, target, addend);
            }
        }
    }

    pub fn finish(self) -> StaticData {
        let bytes = self.bytes;
        let mut runs: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut at = 0;
        while let Some(start) = bytes[at..].iter().position(|&b| b != 0).map(|p| at + p) {
            let mut end = start + 1;
            let mut zeros = 0;
            // A run must not reach over an address.
            let next = self.addresses.partition_point(|a| a.offset <= start as u64);
            let limit = self.addresses.get(next).map_or(bytes.len(), |a| a.offset as usize);
            for (i, &b) in bytes.iter().enumerate().take(limit).skip(start + 1) {
                if b != 0 {
                    end = i + 1;
                    zeros = 0;
                } else {
                    zeros += 1;
                    if zeros >= GAP {
                        break;
                    }
                }
            }
            runs.push((start as u64, bytes[start..end].to_vec()));
            at = end;
        }
        StaticData { bytes: runs, addresses: self.addresses }
    }
}

impl StaticData {
    /// The byte at an offset, of what is no address.
    pub fn byte(&self, offset: u64) -> u8 {
        let next = self.bytes.partition_point(|(start, _)| *start <= offset);
        let Some((start, run)) = next.checked_sub(1).and_then(|i| self.bytes.get(i)) else { return 0 };
        run.get((offset - start) as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_writes_win_and_gaps_are_left_out() {
        let mut b = StaticBuilder::default();
        let target = AddrTarget::Func(cairn_base::EntityRef::new(0));
        b.write(0, &[1, 2, 3, 4]);
        b.write_bits(1, BitField { bit: 4, width: 6 }, 0b10_1111);
        b.write_address(8, 8, target, 5);
        b.write_address(16, 8, target, 6);
        b.write(16, &[0; 8]);
        b.write(1000, &[9]);
        b.write(1001, &[0]);
        let data = b.finish();
        assert_eq!(data.bytes, vec![(0, vec![1, 0xf2, 0b10, 4]), (1000, vec![9])]);
        assert_eq!(data.addresses.len(), 1);
        assert_eq!((data.byte(3), data.byte(4), data.byte(1000), data.byte(1001)), (4, 0, 9, 0));
    }
    #[test]
    fn runs_stop_before_addresses() {
        let mut b = StaticBuilder::default();
        b.write(0, &[1]);
        b.write_address(8, 8, AddrTarget::Func(cairn_base::EntityRef::new(0)), 0);
        b.write(16, &[2]);
        assert_eq!(b.finish().bytes, vec![(0, vec![1]), (16, vec![2])]);
    }
}
