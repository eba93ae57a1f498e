//! The earlier names of fields and variants in a stored state.

use skill_core::process::{Comparison, StoredValue};

/// A name in a stored state that serde reads, and does not write.
pub(super) enum EarlierName {
    /// An alias of the field `new`, or of a field that is not written.
    Field {
        parent: Vec<StoredValue>,
        old: String,
        new: Option<String>,
    },
    /// An alias of a variant.
    Variant { old: String, new: String },
}

impl EarlierName {
    /// Gives a value that was read its earlier name, so that it can be compared with the stored one.
    pub(super) fn give_back(&self, stored: &StoredValue, read: &mut StoredValue) {
        if let Self::Field { parent, old, new } = self
            && let (Some(stored), Some(read)) = (stored.at(parent), read.at_mut(parent))
        {
            rename(stored, read, old, new.as_deref());
        }
        self.give_back_within(stored, read);
    }

    /// The same, everywhere else where it is the same name.
    fn give_back_within(&self, stored: &StoredValue, read: &mut StoredValue) {
        match (self, stored, &mut *read) {
            (Self::Variant { old, new }, StoredValue::Text(stored), StoredValue::Text(read))
                if stored == old && read == new =>
            {
                read.clone_from(old);
            }
            (_, StoredValue::List(stored), StoredValue::List(read)) => {
                for (stored, read) in stored.iter().zip(read) {
                    self.give_back_within(stored, read);
                }
            }
            (_, StoredValue::Map(entries), StoredValue::Map(_)) => {
                if let Self::Field {
                    old,
                    new: Some(new),
                    ..
                } = self
                    && stored.entry(new).is_none()
                    && read.entry(old).is_none()
                    && let (Some(value), Some(found)) = (stored.entry(old), read.entry(new))
                    && is_in(value, found)
                {
                    rename(stored, read, old, Some(new));
                }
                for (key, stored) in entries {
                    if let Some(read) = read.at_mut(std::slice::from_ref(key)) {
                        self.give_back_within(stored, read);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Renames an entry of a map that was read. A value of another kind becomes the stored one: serde has converted it.
fn rename(stored: &StoredValue, read: &mut StoredValue, old: &str, new: Option<&str>) {
    let (Some(value), StoredValue::Map(entries)) = (stored.entry(old), read) else {
        return;
    };
    let at = new.and_then(|new| {
        entries
            .iter()
            .position(|(key, _)| key.as_text() == Some(new))
    });
    let found = at.map(|at| entries.remove(at).1);
    let found = found.filter(|found| is_like(value, found));
    let key = StoredValue::Text(old.to_owned());
    entries.push((key, found.unwrap_or_else(|| value.clone())));
}

/// Whether both are maps, or both lists.
pub(super) fn is_like(one: &StoredValue, other: &StoredValue) -> bool {
    matches!(
        (one, other),
        (StoredValue::Map(_), StoredValue::Map(_)) | (StoredValue::List(_), StoredValue::List(_))
    )
}

/// Whether a value is one that a field without content has.
pub(super) fn is_empty(value: &StoredValue) -> bool {
    match value {
        StoredValue::Null | StoredValue::Bool(false) | StoredValue::Integer(0) => true,
        StoredValue::Float(float) => *float == 0.0,
        StoredValue::Text(text) => text.is_empty(),
        StoredValue::Bytes(bytes) => bytes.is_empty(),
        StoredValue::List(items) => items.is_empty(),
        StoredValue::Map(entries) => entries.is_empty(),
        StoredValue::Bool(true) | StoredValue::Integer(_) => false,
    }
}

/// Whether a stored value is all there in one that was read.
pub(super) fn is_in(stored: &StoredValue, read: &StoredValue) -> bool {
    let lost = stored.clone();
    lost.difference(read.clone(), Comparison::MayHaveMore)
        .is_none()
}

pub(super) fn is_equal(one: &StoredValue, other: &StoredValue) -> bool {
    let different = one.clone();
    different
        .difference(other.clone(), Comparison::Exact)
        .is_none()
}
