//! Float circuits.
//!
//! A float is a word with its IEEE encoding, the NaN always in one form, so
//! that equality of floats is equality of words. Operations take their
//! operands apart, compute exactly (with a sticky bit for what lies below), and
//! round once, as [`Gates::rounding`] says, in [`Gates::round`]. The algorithms
//! are those of the textbooks (Muller et al., "Handbook of floating-point
//! arithmetic", chapter 8).

use cairn_term::Round;
use cairn_term::sort::float_format;
use cairn_value::FloatTy;

use super::gates::{Gates, Lit};
use super::words::{Word, from_bits, not};

#[derive(Copy, Clone)]
pub struct Format {
    exponent: usize,
    /// Bits of the significand, the leading one counted.
    precision: usize,
}

impl Format {
    pub fn of(ty: FloatTy) -> Format {
        let (exponent, precision) = float_format(ty);
        Format { exponent: exponent as usize, precision: precision as usize }
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn width(self) -> usize {
        self.exponent + self.precision
    }

    /// The positive infinity.
    fn infinity(self) -> Word {
        self.pattern(false, true)
    }

    fn nan(self) -> Word {
        self.pattern(true, true)
    }

    fn pattern(self, quiet: bool, ones: bool) -> Word {
        let mut word = from_bits(self.width(), 0);
        for bit in &mut word[self.precision - 1..self.width() - 1] {
            *bit = Lit::constant(ones);
        }
        word[self.precision - 2] = Lit::constant(quiet);
        word
    }
}

/// A float taken apart. For anything but the NaN, infinities and zeroes it is
/// `±significand * 2^exponent` with the significand between 1 and 2.
struct Parts {
    nan: Lit,
    inf: Lit,
    zero: Lit,
    sign: Lit,
    /// In two's complement.
    exponent: Word,
    significand: Word,
}

fn signed_constant(width: usize, value: i64) -> Word {
    from_bits(width, value as i128 as u128)
}

fn sign_extended(a: &[Lit], width: usize) -> Word {
    let mut word = Word::from_slice(a);
    word.resize(width.max(a.len()), a[a.len() - 1]);
    word
}

fn zero_extended(a: &[Lit], width: usize) -> Word {
    let mut word = Word::from_slice(a);
    word.resize(width.max(a.len()), Lit::FALSE);
    word
}

/// With so many zeroes below.
fn above_zeroes(a: &[Lit], zeroes: usize) -> Word {
    let mut word = from_bits(zeroes, 0);
    word.extend_from_slice(a);
    word
}

impl Gates {
    fn gate_word(&mut self, a: &[Lit], when: Lit) -> Word {
        a.iter().map(|&l| self.and(l, when)).collect()
    }

    fn fields<'a>(&self, f: Format, a: &'a [Lit]) -> (&'a [Lit], &'a [Lit], Lit) {
        (&a[..f.precision - 1], &a[f.precision - 1..f.width() - 1], a[f.width() - 1])
    }

    pub fn float_is_nan(&mut self, f: Format, a: &[Lit]) -> Lit {
        let (fraction, exponent, _) = self.fields(f, a);
        let (ones, some) = (self.all(exponent), self.any(fraction));
        self.and(ones, some)
    }

    pub fn float_is_inf(&mut self, f: Format, a: &[Lit]) -> Lit {
        let (fraction, exponent, _) = self.fields(f, a);
        let (ones, some) = (self.all(exponent), self.any(fraction));
        self.and(ones, !some)
    }

    pub fn float_is_zero(&mut self, f: Format, a: &[Lit]) -> Lit {
        !self.any(&a[..f.width() - 1])
    }

    pub fn float_is_normal(&mut self, f: Format, a: &[Lit]) -> Lit {
        let (_, exponent, _) = self.fields(f, a);
        let (ones, some) = (self.all(exponent), self.any(exponent));
        self.and(!ones, some)
    }

