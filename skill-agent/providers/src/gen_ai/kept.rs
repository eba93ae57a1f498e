//! Parts that are sent back to a provider unchanged: reasoning and signatures.
//!
//! The parts are stored in a format of this crate, because histories outlive the types of any `genai` version.

use genai::adapter::AdapterKind;
use genai::chat::{ContentPart, CustomPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use skill_agent_chat::{KeptItem, MessagePart, TextPart};

/// An entry of a kept item.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Signature(String),
    Reasoning(String),
    /// A part in the provider's own JSON.
    Custom(Value),
}

/// Returns the name of the format of an adapter's kept items, such as `genai_gemini`.
pub(super) fn format(kind: AdapterKind) -> String {
    format!("genai_{}", kind.as_lower_str())
}

/// Returns the reasoning of a completion: its text, and the parts from `genai`.
pub(super) fn reasoning(
    format: &str,
    text: String,
    parts: Vec<ContentPart>,
) -> Option<MessagePart> {
    let mut entries: Vec<Entry> = parts.into_iter().filter_map(entry).collect();
    let has_text = |entry: &Entry| matches!(entry, Entry::Reasoning(_));
    if !text.is_empty() && !entries.iter().any(has_text) {
        entries.push(Entry::Reasoning(text.clone()));
    }
    if entries.is_empty() {
        return None;
    }
    let part = TextPart::new(text).with_item(item(format, &entries));
    Some(MessagePart::Reasoning(part))
}

/// Returns the item of a call, with the call's signatures.
pub(super) fn signatures(format: &str, signatures: Vec<String>) -> KeptItem {
    let entries: Vec<Entry> = signatures.into_iter().map(Entry::Signature).collect();
    item(format, &entries)
}

/// Returns the parts of an item that this adapter wrote, or `None` for other items.
pub(super) fn parts(item: Option<&KeptItem>, format: &str) -> Option<Vec<ContentPart>> {
    let item = item.filter(|item| item.provider == format)?;
    let entries: Vec<Entry> = serde_json::from_str(&item.json).ok()?;
    let part = |entry| match entry {
        Entry::Signature(signature) => ContentPart::ThoughtSignature(signature),
        Entry::Reasoning(text) => ContentPart::ReasoningContent(text),
        Entry::Custom(data) => ContentPart::Custom(CustomPart {
            model_iden: None,
            data,
        }),
    };
    Some(entries.into_iter().map(part).collect())
}

fn entry(part: ContentPart) -> Option<Entry> {
    Some(match part {
        ContentPart::ThoughtSignature(signature) => Entry::Signature(signature),
        ContentPart::ReasoningContent(text) => Entry::Reasoning(text),
        ContentPart::Custom(part) => Entry::Custom(part.data),
        _ => return None,
    })
}

fn item(format: &str, entries: &[Entry]) -> KeptItem {
    let json = serde_json::to_string(entries).unwrap_or_default();
    KeptItem::new(format, json)
}
