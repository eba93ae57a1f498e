//! Formats documents for the system prompt of a model that reads files itself, as the list that the open standard defines
//! (agentskills.io, "Integrate skills into your agent").

pub(crate) mod description;

use super::selection::{Detail, Exposure, bytes, details};
use super::{Catalog, SkillDoc, escape};
use crate::prompt::description::{brief_description, description_within};

use std::path::Path;

/// A block for a system prompt, shortened to fit a budget.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillsPrompt {
    /// The block. If some documents do not fit, it is followed by a line with the number of shown documents. Empty if no document
    /// fits.
    pub text: String,
    /// The ids of the documents that do not fit.
    pub left_out: Vec<String>,
}

impl Catalog {
    /// Returns the documents as the open standard's block `<available_skills>`, with the id, the description and, for a file, the
    /// location. Everything is escaped. Returns `None` if there are no documents to offer, if none of them fits, or if
    /// [`allow_skills`](super::CatalogBuilder::allow_skills) is false.
    ///
    /// Use this block for a model that can read files itself, and [`skill_tool`](Self::skill_tool) for any other model. Both
    /// offer the same documents.
    ///
    /// ```
    /// use skill_agent::manifest::{Catalog, Dialect, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("review"))?;
    /// # std::fs::write(path.join("review/SKILL.md"), "---\nname: review\ndescription: Review it.\n---\n")?;
    /// let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
    ///     .source(Source::project(path)) // path/review/SKILL.md
    ///     .load();
    /// let prompt = catalog.prompt().ok_or("there is something to offer")?;
    /// assert!(prompt.starts_with("<available_skills>\n<skill>\n<name>\nreview\n</name>\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// The block has the same token limit as the [tool `skill`](super::CatalogBuilder::skill_budget). Use
    /// [`prompt_within`](Self::prompt_within) to set a different limit and to find out which documents are left out.
    #[must_use]
    pub fn prompt(&self) -> Option<String> {
        let prompt = self.prompt_within(self.settings.skill_budget);
        prompt
            .map(|prompt| prompt.text)
            .filter(|text| !text.is_empty())
    }

    /// Like [`prompt`](Self::prompt), but at most `budget` [tokens](super::selection::tokens) long. If not all documents fit,
    /// pinned documents come first, and then documents from sources with a higher precedence. Brief descriptions are kept as long
    /// as they fit. The result names the documents that are left out.
    #[must_use]
    pub fn prompt_within(&self, budget: usize) -> Option<SkillsPrompt> {
        let roots = self.settings.roots.len();
        let listed = self.listed_for_models().map(|skill| PromptEntry {
            id: &skill.id,
            doc: skill.doc(),
            location: skill.path.as_deref().map(location),
            exposure: self.exposure_of(&skill.id),
            rank: roots - skill.root(),
        });
        prompt(listed.collect(), bytes(budget))
    }
}

/// Returns a file's absolute path, which a model can open from any folder.
fn location(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().into_owned()
}

/// A document in the block.
struct PromptEntry<'a> {
    id: &'a str,
    doc: &'a SkillDoc,
    /// The path of the document's file, or `None` for an embedded document.
    location: Option<String>,
    exposure: Exposure,
    /// The position in which documents are included if not all of them fit: pinned documents first, then lower ranks.
    rank: usize,
}

const OPEN: &str = "<available_skills>\n";
const CLOSE: &str = "</available_skills>";

/// Formats documents, sorted by id, as a block of at most `room` bytes. Returns `None` if there are no documents.
fn prompt(mut entries: Vec<PromptEntry<'_>>, room: usize) -> Option<SkillsPrompt> {
    if entries.is_empty() {
        return None;
    }
    let frame = OPEN.len() + CLOSE.len();
    let all = block(&entries, &vec![Detail::Full; entries.len()]);
    if all.len() <= room {
        let left_out = Vec::new();
        let text = all;
        return Some(SkillsPrompt { text, left_out });
    }
    let total = entries.len();
    entries.sort_by_key(|entry| (entry.exposure != Exposure::Pinned, entry.rank));
    let room = room.saturating_sub(frame + notice(total, total).len());
    let details = details(total, room, |index, detail| {
        entry(&entries[index], detail).len()
    });
    let omitted = entries.iter().zip(&details);
    let omitted = omitted.filter(|(_, detail)| **detail == Detail::Omitted);
    let left_out: Vec<String> = omitted.map(|(entry, _)| entry.id.to_owned()).collect();
    let text = match total - left_out.len() {
        0 => String::new(),
        count if count == total => block(&entries, &details),
        count => block(&entries, &details) + &notice(count, total),
    };
    Some(SkillsPrompt { text, left_out })
}

