//! The semantic relation: what two fragments mean, as vectors.
//!
//! Paper:     FragRel, equation 11
//! Departs:   the paper prints `1 - cos`, which is a distance; a relation must be higher for what belongs together, so
//!            this is cos, and 0 where it is negative

use super::Relation;

/// The semantic relation of fragments with an embedding each.
pub struct Semantic {
    /// Unit vectors.
    vectors: Vec<Vec<f64>>,
}

impl Semantic {
    /// Over one embedding for each fragment, all of one dimension. A vector of zeros is related to nothing.
    pub fn new(embeddings: impl Iterator<Item = Vec<f64>>) -> Self {
        let unit = |vector: Vec<f64>| {
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 { vector.iter().map(|x| x / length).collect() } else { vector }
        };
        Self { vectors: embeddings.map(unit).collect() }
    }
}

impl Relation for Semantic {
    fn row(&self, fragment: u32) -> Vec<(u32, f64)> {
        let own = &self.vectors[fragment as usize];
        let cosine = |other: &Vec<f64>| own.iter().zip(other).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0);
        (0..).zip(&self.vectors).map(|(at, other)| (at, cosine(other))).filter(|&(_, weight)| weight > 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_the_same_way_is_related_and_what_points_away_is_not() {
        let relation = Semantic::new(
            [vec![1.0, 0.0], vec![2.0, 0.0], vec![1.0, 1.0], vec![-1.0, 0.0], vec![0.0, 0.0]].into_iter(),
        );
        let row = relation.row(0);
        assert_eq!(row.iter().map(|&(other, _)| other).collect::<Vec<_>>(), [0, 1, 2]);
        assert!((row[1].1 - 1.0).abs() < 1e-12 && (row[2].1 - 0.5f64.sqrt()).abs() < 1e-12);
        assert_eq!(relation.row(4), []);
    }
}
