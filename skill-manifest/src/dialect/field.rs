//! The frontmatter keys of all dialects.

macro_rules! fields {
    ($($(#[$doc:meta])+ $field:ident = $key:literal;)+) => {
        /// A frontmatter key of a SKILL.md, from the open standard or another dialect.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FrontmatterField {
            $($(#[$doc])+ $field,)+
        }

        impl FrontmatterField {
            /// All keys, in the order of this enum.
            pub const ALL: &[Self] = &[$(Self::$field,)+];

            /// Returns the key as written.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$field => $key,)+
                }
            }
        }
    };
}

fields! {
    /// The document's name (agentskills.io).
    Name = "name";
    /// The purpose of the skill, and when to use it (agentskills.io).
    Description = "description";
    /// The description as one line, for a registry.
    BriefDescription = "brief_description";
    /// A semantic version.
    Version = "version";
    /// A license, or the name of the file with the license (agentskills.io).
    License = "license";
    /// Environment requirements, as text for people (agentskills.io).
    Compatibility = "compatibility";
    /// Arbitrary pairs of strings (agentskills.io).
    Metadata = "metadata";
    /// The tools that a model may call while the document is active (agentskills.io).
    AllowedTools = "allowed-tools";
    /// The code that provides tools, in the form `path:Type`.
    Toolsets = "toolsets";
    /// The programs that the document bundles.
    Scripts = "scripts";
    /// The words and patterns that suggest the document.
    Triggers = "triggers";
    /// Whether a bundled document is enabled by default.
    DefaultEnabled = "default_enabled";
    /// One line for the output of `/skills`.
    Summary = "summary";
    /// Whether the document is for the model or dispatches to a tool.
    InvocationMode = "invocation_mode";
    /// The document's slash command.
    Command = "command";
    /// The tool that `tool_dispatch` calls.
    CommandTool = "command_tool";
    /// The tools that must exist for the document to be offered.
    RequiresTools = "requires_tools";
    /// The conditions for offering the document: operating systems, environment variables and programs.
    Eligibility = "eligibility";
    /// Other skills that the document needs, in the form `name` or `name@version`.
    Requires = "requires";
    /// The files that the document is useful for.
    Paths = "paths";
    /// Whether only a person may invoke the document.
    DisableModelInvocation = "disable-model-invocation";
    /// Whether a person may invoke the document.
    UserInvocable = "user-invocable";
    /// The arguments of the document's command, as text for people.
    ArgumentHint = "argument-hint";
}

impl FrontmatterField {
    /// Returns the field with the given key.
    #[must_use]
    pub fn of(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.key() == key)
    }

    /// Returns whether the field restricts a document. An invalid value of such a field must not count as a missing one.
    pub(crate) const fn is_restriction(self) -> bool {
        matches!(
            self,
            Self::AllowedTools
                | Self::DefaultEnabled
                | Self::InvocationMode
                | Self::CommandTool
                | Self::RequiresTools
                | Self::Eligibility
                | Self::Requires
                | Self::DisableModelInvocation
                | Self::UserInvocable
        )
    }
}
