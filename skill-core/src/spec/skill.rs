//! [`SkillSpec`]: the description of a skill.

use super::provenance::{Provenance, References};
use super::{ActionSpec, FieldConstraints, SchemaFn, TriggerSpec};
use crate::routing::segments_match;
use skill_agent_grammar as grammar;

/// The description of a skill.
///
/// `#[derive(Skill)]` creates the spec. To create one by hand, use [`SkillSpec::new`] and the builder methods, which are all
/// `const`. In an agent's `skills` list, the spec of an aliased instance (`Calculator as calc`) has the alias as its name.
///
/// ```
/// use skill_core::SkillSpec;
/// const SPEC: SkillSpec = SkillSpec::new("counter").description("Counts.").tags(&["numbers"]);
/// assert_eq!((SPEC.name, SPEC.state_key), ("counter", "counter"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SkillSpec {
    /// The name of the skill: `[a-z][a-z0-9_-]*`, at most 64 bytes.
    pub name: &'static str,
    /// The declared name, if this is an aliased instance.
    pub alias_of: Option<&'static str>,
    /// The name for people.
    pub title: Option<&'static str>,
    /// The path of the Rust type.
    pub type_path: &'static str,
    /// The key of the skill's state in the agent's state: a Rust identifier.
    pub state_key: &'static str,
    /// The purpose of the skill.
    pub description: Option<&'static str>,
    /// The category for catalogs.
    pub category: Option<&'static str>,
    /// The semantic version.
    pub version: Option<&'static str>,
    /// The tags for searching.
    pub tags: &'static [&'static str],
    /// The patterns of the signals that the skill's hooks receive.
    pub signals: &'static [&'static str],
    /// The skills required in the same agent: `name` or `name@requirement`.
    pub requires: &'static [&'static str],
    /// The actions, under their declared names.
    pub actions: &'static [ActionSpec],
    /// Instructions for a model while the skill is active. In an agent's `skills` list, tool names replace references such as
    /// `{Record}`; `Skill::SPEC` has the original instructions.
    pub instructions: Option<&'static str>,
    /// The words and patterns of requests for which the skill is useful.
    pub triggers: TriggerSpec,
    /// The JSON schema of the state.
    pub state_schema: Option<SchemaFn>,
    /// The JSON schema of the configuration.
    pub config_schema: Option<SchemaFn>,
    /// The paths of the secrets in the state, such as `token` or `login.password`. List items share the list's path.
    pub state_secrets: &'static [&'static str],
    /// The paths of the secrets in the configuration.
    pub config_secrets: &'static [&'static str],
    /// The constraints on the configuration's fields, sorted by field name.
    pub(crate) config_constraints: &'static [FieldConstraints],
    /// Whether the agent lists the skill in `deferred`, so that the model of a chat loads it on demand.
    pub deferred: bool,
    /// The concatenated tool names of an aliased instance; see `agent::prefixed`.
    pub(crate) prefixed: &'static str,
    /// The table from type paths to actions, if `#[derive(Skill)]` created one; see `composition::listed`.
    pub(crate) listed: &'static [u32],
    /// Whether the skill has a document, whose id is its name.
    pub(crate) is_joined: bool,
    /// The state of the references in the instructions.
    pub(crate) references: References,
    /// The creator of the spec. It determines which mistakes were already reported.
    pub(crate) provenance: Provenance,
}

impl SkillSpec {
    /// Creates a spec. The name is also the state key; call [`state_key`](Self::state_key) to replace a `-` with `_`.
    ///
    /// # Panics
    /// Panics if the name is invalid. In a `const`, that is a compile error.
    #[track_caller]
    pub const fn new(name: &'static str) -> Self {
        assert!(
            grammar::is_name(name),
            "a skill name is `[a-z][a-z0-9_-]*` with at most 64 characters"
        );
        Self {
            name,
            alias_of: None,
            title: None,
            type_path: name,
            state_key: name,
            description: None,
            category: None,
            version: None,
            tags: &[],
            signals: &[],
            requires: &[],
            actions: &[],
            instructions: None,
            triggers: TriggerSpec::new(),
            state_schema: None,
            config_schema: None,
            state_secrets: &[],
            config_secrets: &[],
            config_constraints: &[],
            deferred: false,
            prefixed: "",
            listed: &[],
            is_joined: false,
            references: References::Possible,
            provenance: Provenance::Hand,
        }
    }

    /// Creates the spec of a skill with mistakes. The name is not checked.
    #[doc(hidden)]
    pub const fn stub(name: &'static str) -> Self {
        let mut spec = Self::new("stub");
        spec.name = name;
        spec.state_key = name;
        spec
    }

    /// Sets the key of the skill's state in the agent's state.
    ///
    /// # Panics
    /// Panics if the key is not an identifier.
    #[must_use]
    #[track_caller]
    pub const fn state_key(mut self, key: &'static str) -> Self {
        assert!(
            grammar::is_state_key(key),
            "a state key is a Rust identifier with at most 64 characters"
        );
        self.state_key = key;
        self
    }

