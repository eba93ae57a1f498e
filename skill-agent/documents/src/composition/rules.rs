//! Finds documents that do not fit the agent, or do not fit each other.

use super::doc_text::str;
use super::input::CheckInput;
use super::lookup::Lookup;
use super::names::{NameKind, fill, insert};
use skill_core::__private::names::Slot;

/// The rules broken by one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct BrokenRules {
    /// One bit per rule.
    pub(super) rules: u16,
    /// The index of the earlier document with the same id.
    pub(super) duplicate_of: usize,
    /// The index of the earlier document with the same command.
    pub(super) same_command: usize,
}

/// An earlier document has the same id.
pub(super) const DUPLICATE_ID: u16 = 1;
/// The id is the name of a skill, ignoring case. The skill was not generated from the document.
pub(super) const RESERVED_ID: u16 = 1 << 1;
/// The command is built in or reserved.
pub(super) const BUILT_IN_COMMAND: u16 = 1 << 2;
/// An earlier document has the same command. At run time, both documents load, and using the command reports the ambiguity.
pub(super) const SHARED_COMMAND: u16 = 1 << 3;
/// A required tool is missing.
pub(super) const REQUIRED_TOOLS: u16 = 1 << 4;
/// The tool that the document dispatches to is missing.
pub(super) const COMMAND_TOOL: u16 = 1 << 5;
/// A toolset names a type, but no skill has that type.
pub(super) const TOOLSETS: u16 = 1 << 6;
/// A required skill or document is missing, or has a different version.
pub(super) const REQUIREMENTS: u16 = 1 << 7;

/// All rules, in reporting order.
pub(super) const RULES: [u16; 8] = [
    DUPLICATE_ID,
    RESERVED_ID,
    BUILT_IN_COMMAND,
    SHARED_COMMAND,
    REQUIRED_TOOLS,
    COMMAND_TOOL,
    TOOLSETS,
    REQUIREMENTS,
];

impl BrokenRules {
    /// No rule is broken.
    pub(super) const NONE: Self = Self {
        rules: 0,
        duplicate_of: 0,
        same_command: 0,
    };

    /// Returns whether the document cannot be offered.
    pub(super) const fn excludes(self) -> bool {
        self.rules & !SHARED_COMMAND != 0
    }
}

/// Checks `N` documents at compile time; `ROOM` is [`CheckInput::room`].
pub const fn check_const<const N: usize, const ROOM: usize>(
    input: &CheckInput<'static>,
) -> CheckedDocs<N, ROOM> {
    let mut checked = CheckedDocs {
        broken: [BrokenRules::NONE; N],
        tables: [[None; ROOM]; NameKind::COUNT],
        is_clean: true,
    };
    let tables = checked.tables.as_flattened_mut();
    check_into(input, tables, &mut checked.broken);
    let mut i = 0;
    while i < N {
        checked.is_clean &= checked.broken[i].rules == 0;
        i += 1;
    }
    checked
}

/// The broken rules of each document, and the name tables.
#[derive(Debug)]
pub struct CheckedDocs<const N: usize, const ROOM: usize> {
    pub(super) broken: [BrokenRules; N],
    pub(super) tables: [[Slot<'static>; ROOM]; NameKind::COUNT],
    /// Whether no document breaks a rule, so that agents without problems can skip the reporting.
    pub(super) is_clean: bool,
}

/// Checks every document and fills the name tables.
pub(super) const fn check_into<'a>(
    input: &CheckInput<'a>,
    tables: &mut [Slot<'a>],
    broken: &mut [BrokenRules],
) {
    fill(input, tables, NameKind::Reserved);
    fill(input, tables, NameKind::Tools);
    fill(input, tables, NameKind::Skills);
    fill(input, tables, NameKind::Types);
    let mut i = 0;
    while i < broken.len() {
        if input.docs[i].is_placeholder() {
            i += 1;
            continue;
        }
        if let Some(duplicate_of) = insert(input, tables, NameKind::Ids, i) {
            broken[i].rules |= DUPLICATE_ID;
            broken[i].duplicate_of = duplicate_of;
        }
        command(input, tables, broken, i);
        i += 1;
    }
    let lookup = Lookup::new(input, tables);
    let mut i = 0;
    while i < broken.len() {
        let doc = input.docs[i].doc;
        if input.docs[i].is_placeholder() {
            i += 1;
            continue;
        }
        broken[i].rules |= rule_if(lookup.shadowed(&input.docs[i]).is_some(), RESERVED_ID)
            | rule_if(
                lookup.missing(doc, NameKind::Tools, 0).is_some(),
                REQUIRED_TOOLS,
            )
            | rule_if(lookup.lacks_command_tool(doc), COMMAND_TOOL)
            | rule_if(lookup.missing(doc, NameKind::Types, 0).is_some(), TOOLSETS)
            | rule_if(
                lookup.missing(doc, NameKind::Skills, 0).is_some(),
                REQUIREMENTS,
            );
        i += 1;
    }
}

const fn rule_if(is_broken: bool, rule: u16) -> u16 {
    if is_broken { rule } else { 0 }
}

/// Checks that a command is not built in, not reserved, and belongs to a single document.
const fn command<'a>(
    input: &CheckInput<'a>,
    tables: &mut [Slot<'a>],
    broken: &mut [BrokenRules],
    index: usize,
) {
    let Some(command) = &input.docs[index].doc.command else {
        return;
    };
    // a document that only models load has no command
    if !input.docs[index].doc.user_invocable {
        return;
    }
    let broken = &mut broken[index];
    if Lookup::new(input, tables).is_reserved(str(command)) {
        broken.rules |= BUILT_IN_COMMAND;
    } else if let Some(same_command) = insert(input, tables, NameKind::Commands, index) {
        broken.same_command = same_command;
        // a document that is listed twice is reported only once
        if broken.rules & DUPLICATE_ID == 0 || broken.duplicate_of != same_command {
            broken.rules |= SHARED_COMMAND;
        }
    }
}
