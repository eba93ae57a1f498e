//! The preset dialects.

use super::{
    Charset, Collision, Dialect, Field, Frontmatter, IdSource, Limits, Links, Rule, Scalars, Unit,
};

impl Limits {
    /// The limits of every preset.
    pub const DEFAULT: Self = Self {
        file: 1 << 20,
        frontmatter: 64 << 10,
        depth: 16,
        nodes: 2_000,
        keywords: 64,
        patterns: 16,
        pattern: 256,
        entries: 100_000,
        resources: 1_000,
        resource: 16 << 20,
        all_resources: 256 << 20,
        resource_depth: 8,
    };
}

/// The presets.
impl Dialect {
    /// The open standard agentskills.io, as strict as its reference validator, which reads YAML without flow collections, tags
    /// and types. A document that loads in this dialect loads in every client.
    pub const AGENT_SKILLS: Self = Self {
        name: "AGENT_SKILLS",
        file_names: &["SKILL.md", "skill.md"],
        file_case: true,
        depth: 1,
        missing: Rule::Warn,
        links: Links::Refuse,
        collision: Collision::Exclude,
        frontmatter: Frontmatter::Required,
        fields: &[
            Field::Name,
            Field::Description,
            Field::License,
            Field::Compatibility,
            Field::Metadata,
            Field::AllowedTools,
        ],
        required: &[Field::Name, Field::Description],
        id: IdSource::Name,
        charset: Charset::LowerHyphen,
        lengths: &[
            (Field::Name, 64),
            (Field::Description, 1_024),
            (Field::Compatibility, 500),
        ],
        unit: Unit::Chars,
        trim: true,
        scalars: Scalars::Text,
        form: Rule::Reject,
        directory: Rule::Reject,
        empty: Rule::Reject,
        blank: Rule::Reject,
        types: Rule::Reject,
        loose: &[Field::License, Field::Metadata],
        unknown: Rule::Reject,
        duplicates: Rule::Reject,
        flow: Rule::Reject,
        tags: Rule::Reject,
        repair: false,
        limits: Limits::DEFAULT,
    };

    /// Documents found in the wild: every key of every dialect is known, and what can be understood is read, with a diagnostic.
    /// A loader looks four folders deep. A document without a description does not load, as the agentskills.io guide for
    /// clients requires.
    pub const AGENT_SKILLS_LENIENT: Self = Self {
        name: "AGENT_SKILLS_LENIENT",
        file_case: false,
        depth: 4,
        missing: Rule::Ignore,
        links: Links::Inside,
        collision: Collision::First,
        fields: Field::ALL,
        required: &[Field::Description],
        id: IdSource::NameOrDirectory,
        form: Rule::Warn,
        directory: Rule::Warn,
        types: Rule::Warn,
        unknown: Rule::Ignore,
        duplicates: Rule::Warn,
        flow: Rule::Ignore,
        tags: Rule::Ignore,
        repair: true,
        ..Self::AGENT_SKILLS
    };

    /// Documents with triggers, toolsets and a brief description.
    pub const TRIGGERED: Self = Self {
        name: "TRIGGERED",
        file_names: &["SKILL.md"],
        fields: &[
            Field::Name,
            Field::Description,
            Field::BriefDescription,
            Field::Version,
            Field::License,
            Field::Toolsets,
            Field::Scripts,
            Field::Triggers,
            Field::DefaultEnabled,
        ],
        charset: Charset::AsciiWord,
        lengths: &[(Field::Name, 64), (Field::Description, 500)],
        trim: false,
        scalars: Scalars::Typed,
        directory: Rule::Ignore,
        blank: Rule::Warn,
        loose: &[],
        unknown: Rule::Ignore,
        duplicates: Rule::Warn,
        flow: Rule::Ignore,
        tags: Rule::Ignore,
        ..Self::AGENT_SKILLS
    };

    /// Documents with a display name and the folder as id.
    pub const NAMED: Self = Self {
        name: "NAMED",
        fields: &[Field::Name, Field::Description],
        id: IdSource::Directory,
        charset: Charset::Any,
        lengths: &[],
        empty: Rule::Warn,
        ..Self::TRIGGERED
    };

    /// Documents with commands and eligibility. Frontmatter is optional, the folder is the id, and unknown keys are ignored.
    pub const LILY: Self = Self {
        name: "LILY",
        frontmatter: Frontmatter::Optional,
        fields: &[
            Field::Summary,
            Field::InvocationMode,
            Field::Command,
            Field::CommandTool,
            Field::RequiresTools,
            Field::Eligibility,
        ],
        required: &[],
        ..Self::NAMED
    };

    /// All presets.
    pub const PRESETS: &[Self] = &[
        Self::AGENT_SKILLS,
        Self::AGENT_SKILLS_LENIENT,
        Self::TRIGGERED,
        Self::NAMED,
        Self::LILY,
    ];
}
