//! Renders the instructions of the listed skills with their tool names, at compile time.

use super::references::{Found, ToolOf};
use crate::SkillSpec;
use crate::spec::References;
use skill_agent_grammar::names::{self, SEED, Slot};
use skill_agent_grammar::{TextPieces, split};

/// The rendered instructions of the listed skills, one after another. Skills without references are not included.
#[derive(Debug)]
pub struct RenderedInstructions<const SKILLS: usize, const BYTES: usize> {
    bytes: [u8; BYTES],
    /// The end of each skill's instructions in `bytes`.
    ends: [usize; SKILLS],
    references: [References; SKILLS],
}

/// Returns the total length of the rendered instructions, in bytes. `NAMES` is twice the number of skills, and `SLOTS` the
/// capacity of a table for them.
pub const fn instructions_length<const NAMES: usize, const SLOTS: usize>(
    skills: &[SkillSpec],
) -> usize {
    let mut texts = Texts {
        bytes: &mut [],
        length: 0,
        ends: &mut [],
        references: &mut [],
    };
    texts.write::<NAMES, SLOTS>(skills);
    texts.length
}

impl<const SKILLS: usize, const BYTES: usize> RenderedInstructions<SKILLS, BYTES> {
    /// Renders the instructions of `skills`. `BYTES` is their total [length](instructions_length).
    #[must_use]
    pub const fn new<const NAMES: usize, const SLOTS: usize>(skills: &[SkillSpec]) -> Self {
        let mut rendered = Self {
            bytes: [0; BYTES],
            ends: [0; SKILLS],
            references: [References::None; SKILLS],
        };
        let mut texts = Texts {
            bytes: &mut rendered.bytes,
            length: 0,
            ends: &mut rendered.ends,
            references: &mut rendered.references,
        };
        texts.write::<NAMES, SLOTS>(skills);
        rendered
    }

    /// Returns the specs with the rendered instructions.
    pub const fn specs(&'static self, skills: &[SkillSpec]) -> [SkillSpec; SKILLS] {
        let mut specs = [SkillSpec::new("placeholder"); SKILLS];
        let mut start = 0;
        let mut i = 0;
        while i < SKILLS {
            specs[i] = skills[i];
            let end = self.ends[i];
            if end > start {
                let (_, text) = self.bytes.split_at(end).0.split_at(start);
                specs[i].instructions = Some(crate::agent::text(text));
            }
            specs[i].references = self.references[i];
            start = end;
            i += 1;
        }
        specs
    }
}

/// A buffer for the instructions. If `bytes` is too short, only their length is counted.
struct Texts<'a> {
    bytes: &'a mut [u8],
    length: usize,
    ends: &'a mut [usize],
    references: &'a mut [References],
}

impl Texts<'_> {
    const fn write<const NAMES: usize, const SLOTS: usize>(&mut self, skills: &[SkillSpec]) {
        if !have_references(skills) {
            return;
        }
        let instances = Instances::<NAMES, SLOTS>::of(skills);
        let mut i = 0;
        while i < skills.len() {
            let start = self.length;
            let is_resolved = self.write_skill(skills, &instances, i);
            if !is_resolved {
                self.length = start;
            }
            if i < self.ends.len() {
                self.ends[i] = self.length;
                if !is_resolved {
                    self.references[i] = References::Unresolved;
                }
            }
            i += 1;
        }
    }

    /// Writes a skill's instructions, if they have references. Returns whether every reference resolves to a tool.
    const fn write_skill<const NAMES: usize, const SLOTS: usize>(
        &mut self,
        skills: &[SkillSpec],
        instances: &Instances<NAMES, SLOTS>,
        skill: usize,
    ) -> bool {
        let Some(text) = skills[skill].instructions else {
            return true;
        };
        let mut pieces = TextPieces::of(text);
        if !skills[skill].has_references() || pieces.is_plain() {
            return true;
        }
        while let Some(piece) = pieces.next_piece() {
            if !piece.is_reference {
                self.push(piece.text);
            } else if let Found::One(tool) = instances.find(skills, skill, piece.text) {
                self.push_name(&tool);
            } else {
                return false;
            }
        }
        true
    }

    const fn push_name(&mut self, tool: &ToolOf<'_>) {
        let [alias, separator, name] = tool.name();
        self.push(alias);
        self.push(separator);
        self.push(name);
    }

    const fn push(&mut self, text: &str) {
        let (start, end) = (self.length, self.length + text.len());
        if end <= self.bytes.len() {
            let (room, _) = self.bytes.split_at_mut(end);
            room.split_at_mut(start).1.copy_from_slice(text.as_bytes());
        }
        self.length = end;
    }
}

const fn have_references(skills: &[SkillSpec]) -> bool {
    let mut i = 0;
    while i < skills.len() {
        if skills[i].has_references() && skills[i].instructions.is_some() {
            return true;
        }
        i += 1;
    }
    false
}

/// A hash table from names to instances. Each instance has two entries: its name and, if it has an alias, the name in its own
/// spec.
struct Instances<const NAMES: usize, const SLOTS: usize> {
    first: [Slot<'static>; SLOTS],
    /// For each entry, the next entry with the same name.
    next: [Option<usize>; NAMES],
}

impl<const NAMES: usize, const SLOTS: usize> Instances<NAMES, SLOTS> {
    const fn of(skills: &[SkillSpec]) -> Self {
        let mut first = [None; SLOTS];
        let mut next = [None; NAMES];
        let mut entry = 2 * skills.len();
        // in reverse order, because each new entry becomes the first one with its name
        while entry > 2 {
            entry -= 1;
            let skill = &skills[entry / 2];
            let name = if entry.is_multiple_of(2) {
                Some(skill.name)
            } else {
                skill.alias_of
            };
            if let Some(name) = name {
                next[entry] = names::replace(&mut first, SEED, false, name, entry);
            }
        }
        Self { first, next }
    }

    /// Like [`find`](super::references::find), but does not search through all skills.
    const fn find<'a>(&self, skills: &'a [SkillSpec], skill: usize, name: &str) -> Found<'a> {
        let skill = &skills[skill];
        let mut found = Found::Nothing.and_of(skill, name);
        if found.is_tool() {
            return found;
        }
        let mut r = 0;
        while r < skill.requires.len() {
            let (required, _) = split(skill.requires[r]);
            let mut next = names::find(&self.first, SEED, false, required);
            while let Some(entry) = next {
                found = found.and_of(&skills[entry / 2], name);
                next = self.next[entry];
            }
            r += 1;
        }
        found
    }
}
