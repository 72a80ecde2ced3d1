//! A complete index, opened for reading.

use super::embeddings::Embeddings;
use super::graph_file::GraphFile;
use super::graph_section::SectionBytes;
use super::layout::Layout;
use super::manifest::{Manifest, Seals};
use super::map::MappedBytes;
use super::piece::GraphPiece;
use super::piece_writer::WrittenPiece;
use super::private::{create_file, write_private};
use super::sealed::{Damaged, SealWriter, SealedFile, catch_damaged};
use super::section_file::SectionFile;
use super::version::Fingerprint;
use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// The state of an index on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freshness {
    /// There is no index yet.
    Missing,
    /// The index was written by a different version of whichfn, or with other settings.
    Fingerprint,
    /// A file of the index is missing, truncated or changed.
    Damaged,
    /// The index can be used. This does not mean that the sources are unchanged.
    Usable,
}

/// Names of the files in a generation's folder.
pub(super) const MANIFEST: &str = "manifest";
pub(super) const BASE: &str = "base";
const OVERLAY: &str = "overlay";
pub(super) const LINKS: &str = "links";
const EMBEDDINGS: &str = "embeddings";

/// A complete index, opened for reading.
pub struct Generation {
    folder: PathBuf,
    /// The manifest, which lists the files that the index was built from.
    pub manifest: Manifest,
    /// The memory-mapped graph.
    pub graph: GraphFile,
    /// The vectors of the functions, or `None` if the caller chose no model.
    pub embeddings: Option<Embeddings>,
}

impl Generation {
    /// Opens the current generation of an index.
    ///
    /// # Errors
    /// Returns the reason why the index cannot be used.
    pub fn open(layout: &Layout, wanted: &Fingerprint) -> std::result::Result<Self, Freshness> {
        // A writer may remove the generation between the two steps. `CURRENT` then already names
        // the next one.
        let mut reason = Freshness::Missing;
        for _ in 0..3 {
            let Some(folder) = layout.current() else { return Err(Freshness::Missing) };
            match catch_damaged(|| Self::open_folder(&folder, wanted)).unwrap_or(Err(Freshness::Damaged)) {
                Ok(generation) => return Ok(generation),
                Err(error) => reason = error,
            }
            if layout.current().as_deref() == Some(&*folder) {
                break;
            }
        }
        Err(reason)
    }

    fn open_folder(folder: &Path, wanted: &Fingerprint) -> std::result::Result<Self, Freshness> {
        let bytes = std::fs::read(folder.join(MANIFEST)).map_err(|_| Freshness::Damaged)?;
        Self::from_parts(folder, read_manifest(&bytes, wanted)?, |seals| open_graph(folder, seals))
    }

    /// Opens the generation in `folder`, to which no `CURRENT` file refers. Members of an archive
    /// are built in such folders.
    ///
    /// # Errors
    /// Returns an error if the generation cannot be read back.
    pub fn open_unpublished(folder: &Path, wanted: &Fingerprint) -> Result<Self> {
        catch_damaged(|| Self::open_folder(folder, wanted))
            .unwrap_or(Err(Freshness::Damaged))
            .map_err(|_| unreadable(folder))
    }

    /// Opens a generation from its parts in an archive: manifest, base and links. Returns
    /// [`Freshness::Damaged`] if one of them is damaged.
    pub(super) fn from_bytes(parts: [MappedBytes; 3], wanted: &Fingerprint) -> std::result::Result<Self, Freshness> {
        let [manifest, base, links] = parts;
        let archive = base.path().to_owned();
        let open = |part: MappedBytes, seal: u64| SectionFile::new(SealedFile::from_bytes(part, Some(seal))?);
        let opened = || {
            Self::from_parts(&archive, read_manifest(manifest.all(), wanted)?, |seals| {
                let graph = GraphFile::new(open(base, seals.base)?, None, open(links, seals.links)?);
                graph.filter(|_| seals.overlay.is_none())
            })
        };
        catch_damaged(opened).unwrap_or(Err(Freshness::Damaged))
    }

