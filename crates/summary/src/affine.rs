//! Affine spaces over the rationals, by elimination with whole numbers.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

/// `coefficients · x = constant`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equality {
    pub coefficients: Vec<BigInt>,
    pub constant: BigInt,
    /// A column in which no other equality of the same space has a coefficient.
    pub own: usize,
}

/// The smallest affine space through some points.
#[derive(Clone, Debug)]
pub struct Hull {
    origin: Vec<BigInt>,
    /// Directions in echelon form, each with the column of its first entry that is not zero; no
    /// other direction has an entry there.
    rows: Vec<(usize, Vec<BigInt>)>,
}

impl Hull {
    pub fn new(origin: Vec<BigInt>) -> Hull {
        Hull { origin, rows: Vec::new() }
    }

    /// Adds a point; was it outside?
    pub fn add(&mut self, point: &[BigInt]) -> bool {
        let mut row: Vec<BigInt> = point.iter().zip(&self.origin).map(|(a, b)| a - b).collect();
        for (column, other) in &self.rows {
            eliminate(&mut row, other, *column);
        }
        let Some(column) = row.iter().position(|a| a.sign() != Sign::NoSign) else { return false };
        for (_, other) in &mut self.rows {
            eliminate(other, &row, column);
        }
        self.rows.push((column, row));
        true
    }

    /// A basis of the equalities that hold in the space: one per column that is no direction's
    /// first.
    pub fn equalities(&self) -> Vec<Equality> {
        let width = self.origin.len();
        let free = (0..width).filter(|c| self.rows.iter().all(|(column, _)| column != c));
        let equality = |c: usize| {
            // The orthogonal vector with a 1 at `c`, and at a first column what cancels its row.
            let scale = self.rows.iter().fold(BigInt::from(1), |l, (column, row)| l.lcm(&row[*column]));
            let mut coefficients = vec![BigInt::ZERO; width];
            coefficients[c] = scale.clone();
            for (column, row) in &self.rows {
                coefficients[*column] = -(&row[c] * &scale) / &row[*column];
            }
            let gcd = coefficients.iter().fold(BigInt::ZERO, |g, a| g.gcd(a));
            coefficients.iter_mut().for_each(|a| *a = &*a / &gcd);
            let constant = coefficients.iter().zip(&self.origin).map(|(a, b)| a * b).sum();
            Equality { coefficients, constant, own: c }
        };
        free.map(equality).collect()
    }
}

/// Makes an entry of a row zero with another row that is not zero there.
fn eliminate(row: &mut [BigInt], with: &[BigInt], column: usize) {
    if row[column].sign() == Sign::NoSign {
        return;
    }
    let gcd = row[column].gcd(&with[column]);
    let (a, b) = (&with[column] / &gcd, &row[column] / &gcd);
    for (x, y) in row.iter_mut().zip(with) {
        *x = &*x * &a - y * &b;
    }
    let gcd = row.iter().fold(BigInt::ZERO, |g, x| g.gcd(x));
    if gcd > BigInt::from(1) {
        row.iter_mut().for_each(|x| *x = &*x / &gcd);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(values: &[i64]) -> Vec<BigInt> {
        values.iter().map(|&v| v.into()).collect()
    }

    #[test]
    fn equalities_of_a_plane() {
        // 2x - y + z = 5 and w = 7
        let points = [[0, 0, 5, 7], [1, 0, 3, 7], [1, 2, 5, 7], [4, 1, -2, 7]];
        let mut hull = Hull::new(point(&points[0]));
        let grown: Vec<bool> = points.iter().map(|p| hull.add(&point(p))).collect();
        assert_eq!(grown, [false, true, true, false]);
        let equalities = hull.equalities();
        assert_eq!(equalities.len(), 2);
        for e in &equalities {
            for p in &points {
                let sum: BigInt = e.coefficients.iter().zip(point(p)).map(|(a, b)| a * b).sum();
                assert_eq!(sum, e.constant);
            }
        }
        let w = equalities.iter().find(|e| e.coefficients[2] == BigInt::ZERO).expect("w = 7");
        assert_eq!(w.coefficients, point(&[0, 0, 0, 1]));
    }

    #[test]
    fn a_point_has_only_equalities() {
        let hull = Hull::new(point(&[3, -4]));
        let constants: Vec<BigInt> = hull.equalities().into_iter().map(|e| e.constant).collect();
        assert_eq!(constants, point(&[3, -4]));
    }
}
