//! Temporary folders of documents, and a configurable host.

use skill_agent::manifest::{Catalog, CatalogBuilder, Dialect, Host, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder, deleted after the test.
pub struct Temp(TempDir);

impl Temp {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Writes `path/SKILL.md` with a name and a description, as Agent Skills requires.
    pub fn standard(&self, path: &str) -> &Self {
        let name = path.rsplit('/').next().unwrap();
        let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\n# {name}\n");
        self.write(&format!("{path}/SKILL.md"), text)
    }
}

/// Returns a builder with one source, the folder of a project.
pub fn project(temp: &Temp, dialect: Dialect) -> CatalogBuilder {
    Catalog::builder(dialect).source(Source::project(temp.path()))
}

pub fn ids(catalog: &Catalog) -> Vec<String> {
    catalog.skills().map(|entry| entry.id.to_string()).collect()
}

/// Returns the code of every diagnostic, and its path relative to a folder.
pub fn reported(catalog: &Catalog, below: &Path) -> Vec<(&'static str, String)> {
    let reported = catalog.diagnostics().iter().map(|diagnostic| {
        let path = diagnostic.path.as_deref().unwrap_or_default();
        let path = path.strip_prefix(below.to_str().unwrap()).unwrap_or(path);
        (
            diagnostic.code.as_str(),
            path.trim_start_matches('/').to_owned(),
        )
    });
    reported.collect()
}

pub fn codes(catalog: &Catalog) -> Vec<&'static str> {
    catalog
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.code.as_str())
        .collect()
}

/// A host with the given properties.
#[derive(Clone, Debug, Default)]
pub struct TestHost {
    pub os: String,
    pub env: BTreeMap<String, String>,
    pub binaries: Vec<String>,
    pub home: Option<PathBuf>,
}

impl Host for TestHost {
    fn os(&self) -> &str {
        &self.os
    }

    fn has_env(&self, name: &str) -> bool {
        self.env.get(name).is_some_and(|value| !value.is_empty())
    }

    fn has_binary(&self, name: &str) -> bool {
        self.binaries.iter().any(|binary| binary == name)
    }

    fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }
}
