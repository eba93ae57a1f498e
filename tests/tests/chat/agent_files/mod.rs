//! Agents from AGENT.md files: from the file on disk to the request. The guide is docs/agent-files.md.

mod allow_skills;
mod folder;
mod mistakes;

use skill_agent::chat::{Chat, ChatBuilder, ChatError, Providers, Scripted};
use skill_agent::manifest::{AgentDocs, Catalog, Dialect, Source};
use skill_agent::toolbox::Toolbox;
use std::path::Path;
use tempfile::TempDir;

/// The example of the design.
const GENERAL: &str = "\
---
name: General Assistant
provider: openai
model: gpt-4
allow_skills: true
---

You are a helpful assistant with access to specialized skills...
";

/// Returns a folder with agents.
fn folder(agents: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (id, text) in agents {
        std::fs::create_dir_all(folder.path().join(id)).unwrap();
        std::fs::write(folder.path().join(id).join("AGENT.md"), text).unwrap();
    }
    folder
}

/// Loads a folder, and replaces its path in a text with `agents`.
fn shown(folder: &Path, text: impl ToString) -> String {
    let path = folder.display().to_string();
    text.to_string().replace(&path, "agents")
}

/// Returns the providers of the tests, whose models are clones of one.
fn providers(model: &Scripted) -> Providers {
    let (one, other) = (model.clone(), model.clone());
    Providers::new().with("openai", move |_| one.clone()).with(
        "anthropic",
        move |name| match name {
            "claude" => Ok(other.clone()),
            _ => Err(format!("it has no model `{name}`")),
        },
    )
}

/// Returns the builder of a chat with an agent of a folder.
fn builder(folder: &Path, id: &str, toolbox: Toolbox, model: &Scripted) -> ChatBuilder {
    let agents = AgentDocs::load(folder).unwrap();
    Chat::from_doc(agents.get(id).unwrap(), toolbox, &providers(model))
}

/// Returns the error of a chat with the agent of a text.
async fn refused(text: &str, providers: &Providers) -> String {
    let folder = folder(&[("general", text)]);
    let agents = AgentDocs::load(folder.path()).unwrap();
    let doc = agents.get("general").unwrap();
    let toolbox = Toolbox::builder().build().await.unwrap();
    let error = Chat::from_doc(doc, toolbox, providers).build().err();
    let error = error.expect("it has no model");
    assert!(matches!(error, ChatError::Document(_)));
    shown(folder.path(), error)
}

/// Writes two documents, and returns their catalog.
fn catalog(folder: &Path) -> Catalog {
    for (id, body) in [("brainstorming", "Ask first."), ("code-review", "Read it.")] {
        let text = format!("---\nname: {id}\ndescription: About {id}.\n---\n{body}\n");
        std::fs::create_dir_all(folder.join(id)).unwrap();
        std::fs::write(folder.join(id).join("SKILL.md"), text).unwrap();
    }
    let catalog = Catalog::builder(Dialect::NAMED);
    catalog.source(Source::project(folder)).load()
}
