//! The tools of an agent as a provider reads them, made once.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use skill_core::Agent;

use super::{Provider, ToolsError};

/// The lists that were made. The implementation for all agents has no static of its own for each of them.
static MADE: RwLock<Option<HashMap<(TypeId, Provider), &'static str>>> = RwLock::new(None);

/// The tools of an agent as JSON text, for every [`Agent`].
pub trait ToolsJson: Agent {
    /// The list of the [tools](Agent::tools) of this agent as `provider` reads it. The text is made once for each provider.
    ///
    /// The arguments of an action have the order of its parameters, and so have the fields of nested structs. Without the feature
    /// `ordered-json` both are in alphabetical order.
    ///
    /// # Errors
    ///
    /// All schemas that the provider cannot express, with their paths, and the limits that the list exceeds. Call this at the
    /// start of a program, or `testing::assert_tools_fit` in a test.
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
        // another thread may have been faster, and has given out its text
        Ok(made.entry(key).or_insert_with(|| text.leak()))
    }
}

impl<G: Agent> ToolsJson for G {}
