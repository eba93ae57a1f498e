//! Where the documents of a whole program come from: by discovery, or by its configuration.

use super::{ConfigError, Dialect, List, Source, Text};
use skill_manifest::check_config;
use std::path::Path;

/// Sources, and what a configuration says of their documents. [`CatalogBuilder::sources`](super::CatalogBuilder::sources)
/// takes them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub(crate) list: Vec<Source>,
    pub(crate) max_skills: Option<usize>,
    pub(crate) disabled: List,
}

impl Sources {
    /// The folders in which agents keep skills: `.claude/skills`, `.agents/skills` and `.agent/skills`, of the user's home and
    /// above them those of a project. None of them is trusted: their documents are listed, and not offered until somebody
    /// trusts them. Those of the first two are read as [`Dialect::AGENT_SKILLS_LENIENT`].
    #[must_use]
    pub fn discover(project: impl AsRef<Path>) -> Self {
        let project = project.as_ref();
        let home = Path::new("~");
        let foreign = |name: &'static str, root: &Path, folder: &str| {
            Source::named(name, root.join(folder)).dialect(Dialect::AGENT_SKILLS_LENIENT)
        };
        let list = [
            Source::user_home(),
            foreign("user .claude", home, ".claude/skills"),
            foreign("user .agents", home, ".agents/skills"),
            foreign("project .claude", project, ".claude/skills"),
            foreign("project .agents", project, ".agents/skills"),
            Source::project_home(project),
        ];
        Self {
            list: list.map(Source::discovered).into(),
            ..Self::default()
        }
    }

    /// What the texts of `config.system.yaml` and `config.user.yaml` say; a key of the user's holds over the system's
    /// (seed 003). `skills_path` is the folder of the user, [`Source::user_home`] where neither says it. The files are the
    /// whole program's: other keys are not looked at.
    ///
    /// ```
    /// use skill_agent::manifest::Sources;
    ///
    /// let system = "skills_path: /usr/share/agent/skills\nmax_skills: 50\n";
    /// let user = "default_agent: general\nskills_path: ~/skills\n";
    /// let sources = Sources::from_config(system, user)?;
    /// assert_eq!(sources.max_skills(), Some(50));
    /// # Ok::<(), skill_agent::manifest::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// A file that is no YAML or no mapping, and each of the keys that has a value of a wrong type.
    pub fn from_config(system: &str, user: &str) -> Result<Self, ConfigError> {
        let mut wrong = Vec::new();
        let mut read = |path, text| match check_config(path, text).into_doc() {
            Ok(config) => config,
            Err(diagnostics) => {
                wrong.extend(diagnostics);
                Default::default()
            }
        };
        let system = read("config.system.yaml", system);
        let user = read("config.user.yaml", user);
        if !wrong.is_empty() {
            return Err(ConfigError::new(wrong));
        }
        let source = match user.skills_path.or(system.skills_path) {
            Some(path) => Source::user(path.into_owned()),
            None => Source::user_home(),
        };
        Ok(Self {
            list: vec![source],
            max_skills: user.max_skills.or(system.max_skills),
            disabled: user.disabled.or(system.disabled).unwrap_or_default(),
        })
    }

    /// With one more.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.list.push(source);
        self
    }

    /// The sources, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.list.iter()
    }

    /// How many documents a selection takes for one request at most (seed 002). A catalog holds and offers all of them; see
    /// [`CatalogBuilder::at_most`](super::CatalogBuilder::at_most) for a bound of that.
    #[must_use]
    pub fn max_skills(&self) -> Option<usize> {
        self.max_skills
    }

    /// The ids of documents that are not offered.
    #[must_use]
    pub fn disabled(&self) -> &[Text] {
        &self.disabled
    }
}
