//! An agent that keeps notes, and catalogs of temporary folders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::{Catalog, CommandOutcome, Dialect, Source};
use skill_agent::prelude::*;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(TakeNote, SetMood))]
pub struct Notes {
    notes: Vec<String>,
    mood: Option<Mood>,
}

/// How it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mood {
    Good,
    Bad,
}

/// Where a note is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    shelf: u32,
}

/// Write something down.
#[action]
pub fn take_note(
    notes: &mut Notes,
    text: String,
    times: Option<u32>,
    tags: Option<Vec<String>>,
    place: Option<Place>,
    loud: Option<bool>,
    weight: Option<f64>,
) -> String {
    let text = if loud == Some(true) {
        text.to_uppercase()
    } else {
        text
    };
    let times = times.unwrap_or(1) as usize;
    notes.notes.extend(std::iter::repeat_n(text, times));
    format!(
        "{} {:?} {:?} {weight:?}",
        notes.notes.join("|"),
        tags.unwrap_or_default(),
        place.map(|place| place.shelf)
    )
}

/// Say how it is.
#[action]
pub fn set_mood(notes: &mut Notes, mood: Mood) {
    notes.mood = Some(mood);
}

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [Notes],
    }
}

pub const NOTE: &str = "---\nsummary: Take a note\ninvocation_mode: tool_dispatch\ncommand: note\ncommand_tool: take_note\n\
                    requires_tools: [take_note]\n---\n# Note\n";

pub fn write(folder: &Path, id: &str, text: &str) {
    fs::create_dir_all(folder.join(id)).unwrap();
    fs::write(folder.join(id).join("SKILL.md"), text).unwrap();
}

pub fn folder(skills: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (id, text) in skills {
        write(folder.path(), id, text);
    }
    folder
}

/// A catalog of `LILY` documents, with the actions of the clerk.
pub fn lily(skills: &[(&str, &str)]) -> (TempDir, Catalog) {
    let folder = folder(skills);
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(folder.path()))
        .agent::<Clerk>()
        .allow_skills(true)
        .load();
    (folder, catalog)
}

pub fn answer(catalog: &mut Catalog, line: &str) -> String {
    match catalog.command(line) {
        Ok(CommandOutcome::Text(text)) => text,
        Ok(other) => panic!("{line}: {other:?}"),
        Err(error) => error.to_string(),
    }
}

pub fn agent_skills_catalog(skills: &[(&str, &str)]) -> (TempDir, Catalog) {
    let folder = folder(skills);
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT)
        .source(Source::project(folder.path()))
        .load();
    (folder, catalog)
}