    pub fn float_is_subnormal(&mut self, f: Format, a: &[Lit]) -> Lit {
        let (fraction, exponent, _) = self.fields(f, a);
        let (some_exponent, some) = (self.any(exponent), self.any(fraction));
        self.and(!some_exponent, some)
    }

    pub fn float_is_negative(&mut self, f: Format, a: &[Lit]) -> Lit {
        let nan = self.float_is_nan(f, a);
        self.and(a[f.width() - 1], !nan)
    }

    /// Any encoding, with the NaN in its one form.
    pub fn float_from_ieee(&mut self, f: Format, bits: &[Lit]) -> Word {
        let nan = self.float_is_nan(f, bits);
        self.mux_word(nan, &f.nan(), bits)
    }

    /// The pattern of C, with that of a NaN given. The x87 format (the only one whose patterns are
    /// longer than its encoding) shows the leading bit of the significand.
    pub fn float_to_bits(&mut self, f: Format, a: &[Lit], nan: &[Lit]) -> Word {
        let shown = nan.len() > f.width();
        let mut other = Word::from_slice(nan);
        if shown {
            other.remove(f.precision - 1);
        }
        // Made a NaN if it is none.
        let empty = !self.any(&other[..f.precision - 1]);
        other[f.precision - 2] = self.or(other[f.precision - 2], empty);
        for bit in &mut other[f.precision - 1..f.width() - 1] {
            *bit = Lit::TRUE;
        }
        let is_nan = self.float_is_nan(f, a);
        let mut word = self.mux_word(is_nan, &other, a);
        if shown {
            let leading = self.any(&a[f.precision - 1..f.width() - 1]);
            word.insert(f.precision - 1, leading);
        }
        word
    }

    pub fn float_neg(&mut self, f: Format, a: &[Lit]) -> Word {
        let nan = self.float_is_nan(f, a);
        let mut word = Word::from_slice(a);
        word[f.width() - 1] = self.and(!a[f.width() - 1], !nan);
        word
    }

    pub fn float_abs(&mut self, f: Format, a: &[Lit]) -> Word {
        let mut word = Word::from_slice(a);
        word[f.width() - 1] = Lit::FALSE;
        word
    }

    pub fn float_eq(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let nan = self.float_is_nan(f, a);
        let same = self.eq(a, b);
        let (zero_a, zero_b) = (self.float_is_zero(f, a), self.float_is_zero(f, b));
        let zeroes = self.and(zero_a, zero_b);
        let equal = self.or(same, zeroes);
        self.and(equal, !nan)
    }

    pub fn float_lt(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let top = f.width() - 1;
        let (nan_a, nan_b) = (self.float_is_nan(f, a), self.float_is_nan(f, b));
        let (zero_a, zero_b) = (self.float_is_zero(f, a), self.float_is_zero(f, b));
        let zeroes = self.and(zero_a, zero_b);
        let (below, above) = (self.ult(&a[..top], &b[..top]), self.ult(&b[..top], &a[..top]));
        // Of equal signs the magnitudes decide; otherwise the negative one is less.
        let same_sign = self.mux(a[top], above, below);
        let differ = self.xor(a[top], b[top]);
        let less = self.mux(differ, a[top], same_sign);
        self.all(&[less, !nan_a, !nan_b, !zeroes])
    }

    pub fn float_le(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (less, equal) = (self.float_lt(f, a, b), self.float_eq(f, a, b));
        self.or(less, equal)
    }

    /// Shifted left until the highest bit is set, and by how much. (Zero stays zero.)
    fn normalise(&mut self, a: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let mut word = Word::from_slice(a);
        let mut count = from_bits(stages.max(1), 0);
        for n in (0..stages).rev() {
            let by = 1 << n;
            let empty = !self.any(&word[width - by..]);
            let moved = above_zeroes(&word[..width - by], by);
            word = self.mux_word(empty, &moved, &word);
            count[n] = empty;
        }
        (word, count)
    }

