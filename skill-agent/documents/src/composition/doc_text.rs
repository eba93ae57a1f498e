//! Reads a document's strings and lists in const evaluation, where `Deref` is unavailable.

use skill_manifest::{DocText, DocTextList};

/// Returns the text as a `&str`.
pub(super) const fn str(text: &DocText) -> &str {
    match text {
        DocText::Borrowed(text) => text,
        DocText::Owned(text) => text.as_str(),
    }
}

/// Returns the list as a slice.
pub(super) const fn list(list: &DocTextList) -> &[DocText] {
    match list {
        DocTextList::Borrowed(list) => list,
        DocTextList::Owned(list) => list.as_slice(),
    }
}
