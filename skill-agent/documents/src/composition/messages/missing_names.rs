//! Messages about missing names. Each name has a cause and a remedy. Adjacent names with the same cause and remedy share one
//! clause.

use super::{CheckFinding, cut};
use skill_core::__private::{ConstMessage, same};
use skill_manifest::DiagnosticCode;

/// The maximum number of names in a message. The message mentions more names only as `and others`.
const MAX: usize = 4;

/// A message with a clause for each missing name.
pub(super) struct MissingNames {
    what: ConstMessage,
    /// Why the last name is missing. If several names in a row have the same cause and remedy, the message states them once,
    /// after the last one.
    cause: ConstMessage,
    /// The remedy for the last name. It becomes part of the message when the next name needs a different remedy.
    help: ConstMessage,
    count: usize,
}

impl MissingNames {
    /// Creates a message that begins with `begin`.
    pub(super) const fn new(begin: &[&str]) -> Self {
        Self {
            what: ConstMessage::new().push(begin),
            cause: ConstMessage::new(),
            help: ConstMessage::new(),
            count: 0,
        }
    }

    /// Adds a missing name with its cause and remedy.
    pub(super) const fn add(mut self, name: &str, cause: &[&str], help: ConstMessage) -> Self {
        self.count += 1;
        if self.count > MAX {
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

    /// Returns whether the message has room for no more names. The remedies of further names are then not needed.
    pub(super) const fn is_full(&self) -> bool {
        self.count >= MAX
    }

    pub(super) const fn reported(self, code: DiagnosticCode) -> CheckFinding {
        let what = if self.count > MAX {
            self.what.push(&[" and others"])
        } else {
            self.what
        };
        CheckFinding {
            code,
            what: what.push(&[self.cause.as_str()]),
            help: self.help,
        }
    }
}