    crate::setters! {
        /// Sets the name for people.
        pub const fn title(title: &'static str) { title = Some(title) }

        /// Sets the path of the Rust type, as shown in messages.
        pub const fn type_path(path: &'static str) { type_path = path }

        /// Sets the description.
        pub const fn description(text: &'static str) { description = Some(text) }

        /// Sets the category for catalogs.
        pub const fn category(category: &'static str) { category = Some(category) }
    }

    /// Sets the semantic version.
    ///
    /// # Panics
    /// Panics if the version is not semantic.
    #[must_use]
    #[track_caller]
    pub const fn version(mut self, version: &'static str) -> Self {
        assert!(
            grammar::is_version(version),
            "a version is three numbers, like `1.2.0`"
        );
        self.version = Some(version);
        self
    }

    /// Sets the tags for searching.
    #[must_use]
    pub const fn tags(mut self, tags: &'static [&'static str]) -> Self {
        self.tags = tags;
        self
    }

    /// Sets the patterns of the signals that the skill's hooks receive.
    ///
    /// # Panics
    /// Panics if one of them is not a pattern.
    #[must_use]
    #[track_caller]
    pub const fn signals(mut self, patterns: &'static [&'static str]) -> Self {
        let mut i = 0;
        while i < patterns.len() {
            assert!(
                grammar::is_pattern(patterns[i]),
                "a signal pattern is written like `order.*.paid` or `order.**`"
            );
            i += 1;
        }
        self.signals = patterns;
        self
    }

    /// Sets the skills that this skill requires.
    ///
    /// # Panics
    /// Panics if one of them is not a requirement.
    #[must_use]
    #[track_caller]
    pub const fn requires(mut self, skills: &'static [&'static str]) -> Self {
        let mut i = 0;
        while i < skills.len() {
            assert!(
                grammar::is_requirement(skills[i]),
                "a requirement is written `name` or `name@^1.2`"
            );
            i += 1;
        }
        self.requires = skills;
        self
    }

    crate::setters! {
        /// Sets the actions, in the order of [`Skill::ACTIONS`](crate::Skill::ACTIONS).
        pub const fn actions(actions: &'static [ActionSpec]) { actions = actions }

        /// Sets the instructions for a model. `{Record}` stands for the tool of the action whose struct is `Record`, in this skill or
        /// in one that it requires. `{{Record}}` stands for the text `{Record}`. All other braces are plain text.
        ///
        /// ```
        /// use skill_core::SkillSpec;
        /// const SPEC: SkillSpec = SkillSpec::new("notes").instructions("Call {Record} first.");
        /// assert_eq!(SPEC.instructions, Some("Call {Record} first.")); // `record`, or `left_record`, in an agent
        /// ```
        pub const fn instructions(text: &'static str) { instructions = Some(text) }

        /// Sets the words and patterns of requests for which the skill is useful.
        pub const fn triggers(triggers: TriggerSpec) { triggers = triggers }
    }

    /// Sets the schemas of state and configuration.
    #[must_use]
    pub const fn schemas(mut self, state: SchemaFn, config: SchemaFn) -> Self {
        self.state_schema = Some(state);
        self.config_schema = Some(config);
        self
    }

    /// Returns whether the skill version that stored a state is compatible with this one, as Cargo defines it.
    #[doc(hidden)]
    #[must_use]
    pub fn is_compatible_with(&self, stored: Option<&str>) -> bool {
        let [stored, present] =
            [stored, self.version].map(|version| grammar::compatible(version.unwrap_or("")));
        stored == present
    }

    crate::setters! {
        #[doc(hidden)]
        pub const fn __constraints(fields: &'static [FieldConstraints]) { config_constraints = fields }

        #[doc(hidden)]
        pub const fn __listed(table: &'static [u32]) { listed = table }

        #[doc(hidden)]
        pub const fn __provenance(provenance: Provenance) { provenance = provenance }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __deferred(mut self) -> Self {
        self.deferred = true;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __joined(mut self) -> Self {
        self.is_joined = true;
        self
    }

    /// Marks the instructions as free of references, for example because they come from a document.
    #[doc(hidden)]
    #[must_use]
    pub const fn __without_references(mut self) -> Self {
        self.references = References::None;
        self
    }

    pub(crate) const fn has_references(&self) -> bool {
        self.references as u8 == References::Possible as u8
    }

    pub(crate) const fn has_unresolved_references(&self) -> bool {
        self.references as u8 == References::Unresolved as u8
    }

    /// Returns whether the skill has a document, whose id is the skill's declared name.
    #[doc(hidden)]
    pub const fn __is_joined(&self) -> bool {
        self.is_joined
    }

    /// Returns whether this is the spec of a skill with mistakes.
    #[doc(hidden)]
    pub const fn __is_stub(&self) -> bool {
        self.provenance.is(Provenance::Stub)
    }

    /// Returns a signal pattern of the skill as this instance uses it. If the first segment is the skill's declared name, the
    /// instance's name replaces it.
    pub fn spell(&self, pattern: &str) -> String {
        match pattern.strip_prefix(self.declared_name()) {
            Some(rest) if rest.is_empty() || rest.starts_with('.') => {
                format!("{}{rest}", self.name)
            }
            _ => pattern.to_owned(),
        }
    }

    /// Returns whether the skill's hooks receive signals of the type `ty`: either the skill declares no patterns, or one of them
    /// matches for this instance. An invalid pattern matches nothing.
    pub(crate) fn wants(&self, ty: &str) -> bool {
        let (author, instance) = (self.declared_name(), self.name);
        let matches = |pattern: &&str| {
            // A skill name has no dots, so only the first segment can be a skill name.
            let spelled = pattern.split('.').enumerate().map(|(place, segment)| {
                if place == 0 && segment == author {
                    instance
                } else {
                    segment
                }
            });
            grammar::is_pattern(pattern) && segments_match(spelled, ty)
        };
        self.signals.is_empty() || self.signals.iter().any(matches)
    }

    /// Returns the declared name, which is the same for all instances.
    pub const fn declared_name(&self) -> &'static str {
        match self.alias_of {
            Some(name) => name,
            None => self.name,
        }
    }
}
