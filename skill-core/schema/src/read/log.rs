//! The log of one read: the reason for a failure, the keys that the type ignored, and the values that it read as structs.

use std::cell::RefCell;
use std::fmt::Display;

use serde_json::{Error, Value};

use crate::problem::Problem;
use crate::value::path::{Path, PathNode, StructPaths, below};

/// Records what a [`Cursor`](crate::read::cursor::Cursor) finds in a document.
#[derive(Default)]
pub(crate) struct ReadLog<'a> {
    failure: RefCell<Option<Failure>>,
    /// The additional log for a document that updates a value. This is a reference, because a read of call arguments would
    /// otherwise have to drop an owned log.
    update: Option<&'a UpdateLog>,
}

/// The part of the log that only updates need.
#[derive(Default)]
pub(crate) struct UpdateLog {
    unread: RefCell<Vec<Path>>,
    most_unread: usize,
    /// The floats to return in place of `null`, sorted by the address of the value they replace.
    floats: Vec<(usize, f64)>,
    /// The addresses of the values that remove a map entry, sorted.
    removals: Vec<usize>,
    /// The structs reachable from the root through struct fields alone.
    structs: Option<RefCell<StructPaths>>,
}

/// Where and why reading stopped.
pub(crate) struct Failure {
    pub(crate) path: Path,
    pub(crate) message: String,
    /// Whether the key at the end of `path` was refused, rather than its value.
    pub(crate) at_key: bool,
}

impl Failure {
    pub(crate) fn to_problem(&self, at: &str) -> Problem {
        Problem::from_serde(below(at, &self.path), &self.message)
    }
}

impl UpdateLog {
    /// Records up to `most` unread keys. There is a bound, because the sender controls the number of keys and the length of their
    /// paths.
    pub(crate) fn with_unread(self, most: usize) -> Self {
        Self {
            most_unread: most,
            ..self
        }
    }

    /// Sets the floats to return for these values, which are `null` in the document.
    pub(crate) fn with_floats<'a>(self, floats: impl Iterator<Item = (&'a Value, f64)>) -> Self {
        let mut floats: Vec<(usize, f64)> = floats
            .map(|(place, float)| (address(place), float))
            .collect();
        floats.sort_unstable_by_key(|(place, _)| *place);
        Self { floats, ..self }
    }

    /// Marks values that remove a map entry, so that they are not read as entries.
    pub(crate) fn with_removals<'a>(self, removals: impl Iterator<Item = &'a Value>) -> Self {
        let mut removals: Vec<usize> = removals.map(address).collect();
        removals.sort_unstable();
        Self { removals, ..self }
    }

    /// Records which values are structs, starting from the paths in `known`.
    pub(crate) fn with_structs(self, known: StructPaths) -> Self {
        Self {
            structs: Some(RefCell::new(known)),
            ..self
        }
    }

    /// Takes the paths of the recorded structs.
    pub(crate) fn take_structs(&self) -> StructPaths {
        self.structs.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Takes the paths of the ignored keys.
    pub(crate) fn take_unread(&self) -> Vec<Path> {
        self.unread.take()
    }

    #[cold]
    fn enter_struct(&self, node: &PathNode<'_>) {
        let Some(structs) = &self.structs else {
            return;
        };
        let mut structs = structs.borrow_mut();
        let is_reached = match node {
            PathNode::Root => true,
            // structs in a list or a map do not count, and there may be very many of them
            PathNode::Key(parent, _) => structs.contains(&parent.to_path()),
            PathNode::Index(..) => false,
        };
        if is_reached {
            structs.insert(node.to_path());
        }
    }

    fn skip(&self, node: &PathNode<'_>) {
        let mut unread = self.unread.borrow_mut();
        if matches!(node, PathNode::Key(..)) && unread.len() < self.most_unread {
            unread.push(node.to_path());
        }
    }

    fn is_removal(&self, value: &Value) -> bool {
        value.is_null() && self.removals.binary_search(&address(value)).is_ok()
    }

    fn float(&self, value: &Value) -> Option<f64> {
        if self.floats.is_empty() || !value.is_null() {
            return None;
        }
        let place = address(value);
        let index = self.floats.binary_search_by_key(&place, |(at, _)| *at);
        Some(self.floats.get(index.ok()?)?.1)
    }
}

impl<'a> ReadLog<'a> {
    /// Creates the log for a document that updates a value.
    pub(crate) fn of_update(update: &'a UpdateLog) -> Self {
        Self {
            update: Some(update),
            ..Self::default()
        }
    }

    /// Records that the type reads this value as a struct.
    #[inline]
    pub(crate) fn enter_struct(&self, node: &PathNode<'_>) {
        if let Some(update) = self.update {
            update.enter_struct(node);
        }
    }

    /// Records that the type ignores this value.
    #[inline]
    pub(crate) fn skip(&self, node: &PathNode<'_>) {
        if let Some(update) = self.update {
            update.skip(node);
        }
    }

    /// Returns whether this value removes a map entry, so that it is not an entry itself.
    #[inline]
    pub(crate) fn is_removal(&self, value: &Value) -> bool {
        match self.update {
            None => false,
            Some(update) => update.is_removal(value),
        }
    }

    /// Returns the float that this `null` represents, if any.
    #[inline]
    pub(crate) fn float(&self, value: &Value) -> Option<f64> {
        self.update?.float(value)
    }

    /// Records the path of an error. The innermost failing value calls this first.
    #[inline]
    pub(crate) fn note<T, E: Display>(
        &self,
        node: &PathNode<'_>,
        at_key: bool,
        result: Result<T, E>,
    ) -> Result<T, E> {
        if let Err(error) = &result {
            self.fail(node, at_key, error);
        }
        result
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, node: &PathNode<'_>, at_key: bool, error: &dyn Display) {
        let message = message_of(error);
        let mut failure = self.failure.borrow_mut();
        // An error passes here once per level on its way up. If the message differs, the type swallowed the first error and
        // continued, so the new error replaces it.
        if failure.as_ref().is_none_or(|last| last.message != message) {
            *failure = Some(Failure {
                path: node.to_path(),
                message,
                at_key,
            });
        }
    }

    /// Returns the recorded failure for `error`, which ended the read.
    pub(crate) fn failure(&self, error: &Error) -> Failure {
        let message = message_of(error);
        match self.failure.take() {
            Some(failure) if failure.message == message => failure,
            _ => Failure {
                path: Path::new(),
                message,
                at_key: false,
            },
        }
    }
}

/// Returns the message of a serde_json error without the line and column at its end.
pub(crate) fn message_of(error: &dyn Display) -> String {
    let mut message = error.to_string();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(start) = message.rfind(" at line ")
        && let Some((line, column)) = message[start + " at line ".len()..].split_once(" column ")
        && digits(line)
        && digits(column)
    {
        message.truncate(start);
    }
    message
}

/// Identifies a value by its address. Documents do not move while their log lives.
fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