    /// Shifted right; the lowest bit is set if anything was lost.
    fn shift_right_sticky(&mut self, a: &[Lit], count: &[Lit]) -> Word {
        let width = a.len();
        let mut word = Word::from_slice(a);
        let mut too_far = Word::new();
        for (n, &c) in count.iter().enumerate() {
            let by = if n < 16 { 1usize << n } else { usize::MAX };
            if by >= width {
                too_far.push(c);
                continue;
            }
            let lost = self.any(&word[..by]);
            let mut moved = zero_extended(&word[by..], width);
            moved[0] = self.or(moved[0], lost);
            word = self.mux_word(c, &moved, &word);
        }
        let too_far = self.any(&too_far);
        let mut gone = from_bits(width, 0);
        gone[0] = self.any(&word);
        self.mux_word(too_far, &gone, &word)
    }

    fn take_apart(&mut self, f: Format, a: &[Lit]) -> Parts {
        let (fraction, field, sign) = self.fields(f, a);
        let denormal = !self.any(field);
        let mut significand = Word::from_slice(fraction);
        significand.push(!denormal);
        let (significand, zeros) = self.normalise(&significand);
        let width = f.exponent + 2;
        let mut exponent = zero_extended(field, width);
        // Subnormal numbers have the exponent of the smallest normal ones.
        exponent[0] = self.or(exponent[0], denormal);
        let exponent = self.sub(&exponent, &signed_constant(width, f.bias()));
        let exponent = self.sub(&exponent, &zero_extended(&zeros, width));
        Parts {
            nan: self.float_is_nan(f, a),
            inf: self.float_is_inf(f, a),
            zero: self.float_is_zero(f, a),
            sign,
            exponent,
            significand,
        }
    }

    /// The float nearest to `±significand * 2^exponent`, where the significand lies between 1 and 2:
    /// its highest bit is set. Its lowest bit may stand for anything nonzero below it, if it has at
    /// least two bits more than the format's precision.
    fn round(&mut self, f: Format, sign: Lit, exponent: &[Lit], significand: &[Lit]) -> Word {
        let p = f.precision;
        let significand = above_zeroes(significand, (p + 2).saturating_sub(significand.len()));
        let width = exponent.len().max(f.exponent + 2) + 1;
        let exponent = sign_extended(exponent, width);
        let least = signed_constant(width, 1 - f.bias());
        let subnormal = self.slt(&exponent, &least);
        let missing = self.sub(&least, &exponent);
        let missing = self.gate_word(&missing, subnormal);
        let aligned = self.shift_right_sticky(&significand, &missing);
        let (rest, kept) = aligned.split_at(aligned.len() - p);
        let (sticky, guard) = (self.any(&rest[..rest.len() - 1]), rest[rest.len() - 1]);
        let inexact = self.or(sticky, guard);
        let up = match self.rounding {
            Round::NearestAway => guard,
            Round::Up => self.and(inexact, !sign),
            Round::Down => self.and(inexact, sign),
            Round::ToZero => Lit::FALSE,
            Round::NearestEven => {
                let odd = self.or(sticky, kept[0]);
                self.and(guard, odd)
            }
        };
        // The carry of the fraction goes into the exponent, up to infinity.
        let biased = self.add(&exponent, &signed_constant(width, f.bias()));
        let field = self.gate_word(&biased[..f.exponent], !subnormal);
        let mut magnitude = Word::from_slice(&kept[..p - 1]);
        magnitude.extend(field);
        let zero = from_bits(magnitude.len(), 0);
        let (magnitude, _) = self.add_carry(&magnitude, &zero, up);
        let overflow = self.slt(&signed_constant(width, f.bias()), &exponent);
        // Beyond all numbers: the infinity, or the largest number, whatever is in that direction.
        let short = match self.rounding {
            Round::NearestEven | Round::NearestAway => Lit::FALSE,
            Round::Up => sign,
            Round::Down => !sign,
            Round::ToZero => Lit::TRUE,
        };
        let mut largest = from_bits(f.width() - 1, u128::MAX);
        largest[f.precision - 1] = Lit::FALSE;
        let beyond = self.mux_word(short, &largest, &f.infinity()[..f.width() - 1]);
        let mut result = self.mux_word(overflow, &beyond, &magnitude);
        result.push(sign);
        result
    }

