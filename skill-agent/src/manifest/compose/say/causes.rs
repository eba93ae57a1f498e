//! What a document names, and is not there: each name with its own cause and its own help; names that have
//! them in common are told together.

use super::{Told, cut};
use skill_core::__private::{ConstMessage, same};
use skill_manifest::Code;

/// So many names are told; of more, that there are more.
const MOST: usize = 4;

/// A sentence with a clause for each name.
pub(super) struct Causes {
    what: ConstMessage,
    /// Why the last name is not there: it is said behind the last name that it is true of.
    cause: ConstMessage,
    /// What to do about the last name: it becomes part of the sentence when a name follows that needs another help.
    help: ConstMessage,
    count: usize,
}

impl Causes {
    /// A sentence that begins so.
    pub(super) const fn new(begin: &[&str]) -> Self {
        Self {
            what: ConstMessage::new().push(begin),
            cause: ConstMessage::new(),
            help: ConstMessage::new(),
            count: 0,
        }
    }

    /// One more name, why it is not there, and what to do about it.
    pub(super) const fn add(mut self, name: &str, cause: &[&str], help: ConstMessage) -> Self {
        self.count += 1;
        if self.count > MOST {
            return self;
        }
        let cause = ConstMessage::new().push(cause);
        let is_alike =
            same(self.cause.as_str(), cause.as_str()) && same(self.help.as_str(), help.as_str());
        let what = match self.count {
            1 => self.what,
            _ if is_alike => self.what.push(&[", "]),
            _ => self
                .what
                .push(&[self.cause.as_str(), " (", self.help.as_str(), "), and "]),
        };
        Self {
            what: what.push(&["`", cut(name), "`"]),
            cause,
            help,
            count: self.count,
        }
    }

    /// Whether a further name is only counted, so that nobody looks for a help.
    pub(super) const fn is_full(&self) -> bool {
        self.count >= MOST
    }

    pub(super) const fn told(self, code: Code) -> Told {
        let what = match self.count > MOST {
            true => self.what.push(&[" and others"]),
            false => self.what,
        };
        Told {
            code,
            what: what.push(&[self.cause.as_str()]),
            help: self.help,
        }
    }
}