    fn from_parts(
        folder: &Path,
        manifest: Manifest,
        graph: impl FnOnce(&Seals) -> Option<GraphFile>,
    ) -> std::result::Result<Self, Freshness> {
        let graph = graph(&manifest.seals).filter(|graph| graph.file_count() == manifest.files.len());
        Ok(Self { folder: folder.to_owned(), graph: graph.ok_or(Freshness::Damaged)?, manifest, embeddings: None })
    }

    /// Reads and checks the whole graph. A question, in contrast, checks only the blocks that it
    /// reads.
    ///
    /// # Errors
    /// Returns the first file that is damaged.
    pub fn verify(&self) -> std::result::Result<(), Damaged> {
        catch_damaged(|| self.graph.verify())
    }

    /// Writes the base of the graph, and returns its seal for the manifest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_base(folder: &Path, piece: &SectionBytes<'_>) -> Result<u64> {
        write_sealed(&folder.join(BASE), piece)
    }

    /// Writes the overlay of the graph, and returns its seal for the manifest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_overlay(folder: &Path, piece: &SectionBytes<'_>) -> Result<u64> {
        write_sealed(&folder.join(OVERLAY), piece)
    }

    /// Writes the links of the graph, and returns their seal for the manifest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_links(folder: &Path, links: &SectionBytes<'_>) -> Result<u64> {
        write_sealed(&folder.join(LINKS), links)
    }

    /// Shares this generation's base with a new generation, by a hard link or, if hard links do not
    /// work, by a copy. Returns its seal for the manifest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn share_base(&self, folder: &Path) -> Result<u64> {
        let (from, to) = (self.folder.join(BASE), folder.join(BASE));
        if std::fs::hard_link(&from, &to).is_err() {
            std::fs::copy(&from, &to).map_err(|cause| Error::io(Kind::Index, "write", &to, &cause))?;
        }
        Ok(self.manifest.seals.base)
    }

    /// Opens the base in a folder whose other files do not exist yet.
    ///
    /// # Errors
    /// Returns an error if the base cannot be read back.
    pub fn open_base(folder: &Path, seal: u64) -> Result<WrittenPiece> {
        written(&folder.join(BASE), seal)
    }

    /// Opens the overlay in a folder whose other files do not exist yet.
    ///
    /// # Errors
    /// Returns an error if the overlay cannot be read back.
    pub fn open_overlay(folder: &Path, seal: u64) -> Result<WrittenPiece> {
        written(&folder.join(OVERLAY), seal)
    }

    /// Invalidates the generation that contains a damaged file, so that the next refresh rebuilds
    /// it. Returns `false` for a file in an archive, because an archive does not belong to this
    /// program and cannot be rebuilt automatically.
    ///
    /// # Errors
    /// Returns an error if the manifest cannot be removed.
    pub fn discard(damaged: &Damaged) -> std::io::Result<bool> {
        let is_ours =
            damaged.file.file_name().is_some_and(|name| [BASE, OVERLAY, LINKS].iter().any(|own| name == *own));
        let manifest = damaged.file.with_file_name(MANIFEST);
        if is_ours && manifest.is_file() {
            std::fs::remove_file(manifest)?;
        }
        Ok(is_ours)
    }

    /// Writes the manifest, which completes the generation. All other files must be written before.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn seal(folder: &Path, manifest: &Manifest) -> Result<()> {
        write_file(&folder.join(MANIFEST), &manifest_bytes(manifest)?)
    }

    /// Replaces only the manifest, because only the times of the source files changed and not their
    /// contents.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn rewrite_manifest(&self, manifest: &Manifest) -> Result<()> {
        let temporary = self.folder.join("manifest.new");
        write_file(&temporary, &manifest_bytes(manifest)?)?;
        let path = self.folder.join(MANIFEST);
        std::fs::rename(&temporary, &path).map_err(|cause| Error::io(Kind::Index, "write", &path, &cause))
    }

    /// Opens the vectors that are stored with this generation, whichever model and content they are
    /// from. Returns `None` if there are none, or if they are damaged.
    pub fn stored_embeddings(&self) -> Option<Embeddings> {
        Embeddings::open(&self.folder.join(EMBEDDINGS))
    }

    /// Writes vectors to this generation, and replaces any existing ones. A process that has opened
    /// the old vectors keeps them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_embeddings(&self, bytes: &[u8]) -> Result<()> {
        let (temporary, path) = (self.folder.join("embeddings.new"), self.folder.join(EMBEDDINGS));
        write_file(&temporary, bytes)?;
        std::fs::rename(&temporary, &path).map_err(|cause| Error::io(Kind::Index, "write", &path, &cause))
    }

    /// Copies the vectors of one generation to another, so that the vectors of unchanged files need
    /// not be computed again. Failures are ignored, because vectors can be recomputed.
    pub fn copy_embeddings(from: &Path, to: &Path) {
        let (from, to) = (from.join(EMBEDDINGS), to.join(EMBEDDINGS));
        if std::fs::hard_link(&from, &to).is_err() && from.is_file() {
            let _ = std::fs::copy(&from, &to);
        }
    }

    /// Returns the folder that contains this generation.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn written(path: &Path, seal: u64) -> Result<WrittenPiece> {
    let sections = SealedFile::open(path, seal).and_then(SectionFile::new);
    Ok(WrittenPiece(GraphPiece::new(sections.ok_or_else(|| unreadable(path))?)))
}

