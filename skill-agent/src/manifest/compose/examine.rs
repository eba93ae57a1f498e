//! Finds documents that do not fit the agent, or each other.

use super::Candidate;
use super::look::{Look, dispatches};
use super::names::{Names, enter, fill, list, str};
use super::scene::Scene;
use skill_core::__private::EMPTY;
use skill_manifest::SkillDoc;

/// The rules that one document breaks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// One bit per rule.
    pub(super) rules: u16,
    /// The index of the earlier document with the same id.
    pub(super) twin: usize,
    /// The index of the earlier document with the same command.
    pub(super) rival: usize,
}

/// The id is that of an earlier document.
pub(super) const DUPLICATE_ID: u16 = 1;
/// The id is the name of a skill, ignoring case.
pub(super) const RESERVED_ID: u16 = 1 << 1;
/// The command is built in, or reserved by the program.
pub(super) const BUILT_IN_COMMAND: u16 = 1 << 2;
/// The command is that of an earlier document. At run time both documents load, and the command is ambiguous when it is used.
pub(super) const SHARED_COMMAND: u16 = 1 << 3;
/// A required tool is missing.
pub(super) const REQUIRED_TOOLS: u16 = 1 << 4;
/// The tool that the document dispatches to is missing.
pub(super) const COMMAND_TOOL: u16 = 1 << 5;
/// A toolset names a type that no skill has.
pub(super) const TOOLSETS: u16 = 1 << 6;
/// A required skill or document is missing, or has another version.
pub(super) const REQUIREMENTS: u16 = 1 << 7;

/// Every rule, in the order in which they are reported.
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

impl Found {
    /// No rule is broken.
    pub(super) const NOTHING: Self = Self {
        rules: 0,
        twin: 0,
        rival: 0,
    };

    /// Whether the document cannot be offered.
    pub(super) const fn excludes(self) -> bool {
        self.rules & !SHARED_COMMAND != 0
    }
}

/// Checks `N` documents at compile time; `ROOM` is [`Scene::room`].
pub const fn examine<const N: usize, const ROOM: usize>(scene: &Scene<'_>) -> Examined<N, ROOM> {
    let mut examined = Examined {
        found: [Found::NOTHING; N],
        tables: [[EMPTY; ROOM]; Names::KINDS],
        is_clean: true,
    };
    let tables = examined.tables.as_flattened_mut();
    examine_into(scene, tables, &mut examined.found);
    let mut i = 0;
    while i < N {
        examined.is_clean &= examined.found[i].rules == 0;
        i += 1;
    }
    examined
}

/// The broken rules of each document, and the name tables that were used.
#[derive(Debug)]
pub struct Examined<const N: usize, const ROOM: usize> {
    pub(super) found: [Found; N],
    pub(super) tables: [[u32; ROOM]; Names::KINDS],
    /// Whether no rule is broken, to skip agents without problems quickly.
    pub(super) is_clean: bool,
}

/// Checks every document and fills the name tables.
pub(super) const fn examine_into(scene: &Scene<'_>, tables: &mut [u32], found: &mut [Found]) {
    fill(scene, tables, Names::Reserved);
    fill(scene, tables, Names::Tools);
    fill(scene, tables, Names::Skills);
    fill(scene, tables, Names::Types);
    let mut i = 0;
    while i < found.len() {
        if scene.docs[i].stands_in() {
            i += 1;
            continue;
        }
        if let Some(twin) = enter(scene, tables, Names::Ids, i) {
            found[i].rules |= DUPLICATE_ID;
            found[i].twin = twin;
        }
        command(scene, tables, found, i);
        i += 1;
    }
    let look = Look::new(scene, tables);
    let mut i = 0;
    while i < found.len() {
        let doc = scene.docs[i].doc;
        if scene.docs[i].stands_in() {
            i += 1;
            continue;
        }
        found[i].rules |= reserved_id(&look, &scene.docs[i])
            | required_tools(&look, doc)
            | command_tool(&look, doc)
            | toolsets(&look, doc)
            | requirements(&look, doc);
        i += 1;
    }
}

/// A command belongs to the program or to one document.
const fn command(scene: &Scene<'_>, tables: &mut [u32], found: &mut [Found], index: usize) {
    let Some(command) = &scene.docs[index].doc.command else {
        return;
    };
    let found = &mut found[index];
    if Look::new(scene, tables).is_reserved(str(command)) {
        found.rules |= BUILT_IN_COMMAND;
    } else if let Some(rival) = enter(scene, tables, Names::Commands, index) {
        found.rival = rival;
        // a document that is listed twice is reported once
        if found.rules & DUPLICATE_ID == 0 || found.twin != rival {
            found.rules |= SHARED_COMMAND;
        }
    }
}

/// A document must not have the name of a skill, unless the skill was generated from it.
const fn reserved_id(look: &Look<'_>, candidate: &Candidate<'_>) -> u16 {
    match look.shadowed(candidate) {
        Some(_) => RESERVED_ID,
        None => 0,
    }
}

/// The required tools must exist.
const fn required_tools(look: &Look<'_>, doc: &SkillDoc) -> u16 {
    let tools = list(&doc.requires_tools);
    let mut t = 0;
    while t < tools.len() {
        if !look.has_tool(str(&tools[t])) {
            return REQUIRED_TOOLS;
        }
        t += 1;
    }
    0
}

/// The tool that is called without a model must exist.
const fn command_tool(look: &Look<'_>, doc: &SkillDoc) -> u16 {
    match &doc.command_tool {
        Some(tool) if dispatches(doc) && !look.has_tool(str(tool)) => COMMAND_TOOL,
        _ => 0,
    }
}

/// A toolset must name the type of a skill of the agent.
const fn toolsets(look: &Look<'_>, doc: &SkillDoc) -> u16 {
    let toolsets = list(&doc.toolsets);
    let mut t = 0;
    while t < toolsets.len() {
        if !look.binds(str(&toolsets[t])) {
            return TOOLSETS;
        }
        t += 1;
    }
    0
}

/// Requirements must be met.
const fn requirements(look: &Look<'_>, doc: &SkillDoc) -> u16 {
    let requires = list(&doc.requires);
    let mut r = 0;
    while r < requires.len() {
        if !look.is_met(doc, str(&requires[r])) {
            return REQUIREMENTS;
        }
        r += 1;
    }
    0
}
