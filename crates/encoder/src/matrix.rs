//! Views of matrices in slices, their product, and transposition.
//!
//! **Cost:** the product runs on one thread with the widest vector instructions that the processor
//! has. `matrixmultiply` detects them when the program runs (AVX-512, FMA and AVX2, AVX, NEON). It
//! first copies both matrices, which takes longer than the product itself unless the columns of the
//! first and the rows of the second are contiguous.

/// Rows and columns that are transposed at once. A row of them fills a line of the cache.
const TILE: usize = 16;

/// A matrix whose rows or columns are apart by a fixed number of elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// Returns `rows` rows of `columns` elements, `row_stride` elements apart.
    ///
    /// # Panics
    /// Panics if the slice is too short.
    pub fn new(values: &'a [f32], rows: usize, columns: usize, row_stride: usize) -> Self {
        check_size(values.len(), rows, columns, row_stride);
        Self { values, rows, columns, row_stride, column_stride: 1 }
    }

    /// Returns the matrix with rows and columns exchanged.
    pub fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// A matrix that receives a product.
pub(crate) struct MatrixMut<'a> {
    values: &'a mut [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
}

impl<'a> MatrixMut<'a> {
    /// Returns `rows` rows of `columns` elements, `row_stride` elements apart.
    ///
    /// # Panics
    /// Panics if the slice is too short, or if rows overlap.
    pub fn new(values: &'a mut [f32], rows: usize, columns: usize, row_stride: usize) -> Self {
        check_size(values.len(), rows, columns, row_stride);
        assert!(columns <= row_stride, "rows overlap");
        Self { values, rows, columns, row_stride }
    }

    /// Sets this matrix to `scale * a * b + keep * this matrix`.
    ///
    /// # Panics
    /// Panics if the numbers of rows and columns do not fit together.
    pub fn set_product(self, scale: f32, a: Matrix, b: Matrix, keep: f32) {
        assert!(a.rows == self.rows && b.columns == self.columns && a.columns == b.rows, "sizes differ");
        // SAFETY: `check_size` ensured that all elements of the three matrices are inside their slices,
        // whose lengths are below `isize::MAX`. Rows of the result do not overlap.
        #[allow(unsafe_code)]
        unsafe {
            matrixmultiply::sgemm(
                self.rows,
                a.columns,
                self.columns,
                scale,
                a.values.as_ptr(),
                a.row_stride as isize,
                a.column_stride as isize,
                b.values.as_ptr(),
                b.row_stride as isize,
                b.column_stride as isize,
                keep,
                self.values.as_mut_ptr(),
                self.row_stride as isize,
                1,
            );
        }
    }
}

/// Checks that a slice contains the last element of a matrix.
fn check_size(length: usize, rows: usize, columns: usize, row_stride: usize) {
    let last = rows.checked_sub(1).and_then(|row| row.checked_mul(row_stride)?.checked_add(columns));
    assert!(last.is_none_or(|end| end <= length), "the matrix is larger than its slice");
    // An overflow must not pass as an empty matrix.
    assert!(rows == 0 || last.is_some(), "the matrix is too large");
}

/// Writes the transposed matrix of `columns` columns in `source` to `target`, in rows that are
/// `stride` elements apart.
///
/// # Panics
/// Panics if the target is too short, or if its rows overlap.
pub(crate) fn transpose(source: &[f32], columns: usize, target: &mut [f32], stride: usize) {
    let rows = source.len() / columns;
    check_size(target.len(), columns, rows, stride);
    assert!(rows <= stride, "rows overlap");
    let tiled = if columns < TILE { 0 } else { rows / TILE * TILE };
    for (number, lines) in source[..tiled * columns].chunks_exact(TILE * columns).enumerate() {
        let lines: [&[f32]; TILE] = std::array::from_fn(|i| &lines[i * columns..][..columns]);
        for column in (0..columns).step_by(TILE) {
            // The last tile overlaps the one before it.
            let column = column.min(columns - TILE);
            let tile: [&[f32]; TILE] = lines.map(|line| &line[column..][..TILE]);
            for j in 0..TILE {
                let turned: [f32; TILE] = std::array::from_fn(|i| tile[i][j]);
                target[(column + j) * stride + number * TILE..][..TILE].copy_from_slice(&turned);
            }
        }
    }
    for (row, line) in source.chunks_exact(columns).enumerate().skip(tiled) {
        line.iter().enumerate().for_each(|(column, &value)| target[column * stride + row] = value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 37 + 11) % 23) as f32 - 11.0).collect()
    }

    /// The product of parts of larger matrices, one transposed, equals that of three loops.
    #[test]
    fn multiplies_parts_of_matrices() {
        for (rows, inner, columns) in [(1, 1, 1), (3, 5, 2), (17, 9, 33), (126, 32, 126)] {
            let (a_stride, b_stride, c_stride) = (inner + 3, inner + 1, columns + 2);
            let (a, b, mut c) = (numbers(rows * a_stride), numbers(columns * b_stride), numbers(rows * c_stride));
            let mut expected = c.clone();
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let sum: f32 = (0..inner).map(|k| a[row * a_stride + k] * b[column * b_stride + k]).sum();
                expected[row * c_stride + column] += 2.0 * sum;
            }
            MatrixMut::new(&mut c, rows, columns, c_stride).set_product(
                2.0,
                Matrix::new(&a, rows, inner, a_stride),
                Matrix::new(&b, columns, inner, b_stride).transposed(),
                1.0,
            );
            assert_eq!(c, expected);
        }
    }

    /// Each column of a product depends only on that column of the second matrix, to the last bit.
    #[test]
    fn columns_do_not_change_each_other() {
        let (rows, inner, columns) = (20, 1536, 70);
        let fractions = |count| numbers(count).into_iter().map(|number| number / 7.0).collect::<Vec<f32>>();
        let (a, b) = (fractions(rows * inner), fractions(inner * columns));
        let product = |first: usize, count: usize| {
            let mut c = vec![0.1; rows * count];
            let (a, b) = (Matrix::new(&a, rows, inner, inner), Matrix::new(&b[first..], inner, count, columns));
            MatrixMut::new(&mut c, rows, count, count).set_product(1.0, a, b, 1.0);
            c
        };
        let all = product(0, columns);
        for (first, count) in [(0, 1), (0, 16), (3, 33), (31, 39), (69, 1)] {
            for (part, whole) in product(first, count).chunks(count).zip(all.chunks(columns)) {
                assert_eq!(part, &whole[first..first + count], "{count} columns from {first}");
            }
        }
    }

    #[test]
    fn transposes_matrices_of_all_sizes() {
        for (rows, columns) in (1..36).flat_map(|rows| (1..36).map(move |columns| (rows, columns))) {
            let source = numbers(rows * columns);
            let mut target = vec![0.0; columns * (rows + 1)];
            transpose(&source, columns, &mut target, rows + 1);
            let is_moved = |at: usize| target[at % columns * (rows + 1) + at / columns] == source[at];
            assert!((0..source.len()).all(is_moved), "{rows} rows, {columns} columns");
        }
    }

    #[test]
    #[should_panic(expected = "larger than its slice")]
    fn a_matrix_ends_inside_its_slice() {
        Matrix::new(&[0.0; 11], 3, 4, 4);
    }
}
