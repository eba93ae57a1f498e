//! `#[skill(manifest = "…/SKILL.md")]`: what a skill has of a document. What both say is said alike.

use crate::errors::Errors;
use crate::messages;
use crate::parse::skill::SkillInput;
use crate::paths::Root;
use proc_macro2::Span;
use std::path::PathBuf;

/// What a document gives a skill.
pub(super) struct Joined {
    /// The file, from the root.
    pub(super) file: PathBuf,
    /// The path as the attribute names it.
    pub(super) path: String,
    /// The key that its dialect has for a description.
    pub(super) described_by: &'static str,
    /// Where the attribute names it.
    pub(super) span: Span,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) version: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) triggers: Triggers,
    pub(super) requires: Vec<String>,
}

/// What in a request speaks for a skill.
#[derive(Default)]
pub(crate) struct Triggers {
    pub(crate) keywords: Vec<String>,
    pub(crate) verbs: Vec<String>,
    pub(crate) patterns: Vec<String>,
}

/// Reads the document that the attribute names; `None` without one, or when it is wrong.
pub(super) fn read(input: &SkillInput, root: Root, errors: &mut Errors) -> Option<Joined> {
    let options = &input.options;
    if let Some(path) = &options.manifest {
        return of_document(path, input, root, errors);
    }
    if let Some(dialect) = &options.dialect
        && !options.attempts("manifest")
    {
        errors.tell(messages::dialect_without_manifest(), &dialect.0);
    }
    None
}

#[cfg(not(feature = "manifest"))]
fn of_document(
    path: &crate::parse::values::Text,
    _: &SkillInput,
    root: Root,
    errors: &mut Errors,
) -> Option<Joined> {
    let of_agent = matches!(root, Root::Agent);
    errors.tell_at(messages::manifest_without_feature(of_agent), path.span);
    None
}

#[cfg(feature = "manifest")]
use with_documents::of_document;

#[cfg(feature = "manifest")]
mod with_documents {
    use super::{Joined, Triggers};
    use crate::errors::Errors;
    use crate::messages;
    use crate::parse::skill::SkillInput;
    use crate::parse::values::Text;
    use crate::paths::Root;
    use crate::validate::document::{self, Document};
    use crate::validate::grammar;
    use skill_manifest::{Dialect, FrontmatterField, IdSource, check};
    use std::borrow::Cow;

    pub(super) fn of_document(
        path: &Text,
        input: &SkillInput,
        _: Root,
        errors: &mut Errors,
    ) -> Option<Joined> {
        let dialect = document::dialect(input.options.dialect.as_ref(), errors)?;
        if input.options.attempts("dialect") {
            return None;
        }
        let document = document::read(path, dialect, errors)?;
        let key = match dialect.fields.contains(&FrontmatterField::Description) {
            true => "description",
            false => "summary",
        };
        let is_folder = is_folder(&document, dialect);
        agree(input, &document, is_folder, errors);
        let joined = joined(path, key, document);
        grammar_of(&joined, input, path, is_folder, errors);
        Some(joined)
    }

    /// Whether its id is the name of its folder, which the document does not say.
    fn is_folder(document: &Document, dialect: &Dialect) -> bool {
        match dialect.id {
            IdSource::Name => false,
            IdSource::Directory => true,
            // without its folder it has what it says
            IdSource::NameOrDirectory => {
                let text = String::from_utf8_lossy(&document.source);
                let report = check(&text, dialect);
                report.doc().is_some_and(|it| it.id.is_empty())
            }
        }
    }

    fn joined(path: &Text, described_by: &'static str, document: Document) -> Joined {
        let Document { file, doc, .. } = document;
        // seed 004 has a summary in place of a description
        let description = [&doc.description, &doc.summary];
        let description = description.into_iter().find(|it| !it.trim().is_empty());
        Joined {
            file,
            path: path.value.clone(),
            described_by,
            span: path.span,
            name: doc.id.to_string(),
            description: description.map(|it| it.to_string()),
            version: doc.version.map(Cow::into_owned),
            instructions: Some(doc.body.into_owned()).filter(|it| !it.trim().is_empty()),
            triggers: Triggers {
                keywords: texts(&doc.triggers.keywords),
                verbs: texts(&doc.triggers.verbs),
                patterns: texts(&doc.triggers.patterns),
            },
            requires: texts(&doc.requires),
        }
    }

    fn texts(list: &[Cow<'static, str>]) -> Vec<String> {
        list.iter().map(|it| it.to_string()).collect()
    }

    /// What the attribute and the document both say is the same; told at the attribute.
    fn agree(input: &SkillInput, document: &Document, is_folder: bool, errors: &mut Errors) {
        let (options, doc) = (&input.options, &document.doc);
        let mut told = |written: &Option<Text>, what, theirs: &str, key| {
            if let Some(text) = written
                && !theirs.trim().is_empty()
                && text.value.trim() != theirs.trim()
            {
                let place = match key {
                    "" => format!(", the folder of `{}`", document.path),
                    _ => format!(" in {}", document.line_of(key)),
                };
                let message = match text.value.len().max(theirs.len()) <= SHOWN {
                    true => messages::contradiction(what, &text.value, theirs.trim(), &place),
                    false => messages::other_text(what, &place),
                };
                errors.tell_at(message, text.span);
            }
        };
        let version = doc.version.as_deref().unwrap_or_default();
        let (description, described) = match doc.description.trim().is_empty() {
            true => (&doc.summary, "summary"),
            false => (&doc.description, "description"),
        };
        // what a dialect has as the id
        let key = if is_folder { "" } else { "name" };
        told(&options.name, "the name", &doc.id, key);
        told(
            &options.description,
            "the description",
            description,
            described,
        );
        told(&options.version, "the version", version, "version");
        // the body is many lines
        if let Some(text) = &options.instructions
            && !doc.body.trim().is_empty()
            && text.value.trim() != doc.body.trim()
        {
            let place = format!(" in the body of `{}`", document.path);
            errors.tell_at(
                messages::other_text("the text of the instructions", &place),
                text.span,
            );
        }
    }

    /// Longer texts are not printed side by side.
    const SHOWN: usize = 80;

    /// What a document may say is more than what a skill may be.
    fn grammar_of(
        joined: &Joined,
        input: &SkillInput,
        path: &Text,
        is_folder: bool,
        errors: &mut Errors,
    ) {
        let place = format!("`{}`", path.value);
        let here = |value: &String| Text {
            value: value.clone(),
            span: path.span,
        };
        // an attribute with another name has been told of
        if input.options.name.is_none() && !grammar::is_name(&joined.name) {
            let message = messages::document_name(&joined.name, &place, is_folder);
            errors.tell_at(message, path.span);
        }
        grammar::version(&joined.version.as_ref().map(here), errors);
        for requirement in &joined.requires {
            grammar::requirement(&here(requirement), errors);
        }
    }
}
