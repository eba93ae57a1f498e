//! Messages about missing names. Each name has its own cause and help. Adjacent names with the same cause and help share one
//! clause.

use super::{CheckFinding, cut};
use skill_core::__private::{ConstMessage, same};
use skill_manifest::DiagnosticCode;

/// The maximum number of names in a message. The others are only counted.
const MAX: usize = 4;

/// A message with a clause for each missing name.
pub(super) struct MissingNames {
    what: ConstMessage,
    /// Why the last name is missing. The message has it after the last name with the same cause.
    cause: ConstMessage,
    /// The help for the last name. If the next name needs different help, this help becomes part of the message.
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

    /// Adds a missing name with its cause and help.
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

    /// Returns `true` if more names would only be counted. Their help is then not needed.
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
