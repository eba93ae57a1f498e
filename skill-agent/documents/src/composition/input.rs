//! The input of a check: the documents and their agent.

use super::LocatedDoc;
use skill_core::__private::names::SEED;
use skill_core::__private::{capacity, has_stub};
use skill_core::{ActionSpec, Mountable, SkillSpec, Tool};

/// The built-in commands of every program.
pub(crate) const BUILT_IN: &[&str] = &["skills", "skill", "help", "reload_skills"];

/// The documents, and the agent to check them against.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    pub(crate) docs: &'a [LocatedDoc<'a>],
    /// `true` if some documents are placeholders for documents with errors that are reported elsewhere. A placeholder's real id
    /// is unknown.
    pub(crate) has_placeholder_docs: bool,
    /// The tools that a model may call, or `None` if the tools are unknown and therefore not checked.
    pub(crate) tools: Option<&'a [&'a str]>,
    /// The agent's actions, its own first, so that messages can distinguish an internal action from a missing one.
    pub(crate) actions: &'a [ActionSpec],
    /// The agent's skills, in the order of their actions.
    pub(crate) skills: &'a [SkillSpec],
    /// The skills that the agent may mount at run time.
    pub(crate) mountable: &'a [Mountable],
    /// The commands that [`reserved`](crate::CatalogBuilder::reserved) adds to [`BUILT_IN`].
    pub(crate) reserved: &'a [&'a str],
    /// The seed for hashing names. [`diagnose`](super::diagnose) uses a random seed.
    pub(crate) seed: u64,
}

impl<'a> CheckInput<'a> {
    /// An input without documents and without an agent.
    pub(crate) const EMPTY: Self = Self {
        docs: &[],
        has_placeholder_docs: false,
        tools: None,
        actions: &[],
        skills: &[],
        mountable: &[],
        reserved: &[],
        seed: SEED,
    };

    /// Creates the input from an agent's documents, tools and skills. If an action itself has errors, the tools count as unknown.
    pub const fn new(
        docs: &'a [LocatedDoc<'a>],
        tools: &'a [&'a str],
        actions: &'a [ActionSpec],
        skills: &'a [SkillSpec],
        mountable: &'a [Mountable],
    ) -> Self {
        Self {
            docs,
            has_placeholder_docs: has_placeholder_docs(docs),
            tools: if has_placeholder_actions(actions, mountable) {
                None
            } else {
                Some(tools)
            },
            actions,
            skills,
            mountable,
            ..Self::EMPTY
        }
    }

    /// Returns the number of slots of each name table.
    pub const fn room(&self) -> usize {
        let tools = match self.tools {
            Some(tools) => tools.len(),
            None => 0,
        };
        let skills = 2 * self.skills.len() + self.mountable.len();
        capacity(self.docs.len() + tools + skills + self.reserved.len() + BUILT_IN.len())
    }
}

const fn has_placeholder_docs(docs: &[LocatedDoc<'_>]) -> bool {
    let mut i = 0;
    while i < docs.len() {
        if docs[i].is_placeholder() {
            return true;
        }
        i += 1;
    }
    false
}

const fn has_placeholder_actions(actions: &[ActionSpec], mountable: &[Mountable]) -> bool {
    let mut lacks = has_stub(actions);
    let mut m = 0;
    while m < mountable.len() {
        lacks |= has_stub(mountable[m].spec().actions);
        m += 1;
    }
    lacks
}

/// Returns the names of an agent's tools.
pub const fn tool_names<const N: usize>(tools: &[Tool<'static>]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = tools[i].name;
        i += 1;
    }
    names
}
