//! All sources of a program, from discovery or from its configuration.

pub(crate) mod hash;
pub(crate) mod host;
pub(crate) mod source;

use super::{ConfigError, Dialect, DocText, DocTextList, Source};
use skill_manifest::check_config;
use std::path::Path;

/// Several sources, with settings for their documents. Pass them to [`CatalogBuilder::sources`](super::CatalogBuilder::sources).
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub(crate) list: Vec<Source>,
    pub(crate) max_skills: Option<usize>,
    pub(crate) disabled: DocTextList,
}

impl Sources {
    /// Returns the folders in which agents keep skills: `.claude/skills`, `.agents/skills` and `.agent/skills`, both in the
    /// user's home and, with a higher precedence, in a project. None of them is trusted: their documents are listed, but are not
    /// offered until the user trusts them. The first two folders use [`Dialect::AGENT_SKILLS_LENIENT`].
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

    /// Parses the contents of `config.system.yaml` and `config.user.yaml`. A key in the user's file overrides the same key in the
    /// system's file. `skills_path` is the user's folder and defaults to [`Source::user_home`]. Other keys are ignored, because
    /// the files also configure the rest of the program.
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
    /// Returns an error if a file is not YAML or not a mapping, or if one of these keys has a value of an invalid type.
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

    /// Adds a source.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.list.push(source);
        self
    }

    /// Iterates over the sources in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.list.iter()
    }

    /// Returns the maximum number of documents selected for one request. To limit the catalog itself, use
    /// [`CatalogBuilder::at_most`](super::CatalogBuilder::at_most).
    #[must_use]
    pub fn max_skills(&self) -> Option<usize> {
        self.max_skills
    }

    /// Returns the ids of the disabled documents.
    #[must_use]
    pub fn disabled(&self) -> &[DocText] {
        &self.disabled
    }
}
