//! Computes the windows of a string directly from their definition.

/// Returns the windows of a string: 20 lines each, each starting 10 lines after the previous one,
/// until a window reaches the end. For each window, the result has the first line (starting at 1),
/// the offset of the first byte, and the offset after the last byte.
pub fn windows_of(text: &str) -> Vec<(usize, usize, usize)> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    let lines = starts.len();
    let byte = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let mut windows = Vec::new();
    let mut first = 0;
    while first < lines {
        windows.push((first + 1, byte(first), byte(first + 20)));
        if first + 20 >= lines {
            break;
        }
        first += 10;
    }
    windows
}
