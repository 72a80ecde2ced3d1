//! The index of a repository on disk. Files become fragments, words and a graph, which are written
//! once and read in place.
//!
//! # How the index is kept fresh and atomic
//!
//! **Scan.** Before each answer, `crates/scan/src/rescan.rs` calls `stat` once for each directory
//! and file that the last scan found. The file `tree`, next to the generations, stores that scan:
//! the times and inodes of directories and of the files with ignore rules. Only changed directories
//! are listed again, or all directories if ignore rules changed. A file counts as unchanged if its
//! size, times and inode match the manifest, and the times are at least two seconds before the last
//! scan, because some file systems store times with low resolution. Otherwise the file is read, and
//! its hash decides (`index/plan.rs`).
//!
//! **Write.** If nothing changed, the open generation is used. Otherwise one writer takes `LOCK`
//! and records its progress in it; other processes wait, or answer from the old index
//! (`index/lock.rs`). The writer works in a folder `unfinished-*`. It parses the changed files and
//! writes them to an *overlay* (`index/tables.rs`). The *base*, which contains the data of all
//! other files, is shared with the previous generation by a hard link. When the overlay grows above
//! a sixteenth of the base, everything is written as a new base. Because a change in one file can
//! move calls in another, the affected files are linked again (`whichfn_graph::relink`), and the
//! *links* are written (`store/graph_file.rs`). Finally the folder is renamed to `generation-N`,
//! and the file `CURRENT`, which names the generation in use, is replaced by a rename
//! (`store/layout.rs`). A writer that is killed leaves `CURRENT` unchanged, and the next writer
//! removes its folder. If only times changed, only the manifest is replaced.
//!
//! **Other checkouts.** A first index starts from the index of another worktree or clone
//! (`index/sibling.rs`), which `crates/scan/src/checkout.rs` recognizes by git's common folder and
//! by remotes. Every file is read and hashed, and only data of files with an equal hash is copied.
//! Everything is written as a new base, or the other base is shared if no file differs, so the
//! bytes are the same as from scratch.
//!
//! **Check.** The manifest contains a fingerprint (`FORMAT`, `CONTENT`, digests of grammars,
//! queries and word vectors, the size limit) and the seals of the other files (`store/sealed.rs`).
//! A block of a sealed file is verified when it is first read. If it is damaged, the command stops
//! immediately, and `healing` in `src/engine/heal.rs` restarts it without this index. Increment
//! `FORMAT` in `store/version.rs` when the meaning of bytes changes, and `CONTENT` when the same
//! source gives different bytes. These files have checksums of their own: the manifest
//! (`store/generation.rs`), `store/embeddings.rs`, the stored scan (`crates/scan/src/known.rs`) and
//! shards (`store/shard.rs`, `store/shard_writer.rs`).
//!
//! **Embeddings** (`store/embeddings.rs`, `index/embed.rs`) are stored in a separate file of a
//! generation. The file is written after the generation is complete, and replaced by a rename. The
//! vectors of each source file have a key (path, language and content), and the whole file has the
//! key of the model. Therefore, a changed model or an edit recomputes only the affected vectors, a
//! refresh without a model copies the file, and an interrupted computation continues where it
//! stopped. Without a model, this file does not exist, and the other files are the same as with a
//! model.
//!
//! **Future work:** windows and types by meaning would be additional rows of `store/embeddings.rs`;
//! today, only functions are embedded.
//!
//! **Tested by:** `tests/refresh.rs`, `tests/checkouts.rs` and `tests/bad_input.rs` of the program.
//!
//! # Where to change what
//!
//! - the format: `store/`; then increment `FORMAT` in `store/version.rs` and run `just update`
//! - where the index is stored: `store/layout.rs`, `src/engine/user_folder.rs`
//! - how an interrupted index continues: `index/partial.rs`
//! - two processes that write, damage: `index/lock.rs`, `store/sealed.rs`, `src/engine/heal.rs`
//! - which text may be shown or sent to a model: `source/`; what an answer lacks: `notices` in
//!   `source/repository.rs`
//! - named values (constants, fields, variants): `store/named_values.rs`; names of entries:
//!   `store/entry_names.rs`
//! - embedding models and their prompts: `embed/`; word vectors: `wordvec/table.rs`, trained by
//!   `training/`
//!
//! **Never:** knows anything about questions.

pub mod embed;
pub mod fragment;
pub mod index;
pub mod source;
pub mod store;
pub mod wordvec;
