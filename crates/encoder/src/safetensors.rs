//! Reads files in the safetensors format: the length of a header in eight bytes, the header in JSON,
//! and the numbers of all tensors.
//!
//! - **Cost:** reads the header; the numbers are mapped and read when used.
//! - **Invariant:** the bytes of a tensor are inside the file, and no two tensors share bytes.

use crate::directory::{invalid, unsupported};
use crate::tensor::{Numbers, Tensor};
use memmap2::Mmap;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::open_regular;
use xxhash_rust::xxh3::Xxh3;

/// Size in bytes of the length of the header.
const PREFIX: usize = 8;
/// Maximum size of a header in bytes. A tensor takes about 120, and the largest BERT has 400.
const MAX_HEADER: usize = 1 << 20;
/// The only key of a header that is not a tensor.
const METADATA: &str = "__metadata__";
/// Number of bytes at the start, middle and end of a tensor that are part of the digest.
const SAMPLE: usize = 256;

/// A tensor in the header.
#[derive(Debug, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// A mapped file of tensors.
pub(crate) struct Safetensors {
    path: PathBuf,
    map: Arc<Mmap>,
    /// Offset in the file that the offsets in the header are relative to.
    start: usize,
    entries: BTreeMap<String, Entry>,
}

impl Safetensors {
    /// Maps a file and checks its header.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, if the header is invalid, or if a tensor is
    /// outside the file or shares bytes with another.
    pub fn open(path: &Path) -> Result<Self> {
        let map = map(path)?;
        let (start, header) = header(&map).map_err(|reason| invalid(path, reason))?;
        let entries = entries(header).map_err(|reason| invalid(path, reason))?;
        check_ranges(&entries, map.len() - start).map_err(|reason| invalid(path, reason))?;
        Ok(Self { path: path.to_owned(), map: Arc::new(map), start, entries })
    }

    /// Returns a tensor with its name and shape.
    ///
    /// # Errors
    /// Returns an error if the tensor is missing, or has another shape, type or size.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let Some(entry) = self.entries.get(name) else {
            return Err(invalid(&self.path, format!("the tensor {name} is missing")));
        };
        if entry.shape != shape {
            let reason = format!("the tensor {name} has the shape {:?} instead of {shape:?}", entry.shape);
            return Err(invalid(&self.path, reason));
        }
        let Some(numbers) = Numbers::named(&entry.dtype) else {
            let reason = format!("the tensor {name} has the type {:?} instead of F32, F16 or BF16", entry.dtype);
            return Err(unsupported(&self.path, reason));
        };
        let size = shape.iter().try_fold(numbers.size(), |size, &length| size.checked_mul(length));
        let range = self.range(entry);
        if size != Some(range.len()) {
            return Err(invalid(
                &self.path,
                format!("the tensor {name} has {} bytes, but its shape does not", range.len()),
            ));
        }
        Ok(Tensor::new(&self.map, range, numbers))
    }

    /// Adds the header, the size of the file and a sample of each tensor to a digest. A training
    /// changes every tensor, so a sample distinguishes models.
    pub fn add_to(&self, digest: &mut Xxh3) {
        digest.update(&(self.map.len() as u64).to_le_bytes());
        digest.update(&self.map[..self.start]);
        for entry in self.entries.values() {
            let bytes = &self.map[self.range(entry)];
            for start in [0, bytes.len() / 2, bytes.len().saturating_sub(SAMPLE)] {
                digest.update(&bytes[start..bytes.len().min(start + SAMPLE)]);
            }
        }
    }

    fn range(&self, entry: &Entry) -> Range<usize> {
        let [start, end] = entry.data_offsets;
        self.start + start..self.start + end
    }
}

fn map(path: &Path) -> Result<Mmap> {
    let failed = |cause| Error::io(Kind::Model, "read", path, &cause);
    let file = open_regular(path).map_err(failed)?;
    // SAFETY: the bytes must not change while they are mapped, and the file must not shrink. Programs
    // that install a model replace its files, which keeps the old bytes mapped. If one truncates the
    // file instead, access beyond its new end raises SIGBUS and ends the run.
    #[allow(unsafe_code)]
    let map = unsafe { Mmap::map(&file) };
    map.map_err(failed)
}

/// Returns the end of the header and its bytes.
fn header(file: &[u8]) -> std::result::Result<(usize, &[u8]), String> {
    let Some((prefix, rest)) = file.split_first_chunk::<PREFIX>() else {
        return Err(format!("it has {} bytes, and is not a safetensors file", file.len()));
    };
    let length = u64::from_le_bytes(*prefix);
    if length > MAX_HEADER as u64 {
        return Err(format!("its header has {length} bytes, more than {MAX_HEADER}, or it is not a safetensors file"));
    }
    match rest.get(..length as usize) {
        Some(header) => Ok((PREFIX + header.len(), header)),
        None => Err(format!("its header has {length} bytes, but only {} follow", rest.len())),
    }
}

fn entries(header: &[u8]) -> std::result::Result<BTreeMap<String, Entry>, String> {
    let entries: BTreeMap<String, &RawValue> =
        serde_json::from_slice(header).map_err(|cause| format!("cannot parse its header: {cause}"))?;
    let parse = |(name, entry): (String, &RawValue)| match serde_json::from_str(entry.get()) {
        Ok(entry) => Ok((name, entry)),
        Err(cause) => Err(format!("cannot parse the tensor {name:?} in its header: {cause}")),
    };
    entries.into_iter().filter(|(name, _)| name != METADATA).map(parse).collect()
}

/// Checks that the ranges of tensors are inside the `length` bytes after the header and apart.
fn check_ranges(entries: &BTreeMap<String, Entry>, length: usize) -> std::result::Result<(), String> {
    let mut ranges: Vec<([usize; 2], &str)> =
        entries.iter().map(|(name, entry)| (entry.data_offsets, name.as_str())).collect();
    ranges.sort_unstable();
    let mut last = 0;
    for ([start, end], name) in ranges {
        if start > end || end > length {
            return Err(format!(
                "the tensor {name:?} is at bytes {start} to {end} of {length}: the file is truncated or damaged"
            ));
        }
        if start < last {
            return Err(format!("the tensor {name:?} at byte {start} overlaps the one before it"));
        }
        last = end;
    }
    Ok(())
}