fn block(entries: &[PromptEntry<'_>], details: &[Detail]) -> String {
    let entries = entries.iter().zip(details);
    let entries: String = entries
        .map(|(skill, detail)| entry(skill, *detail))
        .collect();
    format!("{OPEN}{entries}{CLOSE}")
}

fn notice(count: usize, total: usize) -> String {
    format!("\nShowing {count} of {total} skills.")
}

/// Formats one element. With full detail, the element has the whole description, like the output of `skills-ref to-prompt`.
fn entry(skill: &PromptEntry<'_>, detail: Detail) -> String {
    let name = escape::attribute(skill.id);
    let description = match detail {
        Detail::Omitted => return String::new(),
        _ if skill.exposure == Exposure::NameOnly => None,
        Detail::Full => Some(description_within(skill.doc, usize::MAX)),
        Detail::Cut(length) => Some(description_within(skill.doc, length)),
        Detail::Brief => Some(brief_description(skill.doc)),
        Detail::Name => None,
    };
    let description = match description {
        Some(text) => format!("<description>\n{text}\n</description>\n"),
        None => String::new(),
    };
    let location = match &skill.location {
        Some(path) => format!("<location>\n{}\n</location>\n", escape::attribute(path)),
        None => String::new(),
    };
    format!("<skill>\n<name>\n{name}\n</name>\n{description}{location}</skill>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, check};
    use proptest::prelude::*;

    fn docs(lengths: &[usize]) -> Vec<(String, SkillDoc)> {
        let doc = |(index, length): (usize, &usize)| {
            let id = format!("skill-{index}");
            let text = format!(
                "---\nname: {id}\ndescription: {}\n---\n",
                "é".repeat(length + 1)
            );
            (
                id,
                check(&text, &Dialect::AGENT_SKILLS).doc().unwrap().clone(),
            )
        };
        lengths.iter().enumerate().map(doc).collect()
    }

    fn of(docs: &[(String, SkillDoc)], budget: usize) -> Option<SkillsPrompt> {
        let docs = docs.iter().enumerate();
        let entries = docs.map(|(rank, (id, doc))| PromptEntry {
            id,
            doc,
            location: None,
            exposure: Exposure::Listed,
            rank,
        });
        prompt(entries.collect(), budget)
    }

    proptest! {
        #[test]
        fn the_prompt_keeps_the_budget_and_names_what_is_left_out(
            lengths in prop::collection::vec(0_usize..300, 1..12),
            budget in 0_usize..4_000,
        ) {
            let docs = docs(&lengths);
            let prompt = of(&docs, budget).unwrap();
            prop_assert!(prompt.text.len() <= budget);
            for (id, _) in &docs {
                let shown = prompt.text.contains(&format!("<name>\n{id}\n</name>"));
                prop_assert_eq!(shown, !prompt.left_out.contains(id));
            }
            let (shown, total) = (docs.len() - prompt.left_out.len(), docs.len());
            let says = prompt.text.ends_with(&format!("Showing {shown} of {total} skills."));
            prop_assert_eq!(says, shown > 0 && shown < total);
        }
    }

    #[test]
    fn without_documents_there_is_no_block() {
        assert_eq!(of(&[], usize::MAX), None);
        let all = of(&docs(&[3]), usize::MAX).unwrap();
        assert_eq!(
            all.text,
            "<available_skills>\n<skill>\n<name>\nskill-0\n</name>\n<description>\néééé\n</description>\n</skill>\n</available_skills>"
        );
    }
}