fn unreadable(path: &Path) -> Error {
    let what = format!("cannot read {}, although it was just written", path.display());
    Error::new(Kind::Index, what, Remedy::CheckDisk)
}

/// Opens the graph in a generation's folder. Returns `None` if a file is missing, truncated or from
/// a different generation.
fn open_graph(folder: &Path, seals: &Seals) -> Option<GraphFile> {
    let open = |name: &str, seal: u64| SectionFile::new(SealedFile::open(&folder.join(name), seal)?);
    let overlay = match seals.overlay {
        Some(seal) => Some(open(OVERLAY, seal)?),
        None => None,
    };
    GraphFile::new(open(BASE, seals.base)?, overlay, open(LINKS, seals.links)?)
}

/// Serializes the manifest. It begins with the format version and its own checksum, so that a
/// manifest from a different version can be distinguished from a damaged manifest.
fn manifest_bytes(manifest: &Manifest) -> Result<Vec<u8>> {
    let body = postcard::to_allocvec(manifest)
        .map_err(|cause| Error::new(Kind::Index, format!("cannot write the manifest: {cause}"), "report this bug"))?;
    let mut bytes = Vec::with_capacity(body.len() + 16);
    bytes.extend(u64::from(manifest.fingerprint.format).to_le_bytes());
    bytes.extend(xxhash_rust::xxh3::xxh3_64(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

fn read_manifest(bytes: &[u8], wanted: &Fingerprint) -> std::result::Result<Manifest, Freshness> {
    let word = |at: usize| {
        bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes).ok_or(Freshness::Damaged)
    };
    if word(0)? != u64::from(wanted.format) {
        return Err(Freshness::Fingerprint);
    }
    let body = bytes.get(16..).ok_or(Freshness::Damaged)?;
    if word(8)? != xxhash_rust::xxh3::xxh3_64(body) {
        return Err(Freshness::Damaged);
    }
    let manifest: Manifest = postcard::from_bytes(body).map_err(|_| Freshness::Damaged)?;
    if manifest.fingerprint == *wanted { Ok(manifest) } else { Err(Freshness::Fingerprint) }
}

fn write_sealed(path: &Path, sections: &SectionBytes<'_>) -> Result<u64> {
    let written = || {
        let mut writer = SealWriter::new(create_file(path)?);
        sections.write(&mut writer)?;
        writer.finish()
    };
    written().map_err(|cause| Error::io(Kind::Index, "write", path, &cause))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    write_private(path, bytes).map_err(|cause| Error::io(Kind::Index, "write", path, &cause))
}
