//! Arithmetic circuits over words of wires, lowest bit first.

use cairn_value::Bits;
use smallvec::SmallVec;

use super::gates::{Gates, Lit};

pub type Word = SmallVec<[Lit; 32]>;

/// The value of a word of constants, if it is no longer than a number can be.
fn constant(a: &[Lit]) -> Option<Bits> {
    if a.len() > Bits::BITS as usize {
        return None;
    }
    let mut value = 0;
    for (n, l) in a.iter().enumerate() {
        value |= Bits::from(l.as_constant()?) << n;
    }
    Some(value)
}

/// A constant, with zeroes above the number.
pub fn from_bits(width: usize, bits: Bits) -> Word {
    let bit = |n: usize| bits.checked_shr(n as u32).unwrap_or(0) & 1 == 1;
    (0..width).map(|n| Lit::constant(bit(n))).collect()
}

pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|&l| !l).collect()
}

impl Gates {
    pub fn fresh_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }

    pub fn map2(&mut self, a: &[Lit], b: &[Lit], f: impl Fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(&x, &y)| f(self, x, y)).collect()
    }

    pub fn mux_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        self.map2(a, b, |g, x, y| g.mux(c, x, y))
    }

    /// `a + b + carry` in the width of the operands, and the carry out.
    pub fn add_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
        let mut carry = carry;
        let mut sum = Word::new();
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.xor3(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        // The last carry is not needed, and not built.
        let (low, high) = (a.len() - 1, a[a.len() - 1]);
        let (mut sum, carry) = self.add_carry(&a[..low], &b[..low], Lit::FALSE);
        sum.push(self.xor3(high, b[low], carry));
        sum
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_carry(a, &not(b), Lit::TRUE).0
    }

    pub fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = from_bits(a.len(), 0);
        self.sub(&zero, a)
    }

    pub fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.map2(a, b, Gates::xnor);
        self.all(&same)
    }

    /// `a < b`, unsigned: the borrow of `a - b`.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            less = self.majority(!x, y, less);
        }
        less
    }

    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // Flipping the sign bits makes the signed order the unsigned one.
        let flip = |w: &[Lit]| {
            let mut w = Word::from_slice(w);
            if let Some(top) = w.last_mut() {
                *top = !*top;
            }
            w
        };
        self.ult(&flip(a), &flip(b))
    }

    /// The product in the width of the operands: rows of the multiplicand, shifted and added.
    ///
    /// A constant operand is taken in non-adjacent form (digits -1, 0, 1 with no two neighbours both
    /// nonzero), which needs a third of the rows.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let (a, b) = if constant(a).is_some() { (b, a) } else { (a, b) };
        if let Some(k) = constant(b) {
            return self.mul_constant(a, k);
        }
        // The operand with more constants decides the rows: those of zeroes vanish.
        let constants = |w: &[Lit]| w.iter().filter(|l| l.as_constant().is_some()).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let mut sum: Word = a.iter().map(|&x| self.and(x, b[0])).collect();
        for (shift, &y) in b.iter().enumerate().skip(1) {
            if y == Lit::FALSE {
                continue;
            }
            let row: Word = a[..width - shift].iter().map(|&x| self.and(x, y)).collect();
            let high = self.add(&sum[shift..], &row);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    fn mul_constant(&mut self, a: &[Lit], k: Bits) -> Word {
        let width = a.len();
        let mut sum: Option<Word> = None;
        let mut rest = k;
        for shift in 0..width {
            if rest & 1 == 1 {
                // 1 if the next bit is zero, else -1 with a carry.
                let minus = rest & 2 != 0;
                rest = if minus { rest.wrapping_add(1) } else { rest - 1 };
                let row = &a[..width - shift];
                let old = sum.take().unwrap_or_else(|| from_bits(width, 0));
                let high = if minus { self.sub(&old[shift..], row) } else { self.add(&old[shift..], row) };
                let mut new = Word::from_slice(&old[..shift]);
                new.extend(high);
                sum = Some(new);
            }
            rest >>= 1;
        }
        sum.unwrap_or_else(|| from_bits(width, 0))
    }

    /// The product does not fit, unsigned. It cannot but overflow if two set bits have positions
    /// whose sum reaches the width; otherwise one more bit of the product tells (Schulte et al.,
    /// "Efficient integer multiplication overflow detection circuits", 2000).
    pub fn umul_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let far = self.far_bits(a, b, width);
        let extend = |w: &[Lit]| {
            let mut w = Word::from_slice(w);
            w.push(Lit::FALSE);
            w
        };
        let product = self.mul(&extend(a), &extend(b));
        self.or(far, product[width])
    }

    /// The product does not fit, signed. With every bit compared to the sign, positions whose sum
    /// reaches the width minus one are too far; otherwise the product fits into one bit more.
    pub fn smul_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let extend = |w: &[Lit]| {
            let mut x = Word::from_slice(w);
            x.push(w[w.len() - 1]);
            x
        };
        let product = self.mul(&extend(a), &extend(b));
        let magnitude = |g: &mut Gates, w: &[Lit]| -> Word {
            let sign = w[w.len() - 1];
            w[..w.len() - 1].iter().map(|&l| g.xor(l, sign)).collect()
        };
        let (x, y) = (magnitude(self, a), magnitude(self, b));
        let far = self.far_bits(&x, &y, width - 1);
        let outside = self.xor(product[width], product[width - 1]);
        self.or(far, outside)
    }

    /// Are there set bits of `a` and `b` whose positions add up to at least `limit`?
    fn far_bits(&mut self, a: &[Lit], b: &[Lit], limit: usize) -> Lit {
        let mut pairs = Word::new();
        let mut any_above = Lit::FALSE;
        let mut next = b.len();
        for (n, &x) in a.iter().enumerate() {
            // Bits of `b` from `limit - n` up.
            let from = limit.saturating_sub(n);
            while next > from && next > 0 {
                next -= 1;
                any_above = self.or(any_above, b[next]);
            }
            pairs.push(self.and(x, any_above));
        }
        self.any(&pairs)
    }

    /// Quotient and remainder, unsigned; by zero, all ones and `a`.
    ///
    /// A constant divisor makes the multiplication in the inverse circuit a few additions (half the
    /// time of long division on the examples of `compare`). Otherwise long division: it computes by
    /// propagation alone once the operands are known, where the inverse has to search.
    pub fn udivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        if constant(b).is_some() { self.inverse_division(a, b) } else { self.long_division(a, b) }
    }

    /// As fresh words constrained by `a = quotient * b + remainder` without overflow and
    /// `remainder < b`: multiplication run backwards.
    fn inverse_division(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let (quotient, remainder) = (self.fresh_word(width), self.fresh_word(width));
        let divisor_is_zero = !self.any(b);
        let overflows = self.umul_overflows(&quotient, b);
        let product = self.mul(&quotient, b);
        let (sum, carry) = self.add_carry(&product, &remainder, Lit::FALSE);
        let equal = self.eq(&sum, a);
        let small = self.ult(&remainder, b);
        for holds in [!overflows, !carry, equal, small] {
            self.clause(&[divisor_is_zero, holds]);
        }
        for n in 0..width {
            self.clause(&[!divisor_is_zero, quotient[n]]);
            let same = self.xnor(remainder[n], a[n]);
            self.clause(&[!divisor_is_zero, same]);
        }
        (quotient, remainder)
    }

    /// Bit by bit from the top: shift the next bit in, subtract the divisor if it is not larger.
    /// What comes out for a zero divisor is just what is wanted.
    fn long_division(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut divisor = Word::from_slice(b);
        divisor.push(Lit::FALSE);
        let mut remainder = from_bits(width, 0);
        let mut quotient = from_bits(width, 0);
        for n in (0..width).rev() {
            let mut shifted = Word::from_slice(&[a[n]]);
            shifted.extend_from_slice(&remainder);
            let (difference, fits) = self.add_carry(&shifted, &not(&divisor), Lit::TRUE);
            quotient[n] = fits;
            remainder = self.mux_word(fits, &difference[..width], &shifted[..width]);
        }
        (quotient, remainder)
    }

    /// Shifts by a variable count: one layer of choices per bit of the count. `fill` comes in.
    pub fn shift(&mut self, a: &[Lit], count: &[Lit], left: bool, fill: Lit) -> Word {
        let width = a.len();
        let mut word = Word::from_slice(a);
        let mut too_far = Vec::new();
        for (n, &c) in count.iter().enumerate() {
            let by = if n < 16 { 1usize << n } else { usize::MAX };
            if by >= width {
                too_far.push(c);
                continue;
            }
            let moved: Word = (0..width)
                .map(|i| {
                    let from =
                        if left { i.checked_sub(by) } else { i.checked_add(by).filter(|&j| j < width) };
                    from.map_or(fill, |j| word[j])
                })
                .collect();
            word = self.mux_word(c, &moved, &word);
        }
        let too_far = self.any(&too_far);
        let filled: Word = std::iter::repeat_n(fill, width).collect();
        self.mux_word(too_far, &filled, &word)
    }
}
