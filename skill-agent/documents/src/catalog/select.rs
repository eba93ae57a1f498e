//! Selects the catalog's documents and the agent's skills for a request.

use super::{Catalog, CatalogEntry};
use crate::command::body_without_arguments;
use crate::selection::bytes;
use crate::selection::{
    Activations, Candidate, CandidateKind, LeftOutReason, Query, SelectedItem, Selection,
    SelectionPolicy, Selector, Tier,
};
use crate::{DocumentReadError, escape};
use skill_core::SkillSpec;
use std::fmt::Write as _;

/// The empty line between two parts of the prompt text.
const SEPARATOR: &str = "\n\n";

/// The name of the XML element that wraps the full text of a skill.
const ELEMENT: &str = "skill";

/// A [`Selection`] as prompt text.
#[non_exhaustive]
#[derive(Debug, Default)]
pub struct SelectionText {
    /// The prompt text. Empty if nothing is shown.
    pub text: String,
    /// The selected documents that are left out because their bodies cannot be read, with their ids.
    pub unreadable: Vec<(String, DocumentReadError)>,
    /// The ids of selected documents that do not fit into the budget, because they have grown since the load or because their
    /// file lists are too long.
    pub over_budget: Vec<String>,
}

/// The parts of a [`SelectionText`].
#[doc(hidden)]
#[derive(Debug)]
pub struct SelectionParts<'s, 'a> {
    /// The full texts, with their items.
    pub full: Vec<(&'s SelectedItem<'a>, String)>,
    /// The list of the other documents, or their number.
    pub tail: String,
    /// As in [`SelectionText`].
    pub unreadable: Vec<(String, DocumentReadError)>,
    /// As in [`SelectionText`].
    pub over_budget: Vec<String>,
}

impl Catalog {
    /// Returns the selector. It contains the skills of the [agent](super::CatalogBuilder::agent) that have triggers or
    /// instructions, and then the documents that are offered to a model. It is created on first use after each load.
    #[must_use]
    pub fn selector(&self) -> &Selector {
        self.snapshot.selector.get_or_init(|| {
            // a document replaces the skill generated from it
            let is_joined = |spec: &SkillSpec| self.get(spec.name).is_some();
            let skills = self
                .settings
                .facts
                .skills
                .iter()
                .filter(|spec| !is_joined(spec))
                .map(Candidate::skill)
                .filter(Candidate::is_selectable);
            let docs = self
                .for_models()
                .map(|entry| Candidate::document(entry.doc(), entry.body_bytes()));
            Selector::new(skills.chain(docs).map(|candidate| {
                let exposure = self.settings.exposures.get(&candidate.id).copied();
                let default = candidate.exposure;
                candidate.exposure(exposure.unwrap_or(default))
            }))
        })
    }

