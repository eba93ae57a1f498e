//! Lists documents in the tool `skill`, within a budget. The documents that are left out can be found with the tool
//! `search_skills`.

use crate::prompt::description::{brief_description, description, description_within};
use crate::selection::{Detail, Exposure, bytes, details};
use crate::tool::names::{SEARCH_TOOL, SKILL_TOOL};
use crate::{SkillDoc, escape};
use serde_json::{Value, json};
use skill_core::ToolBuf;
use skill_core::process::{skill_line, skill_name_line, skill_tool};

/// The name of the argument of the tool `search_skills`.
pub(crate) const QUERY: &str = "query";

/// The default size limit of the tool `skill`, in tokens.
pub(crate) const DEFAULT_BUDGET: usize = 2_000;

/// The tools that offer documents to a model.
#[derive(Clone, Debug)]
pub(crate) struct SkillTools {
    pub(crate) skill: ToolBuf,
    /// The tool `search_skills`, or `None` if the tool `skill` lists every description in full.
    pub(crate) search: Option<ToolBuf>,
}

/// A document in the tool's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListEntry<'a> {
    pub(crate) id: &'a str,
    pub(crate) doc: &'a SkillDoc,
    pub(crate) exposure: Exposure,
    /// The position in which documents are included if not all of them fit: pinned documents first, then lower ranks.
    pub(crate) rank: usize,
}

impl SkillTools {
    /// Creates the tools for documents. The entries must be sorted by id. `budget` is the maximum size of the tool `skill` in
    /// tokens, including its description and schema. Returns `None` if there are no documents.
    pub(crate) fn new(mut entries: Vec<ListEntry<'_>>, budget: usize) -> Option<Self> {
        if entries.is_empty() {
            return None;
        }
        // the schema may also become part of the prompt
        let ids: Vec<String> = entries
            .iter()
            .map(|entry| escape::attribute(entry.id))
            .collect();
        let whole = skill_tool(
            &lines(&entries, &vec![Detail::Full; entries.len()]),
            "",
            Some(&ids),
        );
        if size(&whole) <= bytes(budget) {
            let (skill, search) = (whole, None);
            return Some(Self { skill, search });
        }
        entries.sort_by_key(|entry| (entry.exposure != Exposure::Pinned, entry.rank));
        let longest = notice(0, entries.len()).len().max(notice(0, 0).len());
        let longest = longest + entries.len().to_string().len();
        let frame = size(&skill_tool("", "", None)) + longest;
        let room = bytes(budget).saturating_sub(frame);
        let cost = |entry: usize, detail| match detail {
            // costs do not include the enum of ids, so whole descriptions may fit now
            Detail::Omitted => 0,
            detail => escaped_len(&line(&entries[entry], detail)),
        };
        let details = details(entries.len(), room, cost);
        if details.iter().all(|detail| *detail == Detail::Full) {
            // without the enum, all descriptions fit
            let skill = skill_tool(&lines(&entries, &details), "", None);
            let search = None;
            return Some(Self { skill, search });
        }
        let shown = details
            .iter()
            .filter(|detail| **detail != Detail::Omitted)
            .count();
        let skill = skill_tool(
            &lines(&entries, &details),
            &notice(shown, entries.len()),
            None,
        );
        let search = Some(search_tool());
        Some(Self { skill, search })
    }
}

fn search_tool() -> ToolBuf {
    let description =
        format!("Search all skills. Returns the best matches; load one with `{SKILL_TOOL}`.");
    let query = json!({ "type": "string", "description": "The subject or task, in a few words" });
    let schema = json!({
        "type": "object",
        "properties": { (QUERY): query },
        "required": [QUERY],
        "additionalProperties": false,
    });
    let mut tool = ToolBuf::new(SEARCH_TOOL, description, schema);
    tool.hints.read_only = true;
    tool
}

fn notice(shown: usize, total: usize) -> String {
    if shown == total {
        return format!(" The descriptions are cut; `{SEARCH_TOOL}` shows them whole.");
    }
    format!(" Showing {shown} of {total} skills; `{SEARCH_TOOL}` finds the others.")
}

/// Returns how many bytes a tool takes up in a list of tools.
fn size(tool: &ToolBuf) -> usize {
    let schema = tool.input_schema.to_string().len();
    tool.name.len() + escaped_len(&tool.description) + schema
}

