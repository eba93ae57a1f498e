//! The preset dialects.

use super::{
    CollisionPolicy, Dialect, DocumentLimits, Enforcement, FrontmatterField, FrontmatterPolicy,
    IdSource, LengthUnit, LinkPolicy, NameCharset, ScalarType,
};

impl DocumentLimits {
    /// The limits used by all presets.
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
        missing: Enforcement::Warn,
        links: LinkPolicy::Refuse,
        collision: CollisionPolicy::Exclude,
        frontmatter: FrontmatterPolicy::Required,
        fields: &[
            FrontmatterField::Name,
            FrontmatterField::Description,
            FrontmatterField::License,
            FrontmatterField::Compatibility,
            FrontmatterField::Metadata,
            FrontmatterField::AllowedTools,
        ],
        required: &[FrontmatterField::Name, FrontmatterField::Description],
        id: IdSource::Name,
        charset: NameCharset::LowerHyphen,
        lengths: &[
            (FrontmatterField::Name, 64),
            (FrontmatterField::Description, 1_024),
            (FrontmatterField::Compatibility, 500),
        ],
        unit: LengthUnit::Chars,
        trim: true,
        scalars: ScalarType::Text,
        form: Enforcement::Reject,
        directory: Enforcement::Reject,
        empty: Enforcement::Reject,
        blank: Enforcement::Reject,
        types: Enforcement::Reject,
        loose: &[FrontmatterField::License, FrontmatterField::Metadata],
        unknown: Enforcement::Reject,
        duplicates: Enforcement::Reject,
        flow: Enforcement::Reject,
        tags: Enforcement::Reject,
        repair: false,
        limits: DocumentLimits::DEFAULT,
    };

    /// A dialect for documents found in the wild. It knows the keys of all dialects, and reads every value with a clear meaning,
    /// with a diagnostic. A loader looks four folders deep. A document without a description does not load, as the agentskills.io
    /// guide for clients requires.
    pub const AGENT_SKILLS_LENIENT: Self = Self {
        name: "AGENT_SKILLS_LENIENT",
        file_case: false,
        depth: 4,
        missing: Enforcement::Ignore,
        links: LinkPolicy::Inside,
        collision: CollisionPolicy::First,
        fields: FrontmatterField::ALL,
        required: &[FrontmatterField::Description],
        id: IdSource::NameOrDirectory,
        form: Enforcement::Warn,
        directory: Enforcement::Warn,
        types: Enforcement::Warn,
        unknown: Enforcement::Ignore,
        duplicates: Enforcement::Warn,
        flow: Enforcement::Ignore,
        tags: Enforcement::Ignore,
        repair: true,
        ..Self::AGENT_SKILLS
    };

    /// Documents with triggers, toolsets and a brief description.
    pub const TRIGGERED: Self = Self {
        name: "TRIGGERED",
        file_names: &["SKILL.md"],
        fields: &[
            FrontmatterField::Name,
            FrontmatterField::Description,
            FrontmatterField::BriefDescription,
            FrontmatterField::Version,
            FrontmatterField::License,
            FrontmatterField::Toolsets,
            FrontmatterField::Scripts,
            FrontmatterField::Triggers,
            FrontmatterField::DefaultEnabled,
        ],
        charset: NameCharset::AsciiWord,
        lengths: &[
            (FrontmatterField::Name, 64),
            (FrontmatterField::Description, 500),
        ],
        trim: false,
        scalars: ScalarType::Typed,
        directory: Enforcement::Ignore,
        blank: Enforcement::Warn,
        loose: &[],
        unknown: Enforcement::Ignore,
        duplicates: Enforcement::Warn,
        flow: Enforcement::Ignore,
        tags: Enforcement::Ignore,
        ..Self::AGENT_SKILLS
    };

    /// Documents with a display name and the folder's name as id.
    pub const NAMED: Self = Self {
        name: "NAMED",
        fields: &[FrontmatterField::Name, FrontmatterField::Description],
        id: IdSource::Directory,
        charset: NameCharset::Any,
        lengths: &[],
        empty: Enforcement::Warn,
        ..Self::TRIGGERED
    };

    /// Documents with commands and eligibility. Frontmatter is optional, the folder's name is the id, and unknown keys are
    /// ignored.
    pub const LILY: Self = Self {
        name: "LILY",
        frontmatter: FrontmatterPolicy::Optional,
        fields: &[
            FrontmatterField::Summary,
            FrontmatterField::InvocationMode,
            FrontmatterField::Command,
            FrontmatterField::CommandTool,
            FrontmatterField::RequiresTools,
            FrontmatterField::Eligibility,
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