    /// A result with its special cases; the first that holds wins.
    fn specials(&mut self, f: Format, number: Word, nan: Lit, inf: Lit, zero: Lit, sign: Lit) -> Word {
        let with_sign = |mut word: Word| {
            word[f.width() - 1] = sign;
            word
        };
        let zeroes = with_sign(from_bits(f.width(), 0));
        let infinity = with_sign(f.infinity());
        let result = self.mux_word(zero, &zeroes, &number);
        let result = self.mux_word(inf, &infinity, &result);
        self.mux_word(nan, &f.nan(), &result)
    }

    pub fn float_add(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Word {
        let top = f.width() - 1;
        // The larger magnitude first.
        let swap = self.ult(&a[..top], &b[..top]);
        let (big, small) = (self.mux_word(swap, b, a), self.mux_word(swap, a, b));
        let open = |g: &mut Gates, w: &[Lit]| {
            let (fraction, field, _) = g.fields(f, w);
            let denormal = !g.any(field);
            let mut significand = above_zeroes(fraction, 3);
            significand.push(!denormal);
            let mut exponent = Word::from_slice(field);
            exponent[0] = g.or(exponent[0], denormal);
            (exponent, significand)
        };
        let ((exponent, x), (lower, y)) = (open(self, &big), open(self, &small));
        let distance = self.sub(&exponent, &lower);
        // Three more bits below are enough: one for rounding, one that normalising may need, and
        // the sticky one.
        let y = self.shift_right_sticky(&y, &distance);
        let subtract = self.xor(big[top], small[top]);
        let width = x.len() + 1;
        let y: Word = zero_extended(&y, width).iter().map(|&l| self.xor(l, subtract)).collect();
        let (sum, _) = self.add_carry(&zero_extended(&x, width), &y, subtract);
        let empty = !self.any(&sum);
        let (significand, zeros) = self.normalise(&sum);
        let width = f.exponent + 2;
        let exponent = zero_extended(&exponent, width);
        // The sum has one bit in front of the point more than its operands.
        let exponent = self.sub(&exponent, &signed_constant(width, f.bias() - 1));
        let exponent = self.sub(&exponent, &zero_extended(&zeros, width));
        let number = self.round(f, big[top], &exponent, &significand);
        let (nan_a, nan_b) = (self.float_is_nan(f, a), self.float_is_nan(f, b));
        let (inf_a, inf_b) = (self.float_is_inf(f, a), self.float_is_inf(f, b));
        let opposite = self.all(&[inf_a, inf_b, subtract]);
        let nan = self.any(&[nan_a, nan_b, opposite]);
        let inf = self.or(inf_a, inf_b);
        // A sum of nothing is negative only if both operands are (or one is, rounding down).
        let both = match self.rounding {
            Round::Down => self.or(a[top], b[top]),
            _ => self.and(a[top], b[top]),
        };
        let sign = self.mux(empty, both, big[top]);
        self.specials(f, number, nan, inf, empty, sign)
    }

    pub fn float_sub(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Word {
        let minus = self.float_neg(f, b);
        self.float_add(f, a, &minus)
    }

    pub fn float_mul(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.take_apart(f, a), self.take_apart(f, b));
        let width = 2 * f.precision;
        let product = self.mul(&zero_extended(&x.significand, width), &zero_extended(&y.significand, width));
        // Between 1 and 4.
        let high = product[width - 1];
        let moved = above_zeroes(&product[..width - 1], 1);
        let significand = self.mux_word(high, &product, &moved);
        let xw = f.exponent + 3;
        let carry = zero_extended(&[high], xw);
        let exponent = self.add(&sign_extended(&x.exponent, xw), &sign_extended(&y.exponent, xw));
        let exponent = self.add(&exponent, &carry);
        let sign = self.xor(x.sign, y.sign);
        let number = self.round(f, sign, &exponent, &significand);
        let (zero_inf, inf_zero) = (self.and(x.zero, y.inf), self.and(x.inf, y.zero));
        let nan = self.any(&[x.nan, y.nan, zero_inf, inf_zero]);
        let (inf, zero) = (self.or(x.inf, y.inf), self.or(x.zero, y.zero));
        self.specials(f, number, nan, inf, zero, sign)
    }

    pub fn float_div(&mut self, f: Format, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.take_apart(f, a), self.take_apart(f, b));
        // Bit by bit; the quotient lies between 1/2 and 2, and one bit says whether something is left.
        let p = f.precision;
        let divisor = zero_extended(&y.significand, p + 1);
        let mut rest = zero_extended(&x.significand, p + 1);
        let mut quotient = Word::new();
        for _ in 0..p + 3 {
            let (difference, fits) = self.add_carry(&rest, &not(&divisor), Lit::TRUE);
            quotient.push(fits);
            let left = self.mux_word(fits, &difference, &rest);
            // Less than the divisor, so that its highest bit is free.
            rest = above_zeroes(&left[..p], 1);
        }
        quotient.push(self.any(&rest));
        quotient.reverse();
        let high = quotient[p + 3];
        let moved = above_zeroes(&quotient[..p + 3], 1);
        let significand = self.mux_word(high, &quotient, &moved);
        let xw = f.exponent + 3;
        let exponent = self.sub(&sign_extended(&x.exponent, xw), &sign_extended(&y.exponent, xw));
        let borrow = zero_extended(&[!high], xw);
        let exponent = self.sub(&exponent, &borrow);
        let sign = self.xor(x.sign, y.sign);
        let number = self.round(f, sign, &exponent, &significand);
        let (zeroes, infs) = (self.and(x.zero, y.zero), self.and(x.inf, y.inf));
        let nan = self.any(&[x.nan, y.nan, zeroes, infs]);
        let (inf, zero) = (self.or(x.inf, y.zero), self.or(x.zero, y.inf));
        self.specials(f, number, nan, inf, zero, sign)
    }

