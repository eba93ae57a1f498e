//! Catalogs over folders of documents.

use skill_agent::manifest::{Catalog, CatalogBuilder, Dialect, Source};
use std::path::Path;

/// Writes a document.
pub fn document(folder: &Path, id: &str, keys: &str, body: &str) {
    let folder = folder.join(id);
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("---\nname: {id}\ndescription: About {id}.\n{keys}---\n{body}");
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
}

/// A catalog with the document `review`, which has a file.
pub fn catalog(folder: &Path) -> CatalogBuilder {
    document(folder, "review", "", "Read it twice.\n");
    std::fs::write(folder.join("review/checklist.md"), "- Is it tested?\n").unwrap();
    Catalog::builder(Dialect::AGENT_SKILLS).source(Source::project(folder))
}
