//! Caches an agent's tools in a provider's form.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use skill_core::Agent;

use crate::{Provider, ToolsError};

/// The cached lists, in one static because the blanket implementation cannot have a static for each agent.
static MADE: RwLock<Option<HashMap<(TypeId, Provider), &'static str>>> = RwLock::new(None);

/// Returns an agent's tools as JSON text. Implemented for every [`Agent`].
pub trait ToolsJson: Agent {
    /// Returns this agent's [tools](Agent::tools) in `provider`'s form. The text is created once per provider.
    ///
    /// The arguments of an action and the fields of nested structs are in declaration order. Without the feature `ordered-json`,
    /// both are in alphabetical order.
    ///
    /// # Errors
    ///
    /// Returns an error with the paths of everything that the provider cannot express, and with all limits that are exceeded.
    /// Call this when your program starts, or use `testing::assert_tools_fit` in a test.
    ///
    /// ```
    /// use skill_agent::models::{Provider, ToolsJson};
    /// use skill_agent::prelude::*;
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[serde(default)]
    /// #[skill(name = "notes", description = "Notes of one person.", actions(AddNote))]
    /// pub struct Notes {
    ///     lines: Vec<String>,
    /// }
    ///
    /// /// Keep a note.
    /// #[action]
    /// pub fn add_note(notes: &mut Notes, text: String) {
    ///     notes.lines.push(text);
    /// }
    ///
    /// agent! {
    ///     pub struct Assistant {
    ///         name: "assistant",
    ///         skills: [Notes],
    ///     }
    /// }
    ///
    /// let tools: &'static str = Assistant::tools_json(Provider::ANTHROPIC)?;
    /// assert!(tools.starts_with(r#"[{"name":"add_note","description":"Keep a note.","input_schema":{"type":"object""#));
    /// # Ok::<(), skill_agent::models::ToolsError>(())
    /// ```
    fn tools_json(provider: Provider) -> Result<&'static str, ToolsError> {
        let key = (TypeId::of::<Self>(), provider);
        let made = MADE.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = made.as_ref().and_then(|made| made.get(&key)) {
            return Ok(text);
        }
        drop(made);
        let text = provider.tools_json(Self::tools())?;
        let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
        let made = made.get_or_insert_default();
        // another thread may have inserted its text first
        Ok(made.entry(key).or_insert_with(|| text.leak()))
    }
}

impl<G: Agent> ToolsJson for G {}
