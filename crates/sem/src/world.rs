//! Standard input as the models ask for it, taken from the real one: bytes, first
//! bytes of words, numbers. (In replays and proofs these are inputs like others.)

use cairn_ir::{Bits, FloatTy, IntTy, Ty};

use crate::machine::Machine;
use cairn_value::scan::leading_float;

/// What was read from standard input and not yet handed over.
#[derive(Default)]
pub(crate) struct Ahead {
    /// The next byte, if it was looked at; `None` in it is the end.
    byte: Option<Option<u8>>,
    /// The text of the number that was found last.
    number: Vec<u8>,
}

fn is_space(c: u8) -> bool {
    c == b' ' || (9..=13).contains(&c)
}

/// A number follows; one more if nothing follows that.
const NUMBER: i128 = 256;

impl Machine<'_> {
    /// The value of an input that the world decides; `None` for all others.
    pub(crate) fn world_value(&mut self, name: &str, ty: Ty) -> Option<Bits> {
        let byte = |b: Option<u8>| b.map_or(-1, i128::from);
        let value = match name {
            "stdin" => byte(self.next_byte()),
            "stdin_word" => {
                self.skip_space();
                byte(self.next_byte())
            }
            "stdin_number" => self.find_number(false),
            "stdin_real" => self.find_number(true),
            "stdin_d" => decimal(&self.ahead.number).clamp(i64::MIN.into(), i64::MAX.into()),
            "stdin_u" => match decimal(&self.ahead.number) {
                n if n.unsigned_abs() > u64::MAX.into() => u64::MAX.into(),
                n => n,
            },
            "stdin_f" => return Some(leading_float(FloatTy::F64, &self.ahead.number).0),
            // The environment is empty.
            "getenv" => 0,
            _ => return None,
        };
        match ty {
            Ty::Int(i) => Some(IntTy::wrap(i, value)),
            _ => Some(0),
        }
    }

    fn peek_byte(&mut self) -> Option<u8> {
        match self.ahead.byte {
            Some(known) => known,
            None => *self.ahead.byte.insert(self.io.read_byte()),
        }
    }

    fn next_byte(&mut self) -> Option<u8> {
        let next = self.peek_byte();
        self.ahead.byte = None;
        next
    }

    fn skip_space(&mut self) {
        while self.peek_byte().is_some_and(is_space) {
            self.next_byte();
        }
    }

    /// Reads a number if there is one: what `scanf` would take for it. Otherwise gives the byte that is
    /// none, or -1.
    fn find_number(&mut self, real: bool) -> i128 {
        self.skip_space();
        let Some(first) = self.peek_byte() else { return -1 };
        let mut text = Vec::new();
        let mut take = |m: &mut Self, wanted: &dyn Fn(u8) -> bool| {
            let found = m.peek_byte().filter(|&c| wanted(c));
            if let Some(c) = found {
                m.next_byte();
                text.push(c);
            }
            found.is_some()
        };
        let digit = |c: u8| c.is_ascii_digit();
        take(self, &|c| c == b'-' || c == b'+');
        let mut digits = false;
        while take(self, &digit) {
            digits = true;
        }
        if real && take(self, &|c| c == b'.') {
            while take(self, &digit) {
                digits = true;
            }
        }
        if real && digits && take(self, &|c| c == b'e' || c == b'E') {
            take(self, &|c| c == b'-' || c == b'+');
            while take(self, &digit) {}
        }
        if !digits {
            if text.is_empty() {
                self.next_byte();
            }
            return first.into();
        }
        self.ahead.number = text;
        NUMBER + i128::from(self.peek_byte().is_none())
    }
}

/// The value of a decimal number, as far as it matters.
fn decimal(text: &[u8]) -> i128 {
    let negative = text.first() == Some(&b'-');
    let digits = text.iter().filter(|c| c.is_ascii_digit());
    let value = digits.fold(0i128, |n, c| (n * 10 + i128::from(c - b'0')).min(1 << 100));
    if negative { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn decimals() {
        assert_eq!([decimal(b"12"), decimal(b"-3"), decimal(b"+40")], [12, -3, 40]);
        assert!(decimal(&[b'9'; 200]) > u64::MAX.into());
    }
}
