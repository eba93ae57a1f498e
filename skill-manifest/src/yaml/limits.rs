//! Counts parser events, and refuses YAML features that documents may not use.

use super::error::Reason;
use crate::DocumentLimits;
use granit_parser::{Event, Options, Tag};

/// The maximum size of all scalars and tags, in bytes. If a tag has a handle, its resolved name counts.
const TEXT_BYTES: usize = 64 << 20;

pub(super) struct Counter {
    max_nodes: usize,
    max_depth: usize,
    nodes: usize,
    depth: usize,
    text_bytes: usize,
    documents: usize,
}

/// Returns parser options that refuse deeply nested brackets. [`Counter`] refuses deeply nested blocks, so the parser has to
/// deliver the first block that is too deep.
pub(super) fn parser_options(limits: &DocumentLimits) -> Options {
    let block_depth = Options::default().block_nesting_limit;
    granit_parser::options! {
        emit_comments: false,
        flow_nesting_limit: limits.depth,
        block_nesting_limit: block_depth.max(limits.depth.saturating_add(1)),
    }
}

impl Counter {
    pub(super) const fn new(limits: &DocumentLimits) -> Self {
        Self {
            max_nodes: limits.nodes,
            max_depth: limits.depth,
            nodes: 0,
            depth: 0,
            text_bytes: 0,
            documents: 0,
        }
    }

    /// Counts an event. If several limits are exceeded at once, the order of the checks decides which one is reported.
    pub(super) fn count(&mut self, event: &Event<'_>) -> Result<(), Reason> {
        match event {
            Event::Scalar(text, _, anchor, tag) => {
                self.count_node()?;
                self.count_text(text.len().saturating_add(length(tag.as_deref())))?;
                refuse_anchor(*anchor)
            }
            Event::SequenceStart(_, anchor, tag) | Event::MappingStart(_, anchor, tag) => {
                self.count_node()?;
                self.depth += 1;
                refuse_if(self.depth > self.max_depth, Reason::Depth)?;
                self.count_text(length(tag.as_deref()))?;
                refuse_anchor(*anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.depth = self.depth.saturating_sub(1);
                Ok(())
            }
            Event::DocumentStart(..) => {
                self.documents += 1;
                refuse_if(self.documents > 1, Reason::SecondDocument)
            }
            Event::Alias(_) => Err(Reason::Alias),
            _ => Ok(()),
        }
    }

    fn count_node(&mut self) -> Result<(), Reason> {
        self.nodes += 1;
        refuse_if(self.nodes > self.max_nodes, Reason::Size)
    }

    fn count_text(&mut self, bytes: usize) -> Result<(), Reason> {
        self.text_bytes = self.text_bytes.saturating_add(bytes);
        refuse_if(self.text_bytes > TEXT_BYTES, Reason::Size)
    }
}

/// Returns a tag's length in bytes, with its handle resolved.
fn length(tag: Option<&Tag>) -> usize {
    tag.map_or(0, |tag| {
        tag.handle().len().saturating_add(tag.suffix().len())
    })
}

/// Refuses an anchor. The number 0 means no anchor.
fn refuse_anchor(anchor: usize) -> Result<(), Reason> {
    refuse_if(anchor != 0, Reason::Anchor)
}

fn refuse_if(refused: bool, reason: Reason) -> Result<(), Reason> {
    if refused { Err(reason) } else { Ok(()) }
}