/// Returns how many bytes a string takes up in JSON.
fn escaped_len(text: &str) -> usize {
    Value::from(text).to_string().len() - "\"\"".len()
}

fn lines(entries: &[ListEntry<'_>], details: &[Detail]) -> String {
    entries
        .iter()
        .zip(details)
        .map(|(entry, detail)| line(entry, *detail))
        .collect()
}

/// Formats one line of the list, in the format that the tool's specification defines.
pub(crate) fn line(entry: &ListEntry<'_>, detail: Detail) -> String {
    let name = escape::attribute(entry.id);
    let description = match detail {
        Detail::Omitted => return String::new(),
        _ if entry.exposure == Exposure::NameOnly => {
            return skill_name_line(&name);
        }
        Detail::Full => description(entry.doc),
        Detail::Cut(length) => description_within(entry.doc, length),
        Detail::Brief => brief_description(entry.doc),
        Detail::Name => return skill_name_line(&name),
    };
    skill_line(&name, &description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, check};

    fn doc(id: usize, description: &str) -> (String, SkillDoc) {
        let text = format!("---\nname: skill-{id}\ndescription: {description}\n---\n");
        let doc = check(&text, &Dialect::AGENT_SKILLS_LENIENT)
            .doc()
            .unwrap()
            .clone();
        (doc.id.to_string(), doc)
    }

    fn tools(docs: &[(String, SkillDoc)], budget: usize) -> SkillTools {
        let docs = docs.iter().enumerate();
        let entries = docs.map(|(rank, (id, doc))| ListEntry {
            id,
            doc,
            exposure: Exposure::Listed,
            rank,
        });
        SkillTools::new(entries.collect(), budget).unwrap()
    }

    #[test]
    fn the_description_lists_ids_in_the_specified_format() {
        let (_, review) = doc(0, "Review a <b>change</b> & more.");
        let (_, plan) = doc(1, "d");
        let docs = [
            ("code-review".to_owned(), review),
            ("pl&n".to_owned(), plan),
        ];
        let made = tools(&docs, DEFAULT_BUDGET);
        assert_eq!(
            made.skill.description,
            "Load and invoke a specialized skill. <skills>\n  \
             <skill name=\"code-review\">Review a &lt;b&gt;change&lt;/b&gt; &amp; more.</skill>\n  \
             <skill name=\"pl&amp;n\">d</skill>\n</skills>"
        );
        assert_eq!(
            made.skill.input_schema,
            json!({
                "type": "object",
                "properties": { "skill_name": {
                    "type": "string",
                    "enum": ["code-review", "pl&amp;n"],
                    "description": "The name of the skill to load",
                } },
                "required": ["skill_name"],
                "additionalProperties": false,
            })
        );
        assert!(made.search.is_none() && SkillTools::new(Vec::new(), DEFAULT_BUDGET).is_none());
    }

    #[test]
    fn a_list_over_the_budget_is_cut_and_searched() {
        let long = "A sentence. ".repeat(60);
        for count in [20, 200, 10_000] {
            let docs: Vec<_> = (0..count)
                .map(|id| doc(id, &format!("Number {id}. {long}\"<\"")))
                .collect();
            let made = tools(&docs, DEFAULT_BUDGET);
            let tokens = size(&made.skill).div_ceil(4);
            assert!(
                tokens <= DEFAULT_BUDGET && tokens > DEFAULT_BUDGET / 4,
                "{count}: {tokens}"
            );
            let description = &made.skill.description;
            assert!(
                description.contains("<skill name=\"skill-0\">Number 0"),
                "{description}"
            );
            assert_eq!(
                description.contains(&format!("<skill name=\"skill-{}\"/>", count - 1)),
                count == 200
            );
            let notice = if count == 10_000 {
                " of 10000 skills; `search_skills` finds the others."
            } else {
                " The descriptions are cut; `search_skills` shows them whole."
            };
            assert!(description.ends_with(notice), "{description}");
            assert_eq!(
                made.skill.input_schema["properties"]["skill_name"].get("enum"),
                None
            );
            assert_eq!(made.search.unwrap().name, "search_skills");
        }
        let tiny = tools(&[doc(0, &long)], 10);
        assert!(tiny.skill.description.ends_with(
            "<skills>\n</skills> Showing 0 of 1 skills; `search_skills` finds the others."
        ));
    }
}