    /// Selects the documents and skills to show to a model for a request. See [`Selector::select`].
    ///
    /// ```
    /// use skill_agent::manifest::selection::{Activations, SelectionPolicy};
    /// use skill_agent::manifest::{Catalog, Dialect, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("greet"))?;
    /// # std::fs::write(
    /// #     path.join("greet/SKILL.md"),
    /// #     "---\nname: greet\ndescription: Greets.\ntriggers:\n  keywords: [hello]\n---\nBe kind.\n",
    /// # )?;
    /// let catalog = Catalog::builder(Dialect::TRIGGERED)
    ///     .source(Source::project(path)) // path/greet/SKILL.md, with the keyword `hello`
    ///     .load();
    /// let selection = catalog.select("Say hello", &Activations::default(), &SelectionPolicy::TIERS);
    /// assert_eq!(catalog.selection_text(&selection).text, "<skill name=\"greet\">\nBe kind.\n</skill>");
    /// let selection = catalog.select("Add 1 and 2", &Activations::default(), &SelectionPolicy::TIERS);
    /// assert_eq!(catalog.selection_text(&selection).text, "[1 skills available]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn select<'a, 'q>(
        &'a self,
        query: impl Into<Query<'q>>,
        activations: &Activations,
        policy: &SelectionPolicy,
    ) -> Selection<'a> {
        self.selector().select(&query.into(), activations, policy)
    }

    /// Explains to a person which documents and skills a request selects by their triggers, names and descriptions, and why.
    ///
    /// ```
    /// use skill_agent::manifest::{Catalog, Dialect, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("greet"))?;
    /// # std::fs::write(
    /// #     path.join("greet/SKILL.md"),
    /// #     "---\nname: greet\ndescription: Greets.\ntriggers:\n  keywords: [hello]\n---\nBe kind.\n",
    /// # )?;
    /// let catalog = Catalog::builder(Dialect::TRIGGERED)
    ///     .source(Source::project(path)) // path/greet/SKILL.md, with the keyword `hello`
    ///     .load();
    /// let explained = catalog.explain("Say hello");
    /// assert_eq!(explained, "tier 3: full texts\n+ greet: matched (keyword `hello`), 10 tokens\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn explain<'q>(&self, query: impl Into<Query<'q>>) -> String {
        let policy = self.configured(SelectionPolicy::TIERS.match_descriptions(true));
        self.select(query, &Activations::default(), &policy)
            .to_string()
    }

    /// Formats a selection of this catalog for a prompt: the full texts, followed by a list of the other documents or their
    /// number. Names and descriptions are escaped, and no text can close the element around it. The full texts and the list stay
    /// within the selection's budget.
    #[must_use]
    pub fn selection_text(&self, selection: &Selection<'_>) -> SelectionText {
        let parts = self.selection_parts(selection, |_| true);
        let texts = parts.full.into_iter().map(|(_, text)| text);
        let tail = (!parts.tail.is_empty()).then_some(parts.tail);
        let texts: Vec<_> = texts.chain(tail).collect();
        SelectionText {
            text: texts.join(SEPARATOR),
            unreadable: parts.unreadable,
            over_budget: parts.over_budget,
        }
    }

    /// Formats the parts of a selection, with the full texts of some of its items.
    #[doc(hidden)]
    pub fn selection_parts<'s, 'a>(
        &self,
        selection: &'s Selection<'a>,
        is_wanted: impl Fn(&SelectedItem<'a>) -> bool,
    ) -> SelectionParts<'s, 'a> {
        let (mut texts, mut unreadable, mut over_budget) = (Vec::new(), Vec::new(), Vec::new());
        let tail = tail(selection);
        let mut left = bytes(selection.budget).saturating_sub(tail.len());
        let items = selection.items.iter();
        for item in items.filter(|item| item.tier == Tier::Full && is_wanted(item)) {
            let id = &item.candidate.id;
            match self
                .full_text(item)
                .map(|text| full_text_element(id, &text))
            {
                Err(error) => unreadable.push((id.to_string(), error)),
                Ok(text) => match left.checked_sub(text.len() + SEPARATOR.len()) {
                    None => over_budget.push(id.to_string()),
                    Some(rest) => {
                        left = rest;
                        texts.push((item, text));
                    }
                },
            }
        }
        SelectionParts {
            full: texts,
            tail,
            unreadable,
            over_budget,
        }
    }

    /// Applies the document limit of your [configuration](super::CatalogBuilder::sources) to a policy.
    #[must_use]
    pub fn configured(&self, policy: SelectionPolicy) -> SelectionPolicy {
        match self.settings.max_skills {
            Some(max) => policy.max_skills(max),
            None => policy,
        }
    }

    /// Formats an offered document for a prompt, in an element with its id. Reads the body unless a command has read it.
    #[doc(hidden)]
    pub fn prompt_text(&self, id: &str, body: Option<&str>) -> Result<String, DocumentReadError> {
        let entry = self.entry(id)?;
        let text = match body {
            Some(body) => self.inside_element(entry, body),
            None => self.inside_element(entry, &body_without_arguments(self.read(id)?)),
        };
        Ok(full_text_element(id, &text))
    }

    fn inside_element(&self, entry: &CatalogEntry, body: &str) -> String {
        self.with_files(entry, escape::end_tags(body, ELEMENT))
    }

    fn full_text(&self, item: &SelectedItem<'_>) -> Result<String, DocumentReadError> {
        let id = &*item.candidate.id;
        match item.candidate.kind {
            CandidateKind::Document => {
                let entry = self.entry(id)?;
                Ok(self.inside_element(entry, &self.body_for_model(entry)?))
            }
            CandidateKind::RustSkill => {
                let mut skills = self.settings.facts.skills.iter();
                let spec = skills.find(|spec| spec.name == id);
                let instructions = spec.and_then(|spec| spec.instructions);
                Ok(escape::end_tags(instructions.unwrap_or_default(), ELEMENT))
            }
            CandidateKind::Tool => Ok(escape::end_tags(&item.candidate.description, ELEMENT)),
        }
    }
}

/// Returns a document's text in an element with its id.
pub fn full_text_element(id: &str, text: &str) -> String {
    let name = escape::attribute(id);
    format!("<{ELEMENT} name=\"{name}\">\n{text}\n</{ELEMENT}>")
}

fn registry(selection: &Selection<'_>) -> String {
    let mut list = String::new();
    for item in selection
        .items
        .iter()
        .filter(|item| item.tier == Tier::Registry)
    {
        let candidate = item.candidate;
        let name = escape::attribute(&candidate.id);
        let brief =
            escape::description(&candidate.brief_description, escape::MAX_DESCRIPTION_LENGTH);
        // writing to a string cannot fail
        let _ = if item.has_description && !brief.is_empty() {
            write!(list, "\n- **{name}**: {brief}")
        } else {
            write!(list, "\n- **{name}**")
        };
    }
    if list.is_empty() {
        list
    } else {
        format!("## Available skills\n{list}")
    }
}

/// Returns the text after the full texts: a list of the other documents or their number, or the reason why a requested document is
/// missing.
fn tail(selection: &Selection<'_>) -> String {
    let mut parts = Vec::new();
    let registry = registry(selection);
    parts.extend((!registry.is_empty()).then_some(registry));
    if selection.tier == Tier::Breadcrumb && selection.total > 0 {
        parts.push(format!("[{} skills available]", selection.total));
    }
    let shown = selection.items.len();
    if selection.is_of_all() && shown < selection.total {
        parts.push(format!("Showing {shown} of {} skills.", selection.total));
    }
    if selection.tier == Tier::Full && shown == 0 {
        let mut refused = selection.left_out.iter();
        let refused = refused.find(|left_out| left_out.reason != LeftOutReason::NoMatch);
        parts.extend(refused.map(|left_out| {
            let id = escape::name(&left_out.candidate.id);
            format!("Skill '{id}' is not shown: {}.", left_out.reason)
        }));
    }
    parts.join(SEPARATOR)
}
