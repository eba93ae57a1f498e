//! Skills of the Skills extension (SEP-2640).

use rmcp::model::SkillFrontmatter;
use serde_json::Number;
use skill_agent_documents::__private::frontmatter_json;
use skill_agent_documents::DocumentLimits;

/// The maximum size of a skill's files together, by the extension.
pub(crate) const MAX_SKILL_BYTES: usize = 16 << 20;
/// The maximum number of a skill's files, by the extension.
pub(crate) const MAX_SKILL_FILES: usize = 512;

/// Returns the frontmatter of a document as its author wrote it.
pub(crate) fn frontmatter(document: &[u8]) -> Option<SkillFrontmatter> {
    let text = str::from_utf8(document).ok()?;
    let is_number = |text: &str| serde_json::from_str::<Number>(text).is_ok();
    let json = frontmatter_json(text, &DocumentLimits::DEFAULT, is_number)?;
    serde_json::from_str(&json).ok()
}
