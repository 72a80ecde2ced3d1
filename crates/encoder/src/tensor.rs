//! The numbers of a tensor, in the mapped file or converted from it.

use memmap2::Mmap;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A type of numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Floats of 32 bits.
    F32,
    /// Floats of 16 bits, as in IEEE 754.
    F16,
    /// The upper halves of floats of 32 bits.
    Bf16,
}

impl Numbers {
    /// Returns the type with a name in a file.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "F32" => Some(Self::F32),
            "F16" => Some(Self::F16),
            "BF16" => Some(Self::Bf16),
            _ => None,
        }
    }

    /// Returns the size of a number in bytes.
    pub fn size(self) -> usize {
        if self == Self::F32 { 4 } else { 2 }
    }

    fn convert(self, bytes: &[u8]) -> Vec<f32> {
        let halves = || bytes.as_chunks().0.iter().map(|&half| u16::from_le_bytes(half));
        match self {
            Self::F32 => bytes.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect(),
            Self::F16 => halves().map(from_half).collect(),
            Self::Bf16 => halves().map(|half| f32::from_bits(u32::from(half) << 16)).collect(),
        }
    }
}

/// Converts a float of 16 bits: a sign, 5 bits of exponent and 10 of mantissa.
fn from_half(half: u16) -> f32 {
    let (sign, exponent, mantissa) = (u32::from(half >> 15) << 31, u32::from(half >> 10 & 31), u32::from(half & 1023));
    match exponent {
        // Subnormal: a multiple of 2^-24.
        0 => f32::from_bits(sign | (mantissa as f32 * 2.0f32.powi(-24)).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | mantissa << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}

/// The numbers of a tensor, row by row.
#[derive(Debug)]
pub(crate) enum Tensor {
    /// A range of a mapped file that is aligned, and a multiple of four bytes.
    Mapped(Arc<Mmap>, Range<usize>),
    /// Converted numbers.
    Owned(Vec<f32>),
}

impl Tensor {
    /// Returns the tensor in a range of a mapped file. Numbers that cannot be used in place are
    /// converted into memory.
    ///
    /// # Panics
    /// Panics if the file does not contain the range.
    pub fn new(map: &Arc<Mmap>, range: Range<usize>, numbers: Numbers) -> Self {
        let bytes = &map[range.clone()];
        let is_usable = numbers == Numbers::F32
            && cfg!(target_endian = "little")
            && bytemuck::try_cast_slice::<u8, f32>(bytes).is_ok();
        if is_usable { Self::Mapped(Arc::clone(map), range) } else { Self::Owned(numbers.convert(bytes)) }
    }
}

impl Deref for Tensor {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match self {
            Self::Mapped(map, range) => bytemuck::cast_slice(&map[range.clone()]),
            Self::Owned(numbers) => numbers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts a float of 16 bits by the definition of IEEE 754.
    fn slow(half: u16) -> f64 {
        let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
        let (exponent, mantissa) = (i32::from(half >> 10 & 31), f64::from(half & 1023) / 1024.0);
        match exponent {
            0 => sign * mantissa * 2f64.powi(-14),
            31 if mantissa == 0.0 => sign * f64::INFINITY,
            31 => f64::NAN,
            _ => sign * (1.0 + mantissa) * 2f64.powi(exponent - 15),
        }
    }

    #[test]
    fn every_half_is_converted_exactly() {
        for half in 0..=u16::MAX {
            let (fast, slow) = (f64::from(from_half(half)), slow(half));
            assert!(fast == slow || fast.is_nan() && slow.is_nan(), "{half:#x}: {fast} instead of {slow}");
        }
    }
}
