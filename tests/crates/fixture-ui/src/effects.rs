//! Skills whose actions have hints.

use skill_agent::prelude::*;

/// A mailbox of a person.
#[derive(Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[skill(name = "mailbox", actions(Inbox, Mail, Purge, Compact))]
pub struct Mailbox {}

/// Read the mail.
#[action(reads_sensitive)]
pub fn inbox(_: &Mailbox) {}

/// Send mail.
#[action(sends_out)]
pub fn mail(_: &mut Mailbox) {}

/// Delete the mail.
#[action(destructive)]
pub fn purge(_: &mut Mailbox) {}

/// Delete what is old.
#[action(destructive, internal)]
pub fn compact(_: &mut Mailbox) {}

/// Web pages.
#[derive(Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[skill(name = "web", actions(Fetch))]
pub struct Web {}

/// Read a page.
#[action(open_world, reads_untrusted)]
pub fn fetch(_: &Web) {}
