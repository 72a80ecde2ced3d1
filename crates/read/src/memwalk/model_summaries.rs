//! Writes summaries with a model, from the leaves up, and stores them next to the index.
//!
//! The key of a summary is a hash of the model's name and the prompt. The prompt of a group
//! contains the summaries of its children. After an edit, the model therefore summarizes the edited
//! function again, and the nodes above it only if a summary below them has changed.
//!
//! **Implements:** MemWalker (Chen et al. 2023): summaries of segments, then summaries of
//! summaries.
//!
//! **Cost:** one call for each node, once.

use super::guided::ModelGuide;
use super::tree::{Shape, SummaryNodeId, SummaryNodeKind, SummaryTree};
use crate::reading::{PromptBudget, head};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use whichfn_index::store::{Layout, write_private};
use whichfn_llm::Request;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::BYTES_PER_TOKEN;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const FILE: &str = "summaries";
/// Maximum number of bytes of a function's text that are shown to the model.
const TEXT_BYTES: usize = 8_000;
/// Number of bytes in a word and the space after it, because the prompt limits words but the tree
/// limits bytes.
const WORD_BYTES: usize = 7;

/// A tree with summaries written by a model, and the number of calls that they took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummarizedTree {
    /// The tree with its new summaries.
    pub tree: SummaryTree,
    /// Number of model calls.
    pub calls: usize,
    /// Number of stored summaries that were used instead of a call.
    pub kept: usize,
}

/// Lets a model write the summaries of a tree that are not stored yet. If a reply is empty, the
/// summary from the code is kept.
///
/// # Errors
/// Returns an error if the model fails or the summaries cannot be stored. Summaries that were
/// written before a failure are stored.
pub fn write_summaries(
    guide: &ModelGuide<'_>,
    layout: &Layout,
    tree: SummaryTree,
    shape: &Shape,
) -> Result<SummarizedTree> {
    let kept = SummaryCache::open(layout);
    let summaries: Vec<String> = tree.nodes().iter().map(|node| node.summary.clone()).collect();
    let mut writer = SummaryWriter { tree: &tree, shape, guide, kept, used: BTreeMap::new(), summaries, calls: 0 };
    // Children come after their parents, so the last node is written first.
    let done = (0..tree.nodes().len()).rev().try_for_each(|node| writer.write(node));
    let SummaryWriter { mut kept, used, summaries, calls, .. } = writer;
    let from_before = used.len().saturating_sub(calls);
    match &done {
        // Summaries that the tree no longer uses are dropped, but only if the tree is complete.
        Ok(()) => kept.summaries = used,
        Err(_) => kept.summaries.extend(used),
    }
    kept.save()?;
    done.map(|()| SummarizedTree { tree: tree.with_summaries(summaries), calls, kept: from_before })
}

struct SummaryWriter<'a> {
    tree: &'a SummaryTree,
    shape: &'a Shape,
    guide: &'a ModelGuide<'a>,
    kept: SummaryCache,
    /// Stored and new summaries collected so far, indexed by key.
    used: BTreeMap<String, String>,
    summaries: Vec<String>,
    calls: usize,
}

impl SummaryWriter<'_> {
    fn write(&mut self, node: SummaryNodeId) -> Result<()> {
        let current = &self.tree.nodes()[node];
        let leaf = current.kind == SummaryNodeKind::Function;
        let most = if leaf { self.shape.leaf_bytes } else { self.shape.group_bytes };
        let text = if leaf { head(&self.guide.text(current), TEXT_BYTES).to_owned() } else { self.below(node) };
        let budget = PromptBudget::new(self.guide.model.context(), reply_tokens(most));
        let prompt = budget.fit(|bytes| {
            let (kind, text) = (current.kind.name(), head(&text, bytes));
            let values = json!({"words": most / WORD_BYTES, "kind": kind, "place": current.name, "text": text});
            self.guide.templates.render("summarise.md", values)
        })?;
        let key = format!("{:032x}", xxh3_128(format!("{}\n{prompt}", self.guide.model.name()).as_bytes()));
        if !self.used.contains_key(&key) {
            let summary = match self.kept.summaries.get(&key) {
                Some(summary) => summary.clone(),
                None => {
                    self.calls += 1;
                    one_line(&self.guide.model.complete(&Request::limited(&prompt, budget.reply))?.text, most)
                }
            };
            self.used.insert(key.clone(), summary);
        }
        if let Some(summary) = self.used.get(&key).filter(|summary| !summary.is_empty()) {
            self.summaries[node].clone_from(summary);
        }
        Ok(())
    }

    /// Returns the summaries of a node's children, one per line.
    fn below(&self, node: SummaryNodeId) -> String {
        let nodes = self.tree.nodes();
        let line = |&child: &SummaryNodeId| {
            format!("- {} {}: {}", nodes[child].kind.name(), nodes[child].name, self.summaries[child])
        };
        nodes[node].children.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the maximum number of tokens in a reply with a summary of `bytes` bytes: twice the
/// number of its tokens, plus an allowance for text around it.
fn reply_tokens(bytes: usize) -> u32 {
    const AROUND: usize = 256;
    u32::try_from(2 * bytes / BYTES_PER_TOKEN + AROUND).unwrap_or(u32::MAX)
}

/// Joins a reply into one line of at most `most` bytes, shortened at a space.
fn one_line(reply: &str, most: usize) -> String {
    let mut line = String::new();
    for word in reply.split_whitespace() {
        if line.len() + word.len() + 1 > most {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Summaries on disk, indexed by key. The first line of the file is the checksum of the rest, which
/// is JSON.
struct SummaryCache {
    path: PathBuf,
    summaries: BTreeMap<String, String>,
}

impl SummaryCache {
    /// Reads the summaries next to an index. The result is empty if the file does not exist or is
    /// damaged.
    #[expect(clippy::disallowed_methods, reason = "reads a file that this crate wrote")]
    fn open(layout: &Layout) -> Self {
        let path = layout.folder().join(FILE);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let sound = text.split_once('\n').filter(|(sum, body)| *sum == sum_of(body));
        let summaries = sound.and_then(|(_, body)| serde_json::from_str(body).ok()).unwrap_or_default();
        Self { path, summaries }
    }

    /// Writes the summaries to another file, then renames it over the previous one.
    fn save(&self) -> Result<()> {
        let failed = |cause: std::io::Error| Error::io(Kind::Index, "write", &self.path, &cause);
        let body = serde_json::to_string(&self.summaries).map_err(|cause| {
            Error::new(Kind::Index, format!("cannot write {}: {cause}", self.path.display()), "report this")
        })?;
        let aside = self.path.with_extension(format!("new-{}", std::process::id()));
        self.path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
        write_private(&aside, format!("{}\n{body}", sum_of(&body)).as_bytes()).map_err(failed)?;
        std::fs::rename(&aside, &self.path).map_err(failed)
    }
}

fn sum_of(body: &str) -> String {
    format!("{:016x}", xxh3_64(body.as_bytes()))
}
