//! The keys of all dialects.

macro_rules! fields {
    ($($(#[$doc:meta])+ $field:ident = $key:literal;)+) => {
        /// A frontmatter key of a SKILL.md, of the open standard or of another dialect.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FrontmatterField {
            $($(#[$doc])+ $field,)+
        }

        impl FrontmatterField {
            /// Every key, in the order of this enum.
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
    /// The name of the document (agentskills.io).
    Name = "name";
    /// The purpose of the skill, and when to use it (agentskills.io).
    Description = "description";
    /// One line for a registry.
    BriefDescription = "brief_description";
    /// A semantic version.
    Version = "version";
    /// A license, or the file that contains it (agentskills.io).
    License = "license";
    /// Requirements on the environment, for people (agentskills.io).
    Compatibility = "compatibility";
    /// Arbitrary pairs of strings (agentskills.io).
    Metadata = "metadata";
    /// The tools a model may call while the document is active (agentskills.io).
    AllowedTools = "allowed-tools";
    /// Code that provides tools, `path:Type`.
    Toolsets = "toolsets";
    /// Bundled programs.
    Scripts = "scripts";
    /// Words and patterns that suggest the document.
    Triggers = "triggers";
    /// Whether a bundled document is enabled by default.
    DefaultEnabled = "default_enabled";
    /// One line for `/skills`.
    Summary = "summary";
    /// Whether the document is for the model or dispatches to a tool.
    InvocationMode = "invocation_mode";
    /// The slash command.
    Command = "command";
    /// The tool of `tool_dispatch`.
    CommandTool = "command_tool";
    /// Tools without which the document is not offered.
    RequiresTools = "requires_tools";
    /// Operating systems, environment variables and programs without which the document is not offered.
    Eligibility = "eligibility";
    /// Other skills that the document needs, `name` or `name@version`.
    Requires = "requires";
    /// Files for which the document is useful.
    Paths = "paths";
    /// Whether only a person may invoke the document.
    DisableModelInvocation = "disable-model-invocation";
    /// Whether a person may invoke the document.
    UserInvocable = "user-invocable";
    /// The arguments of the document's command, for people.
    ArgumentHint = "argument-hint";
}

impl FrontmatterField {
    /// Returns the field with the given key.
    #[must_use]
    pub fn of(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.key() == key)
    }

    /// Whether the field restricts what a document may do, so that a wrong value must not count as a missing one.
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