    pub fn float_sqrt(&mut self, f: Format, a: &[Lit]) -> Word {
        let x = self.take_apart(f, a);
        // An even exponent, and a radicand between 1 and 4.
        let odd = x.exponent[0];
        let n = f.precision + 2;
        let wide = zero_extended(&x.significand, f.precision + 1);
        let doubled = above_zeroes(&x.significand, 1);
        let radicand = self.mux_word(odd, &doubled, &wide);
        // Two bits before the point; two bits of radicand per bit of root.
        let radicand = above_zeroes(&radicand, 2 * n - (f.precision + 1));
        let width = n + 2;
        let mut rest = from_bits(width, 0);
        let mut root = from_bits(width, 0);
        for k in (0..n).rev() {
            let mut shifted = Word::from_slice(&[radicand[2 * k], radicand[2 * k + 1]]);
            shifted.extend_from_slice(&rest[..width - 2]);
            let mut trial = Word::from_slice(&[Lit::TRUE, Lit::FALSE]);
            trial.extend_from_slice(&root[..width - 2]);
            let (difference, fits) = self.add_carry(&shifted, &not(&trial), Lit::TRUE);
            rest = self.mux_word(fits, &difference, &shifted);
            root = above_zeroes(&root[..width - 1], 1);
            root[0] = fits;
        }
        let mut significand = Word::from_slice(&[self.any(&rest)]);
        significand.extend_from_slice(&root[..n]);
        // Half the exponent, rounded down.
        let exponent = sign_extended(&x.exponent[1..], f.exponent + 2);
        let number = self.round(f, Lit::FALSE, &exponent, &significand);
        let negative = self.and(x.sign, !x.zero);
        let nan = self.or(x.nan, negative);
        self.specials(f, number, nan, x.inf, x.zero, x.sign)
    }

