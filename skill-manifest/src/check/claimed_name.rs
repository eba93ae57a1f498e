//! Reads the name that a document claims even if it does not load.

use crate::{Dialect, IdSource, yaml};

/// Returns the name from a frontmatter that does not parse as a whole: the value of the first line `name: …`. The document still
/// does not load, but no document from a source with lower precedence takes its place.
pub(super) fn claimed_name(text: &str, dialect: &Dialect) -> Option<String> {
    if dialect.id == IdSource::Directory {
        return None;
    }
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    let mut lines = text.split(['\n', '\r']);
    lines.next().filter(|line| line.starts_with("---"))?;
    let mut left = dialect.limits.frontmatter;
    for line in lines {
        left = left.checked_sub(line.len())?;
        if line.trim_end() == "---" {
            return None;
        }
        if line.starts_with("name:") {
            return value(line, dialect);
        }
    }
    None
}

fn value(line: &str, dialect: &Dialect) -> Option<String> {
    let root = yaml::read(line, &dialect.limits, super::NOUN).ok()?;
    let yaml::Value::Map(map) = &root.value else {
        return None;
    };
    let (_, value) = map.first()?;
    let name = value.scalar(line)?;
    let name = if dialect.trim { name.trim() } else { name };
    (!name.trim().is_empty()).then(|| name.to_owned())
}

/// Returns the complete lines before `end`. All bytes before `end` must be valid UTF-8.
pub(super) fn text_before(bytes: &[u8], end: usize) -> &str {
    let text = bytes.get(..end).map(std::str::from_utf8);
    let text = text.and_then(Result::ok).unwrap_or_default();
    let end = text.rfind(['\n', '\r']).unwrap_or_default();
    &text[..end]
}
