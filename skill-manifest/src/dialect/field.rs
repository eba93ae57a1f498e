//! The keys of all dialects.

macro_rules! fields {
    ($($(#[$doc:meta])+ $field:ident = $key:literal;)+) => {
        /// A key of a SKILL.md, of the open standard or of a seed.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field {
            $($(#[$doc])+ $field,)+
        }

        impl Field {
            /// Every key, in the order of this enum.
            pub const ALL: &[Self] = &[$(Self::$field,)+];

            /// How it is written.
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
    /// Who it is (agentskills.io, seeds 002 and 003).
    Name = "name";
    /// What it does and when to use it (agentskills.io, seeds 002 and 003).
    Description = "description";
    /// One line for a registry (seed 002).
    BriefDescription = "brief_description";
    /// A semantic version (seed 002).
    Version = "version";
    /// A license, or the file that has it (agentskills.io).
    License = "license";
    /// What it needs of its surroundings, for people (agentskills.io).
    Compatibility = "compatibility";
    /// Whatever else, text by text (agentskills.io).
    Metadata = "metadata";
    /// The tools a model may call while it is active (agentskills.io).
    AllowedTools = "allowed-tools";
    /// Code that gives it tools, `path:Type` (seed 002).
    Toolsets = "toolsets";
    /// Programs it brings (seed 002).
    Scripts = "scripts";
    /// Words and patterns that activate it (seed 002).
    Triggers = "triggers";
    /// Whether a bundled one is on (seed 002).
    DefaultEnabled = "default_enabled";
    /// One line for `/skills` (seed 004).
    Summary = "summary";
    /// By the model, or straight to a tool (seed 004).
    InvocationMode = "invocation_mode";
    /// Its slash command (seed 004).
    Command = "command";
    /// The tool of `tool_dispatch` (seed 004).
    CommandTool = "command_tool";
    /// Tools without which it is not offered (seed 004).
    RequiresTools = "requires_tools";
    /// Systems, variables and programs without which it is not offered (seed 004).
    Eligibility = "eligibility";
    /// Other skills it needs, `name` or `name@version`.
    Requires = "requires";
}

impl Field {
    /// The field of a key.
    #[must_use]
    pub fn of(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.key() == key)
    }

    /// Whether it bounds what a document may do, so that a wrong value must not count as none.
    pub(crate) const fn binds(self) -> bool {
        matches!(
            self,
            Self::AllowedTools
                | Self::DefaultEnabled
                | Self::InvocationMode
                | Self::CommandTool
                | Self::RequiresTools
                | Self::Eligibility
                | Self::Requires
        )
    }
}
