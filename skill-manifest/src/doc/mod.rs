//! What a SKILL.md says.

mod brief;
mod eligibility;

pub(crate) use brief::brief;
pub(crate) use eligibility::system;
pub use eligibility::{Eligibility, Host, Unmet};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A text that a macro embeds or a loader owns.
pub type Text = Cow<'static, str>;

/// Texts that a macro embeds or a loader owns.
pub type List = Cow<'static, [Text]>;

/// A parsed SKILL.md: instructions for a model, and what a program needs to know of them. It has the fields of the open
/// standard agentskills.io and of the seeds 002, 003 and 004; what a dialect does not know is empty.
///
/// It is plain data, so that it can be a `static`.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillDoc {
    /// What a program calls it: the name or the folder, as the dialect says. Empty when the dialect takes the folder, none is
    /// known and there is no name.
    pub id: Text,
    /// What it calls itself; the id where it does not say (agentskills.io, seeds 002 and 003).
    pub name: Text,
    /// What it does and when to use it.
    pub description: Text,
    /// One line of at most 80 characters: what the document says, or the first sentence of its description or summary (seed 002).
    pub brief_description: Text,
    /// A semantic version, unless a diagnostic says otherwise (seed 002).
    pub version: Option<Text>,
    /// A license, or the file that has it (agentskills.io).
    pub license: Option<Text>,
    /// What it needs of its surroundings, for people (agentskills.io).
    pub compatibility: Option<Text>,
    /// Whatever else, in the order of the document; a value that is no text is its JSON (agentskills.io).
    #[serde(serialize_with = "as_map")]
    pub metadata: Cow<'static, [(Text, Text)]>,
    /// The tools that a model may call while the document is active. `None` inherits those of the agent, an empty list is none
    /// (agentskills.io).
    #[serde(rename = "allowed-tools")]
    pub allowed_tools: Option<List>,
    /// Code that gives it tools, each `path:Type`, the path within the folder (seed 002).
    pub toolsets: List,
    /// Programs it brings, each within the folder; `None` says to look into `scripts/` (seed 002).
    pub scripts: Option<List>,
    /// What activates it (seed 002).
    pub triggers: Triggers,
    /// Whether a bundled one is on; true unless it says otherwise (seed 002).
    pub default_enabled: bool,
    /// One line for `/skills` (seed 004, section 3.1).
    pub summary: Text,
    /// By the model, or straight to a tool (seed 004, section 3.2).
    pub invocation_mode: InvocationMode,
    /// Its slash command, `[a-z0-9_-]+` (seed 004, section 3.3).
    pub command: Option<Text>,
    /// The tool of [`InvocationMode::ToolDispatch`], which has one always (seed 004, section 3.4).
    pub command_tool: Option<Text>,
    /// Tools without which it is not offered (seed 004, section 3.5).
    pub requires_tools: List,
    /// Systems, variables and programs without which it is not offered (seed 004, section 3.6).
    pub eligibility: Eligibility,
    /// Other skills it needs, each `name` or `name@version`.
    pub requires: List,
    /// The instructions, as they stand in the file, without blank lines at the ends.
    pub body: Text,
    /// The byte of the file where the body begins, a byte order mark and the frontmatter counted: what a tool finds in the body has
    /// its place in the file so, for an editor.
    ///
    /// ```
    /// use skill_manifest::{Dialect, check};
    ///
    /// let text = "---\nname: a\ndescription: d\n---\n\n# A\nSee notes.md.\n";
    /// let report = check(text, &Dialect::AGENT_SKILLS);
    /// let doc = report.doc().ok_or("it is valid")?;
    /// let at = doc.body_offset + doc.body.find("notes.md").ok_or("it is there")?;
    /// assert_eq!(text[..at].lines().count(), 7); // the line of the file
    /// # Ok::<(), &str>(())
    /// ```
    pub body_offset: usize,
}

/// What activates a document (seed 002).
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Triggers {
    /// Words and phrases, at word boundaries.
    pub keywords: List,
    /// Words for what is to be done, at word boundaries.
    pub verbs: List,
    /// Regular expressions in the syntax of [regex-lite](https://docs.rs/regex-lite), whose classes are those of ASCII.
    pub patterns: List,
}

/// How a document is invoked (seed 004, section 3.2).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InvocationMode {
    /// Its body goes to the model.
    #[default]
    PromptRewrite,
    /// Its tool is called without a model.
    ToolDispatch,
}

fn as_map<S: Serializer>(entries: &[(Text, Text)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    for (key, value) in entries {
        map.serialize_entry(key, value)?;
    }
    map.end()
}