    pub fn float_round(&mut self, f: Format, mode: Round, a: &[Lit]) -> Word {
        let p = f.precision;
        let x = self.take_apart(f, a);
        let width = f.exponent + 3;
        let exponent = sign_extended(&x.exponent, width);
        // How far the point is inside the significand; not at all for large numbers.
        let inside = self.sub(&signed_constant(width, p as i64 - 1), &exponent);
        let large = inside[width - 1];
        let inside = self.gate_word(&inside, !large);
        let fixed = self.shift_right_sticky(&above_zeroes(&x.significand, 2), &inside);
        let (sticky, guard, whole) = (fixed[0], fixed[1], &fixed[2..]);
        let inexact = self.or(guard, sticky);
        let up = match mode {
            Round::NearestEven => {
                let odd = self.or(sticky, whole[0]);
                self.and(guard, odd)
            }
            Round::NearestAway => guard,
            Round::Up => self.and(inexact, !x.sign),
            Round::Down => self.and(inexact, x.sign),
            Round::ToZero => Lit::FALSE,
        };
        let whole = zero_extended(whole, p + 1);
        let (whole, _) = self.add_carry(&whole, &from_bits(p + 1, 0), up);
        let number = self.magnitude_as_float(f, x.sign, &whole);
        let unchanged = self.any(&[large, x.nan, x.inf, x.zero]);
        self.mux_word(unchanged, a, &number)
    }

    /// A whole number with a sign. Nothing is zero with that sign.
    fn magnitude_as_float(&mut self, f: Format, sign: Lit, magnitude: &[Lit]) -> Word {
        let zero = !self.any(magnitude);
        let (significand, zeros) = self.normalise(magnitude);
        let width = f.exponent.max(zeros.len()) + 2;
        let exponent =
            self.sub(&signed_constant(width, magnitude.len() as i64 - 1), &zero_extended(&zeros, width));
        let number = self.round(f, sign, &exponent, &significand);
        self.specials(f, number, Lit::FALSE, Lit::FALSE, zero, sign)
    }

    pub fn float_from_int(&mut self, f: Format, signed: bool, a: &[Lit]) -> Word {
        let sign = if signed { a[a.len() - 1] } else { Lit::FALSE };
        let minus = self.neg(a);
        let magnitude = self.mux_word(sign, &minus, a);
        self.magnitude_as_float(f, sign, &magnitude)
    }

    /// Truncated. Meaningless if it does not fit.
    pub fn float_to_int(&mut self, f: Format, width: usize, a: &[Lit]) -> Word {
        let x = self.take_apart(f, a);
        // The significand moves left out of the bits behind the point.
        let bits = (usize::BITS - (width - 1).leading_zeros()).max(1) as usize;
        let count = sign_extended(&x.exponent, bits.max(x.exponent.len()));
        let fixed = zero_extended(&x.significand, width + f.precision - 1);
        let moved = self.shift(&fixed, &count[..bits], true, Lit::FALSE);
        let below_one = self.or(x.exponent[x.exponent.len() - 1], x.zero);
        let magnitude = self.gate_word(&moved[f.precision - 1..], !below_one);
        let minus = self.neg(&magnitude);
        self.mux_word(x.sign, &minus, &magnitude)
    }

    pub fn float_convert(&mut self, from: Format, to: Format, a: &[Lit]) -> Word {
        let x = self.take_apart(from, a);
        let number = self.round(to, x.sign, &x.exponent, &x.significand);
        self.specials(to, number, x.nan, x.inf, x.zero, x.sign)
    }
}
