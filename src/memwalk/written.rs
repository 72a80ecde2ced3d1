//! Summaries that a model writes, from the leaves up, kept beside the index.
//!
//! A summary is kept under the hash of the model's name and of the prompt that asked for it. The prompt of a group
//! holds the summaries of its children; so after an edit a function is asked for again, and what is above it only as
//! far as summaries change.
//!
//! Paper:    MemWalker (Chen et al. 2023): summaries of segments, then of summaries
//! Price:    one call for each node, once

use super::guided::{Guide, head};
use super::tree::{Shape, SummaryNodeId, SummaryNodeKind, SummaryTree};
use crate::error::{Error, Kind, Result};
use crate::llm::Request;
use crate::store::{Layout, write_private};
use crate::text::BYTES_PER_TOKEN;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const FILE: &str = "summaries";
/// Bytes of a function's text that a model is shown.
const TEXT_BYTES: usize = 8_000;
/// Bytes of a word with the blank after it: what is asked for in words is kept in bytes.
const WORD_BYTES: usize = 7;

/// A tree with summaries by a model, and what they cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The tree with its new summaries.
    pub tree: SummaryTree,
    /// Calls of the model.
    pub asked: usize,
    /// Summaries that were kept from before and cost no call.
    pub kept: usize,
}

/// Has a model write the summaries of a tree, those that are not kept from before. Where its reply is empty, the
/// summary from the code stays.
///
/// # Errors
/// When the model fails, or the summaries cannot be kept. What was written before a failure is kept.
pub fn write_summaries(guide: &Guide<'_>, layout: &Layout, tree: SummaryTree, shape: &Shape) -> Result<Written> {
    let kept = SummaryCache::open(layout);
    let summaries: Vec<String> = tree.nodes().iter().map(|node| node.summary.clone()).collect();
    let mut writer = SummaryWriter { tree: &tree, shape, guide, kept, used: BTreeMap::new(), summaries, asked: 0 };
    // Children come after their parents, so the last node goes first.
    let done = (0..tree.nodes().len()).rev().try_for_each(|node| writer.write(node));
    let SummaryWriter { mut kept, used, summaries, asked, .. } = writer;
    let from_before = used.len().saturating_sub(asked);
    match &done {
        // What the tree no longer asks for is forgotten, but only when all of it was asked for.
        Ok(()) => kept.summaries = used,
        Err(_) => kept.summaries.extend(used),
    }
    kept.save()?;
    done.map(|()| Written { tree: tree.with_summaries(summaries), asked, kept: from_before })
}

struct SummaryWriter<'a> {
    tree: &'a SummaryTree,
    shape: &'a Shape,
    guide: &'a Guide<'a>,
    kept: SummaryCache,
    /// Summaries of this tree so far, kept or new, by key.
    used: BTreeMap<String, String>,
    summaries: Vec<String>,
    asked: usize,
}

impl SummaryWriter<'_> {
    fn write(&mut self, node: SummaryNodeId) -> Result<()> {
        let of = &self.tree.nodes()[node];
        let leaf = of.kind == SummaryNodeKind::Function;
        let most = if leaf { self.shape.leaf_bytes } else { self.shape.group_bytes };
        let text = if leaf { head(&self.guide.text(of), TEXT_BYTES).to_owned() } else { self.below(node) };
        let prompt = self.guide.templates.render(
            "summarise.md",
            json!({"words": most / WORD_BYTES, "kind": of.kind.name(), "place": of.name, "text": text}),
        )?;
        let key = format!("{:032x}", xxh3_128(format!("{}\n{prompt}", self.guide.model.name()).as_bytes()));
        if !self.used.contains_key(&key) {
            let summary = match self.kept.summaries.get(&key) {
                Some(summary) => summary.clone(),
                None => {
                    self.asked += 1;
                    one_line(&self.guide.model.complete(&Request::limited(&prompt, reply_tokens(most)))?.text, most)
                }
            };
            self.used.insert(key.clone(), summary);
        }
        if let Some(summary) = self.used.get(&key).filter(|summary| !summary.is_empty()) {
            self.summaries[node].clone_from(summary);
        }
        Ok(())
    }

    /// The summaries of a node's children.
    fn below(&self, node: SummaryNodeId) -> String {
        let nodes = self.tree.nodes();
        let line = |&child: &SummaryNodeId| {
            format!("- {} {}: {}", nodes[child].kind.name(), nodes[child].name, self.summaries[child])
        };
        nodes[node].children.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the tokens of a reply that holds a summary of so many bytes: twice as many, and what some models say around it.
fn reply_tokens(bytes: usize) -> u32 {
    const AROUND: usize = 1_024;
    u32::try_from(2 * bytes / BYTES_PER_TOKEN + AROUND).unwrap_or(u32::MAX)
}

/// A reply as one line of so many bytes, cut at a blank.
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

/// Summaries on disk, by key: the first line is the sum of the rest, which is JSON.
struct SummaryCache {
    path: PathBuf,
    summaries: BTreeMap<String, String>,
}

impl SummaryCache {
    /// Those beside an index; none if there is no file, or it is damaged.
    fn open(layout: &Layout) -> Self {
        let path = layout.folder().join(FILE);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let sound = text.split_once('\n').filter(|(sum, body)| *sum == sum_of(body));
        let summaries = sound.and_then(|(_, body)| serde_json::from_str(body).ok()).unwrap_or_default();
        Self { path, summaries }
    }

    /// Writes them aside, then takes the place of the former file.
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
