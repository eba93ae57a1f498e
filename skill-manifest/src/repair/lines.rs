//! Splits a YAML block into entries by indentation.

use std::ops::Range;

/// The kind of entries in a block.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Block {
    Mapping,
    List,
}

/// Splits a block into entries. The block starts at its first entry. An entry begins with a line in the block's column and ends
/// before the next such line. A list item may be in the column of its key. A comment in the block's column counts as an entry.
pub(super) fn entries(source: &str, block: Range<usize>, kind: Block) -> Vec<Range<usize>> {
    let first = block.start;
    let column = first - line_start(source, first);
    let begins = |at: &usize| {
        let line = line_at(source, *at);
        let content = line.trim_start_matches(' ');
        line.len() - content.len() == column
            && !content.is_empty()
            && !content.starts_with('\t')
            && (content.starts_with('#') || is_item(content) == (kind == Block::List))
    };
    let others = line_starts(source, block.clone()).filter(begins);
    let starts: Vec<usize> = std::iter::once(first)
        .chain(others.map(|start| start + column))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([block.end]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .collect()
}

/// Returns whether a line without its indentation is a list item.
pub(super) fn is_item(content: &str) -> bool {
    content
        .strip_prefix('-')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns the offset of a block's first content, after its indentation.
pub(super) fn first_content(source: &str, block: Range<usize>) -> Option<usize> {
    let starts = std::iter::once(block.start).chain(line_starts(source, block.clone()));
    let mut contents = starts.map(|start| {
        let line = line_at(source, start);
        start + (line.len() - line.trim_start_matches([' ', '\t']).len())
    });
    contents.find(|&at| {
        let content = line_at(source, at);
        at < block.end && !content.is_empty() && !content.starts_with('#')
    })
}

/// Returns the rest of the line at an offset, without the line end.
pub(super) fn line_at(source: &str, at: usize) -> &str {
    let rest = &source[at..];
    &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())]
}

/// Returns the offsets of line starts within a range, except the range's own start.
fn line_starts(source: &str, range: Range<usize>) -> impl Iterator<Item = usize> {
    let bytes = source.as_bytes();
    (range.start + 1..range.end).filter(move |&at| match bytes[at - 1] {
        b'\n' => true,
        b'\r' => bytes[at] != b'\n',
        _ => false,
    })
}

fn line_start(source: &str, at: usize) -> usize {
    source[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Returns a range without leading and trailing whitespace.
pub(super) fn trimmed(source: &str, range: Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..(range.start + text.trim_end().len()).max(start)
}
