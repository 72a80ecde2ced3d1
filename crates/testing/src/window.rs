//! Windows of a text, computed from their definition.

/// Returns the windows of a text: 20 lines each, each beginning 10 lines after the one before,
/// until one reaches the end. For each its first line (from 1), first byte, and byte after the
/// last.
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
