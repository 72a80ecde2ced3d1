//! Variable-length unsigned numbers (LEB128). Each byte has seven bits of the number, lowest bits
//! first. The top bit means that another byte follows.

/// Appends a number in 1 to 5 bytes. Numbers below 128 take 1 byte.
pub fn write(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number from the beginning of `rest`, and advances `rest` past it. Returns `None` if the
/// bytes end too early, or if the number has more than 5 bytes.
pub fn read(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_round_trip_in_minimal_length() {
        for (number, bytes) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u32::MAX, 5)] {
            let mut packed = Vec::new();
            write(&mut packed, number);
            assert_eq!(packed.len(), bytes, "{number}");
            assert_eq!(read(&mut packed.as_slice()), Some(number));
            assert_eq!(read(&mut &packed[..bytes - 1]), None, "a torn end");
        }
    }
}
