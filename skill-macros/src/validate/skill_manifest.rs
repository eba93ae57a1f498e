//! `#[skill(manifest = "…/SKILL.md")]`: the parts of a skill that come from a document. The attribute and the document must not
//! contradict each other.

use crate::errors::Errors;
use crate::messages;
use crate::parse::skill::SkillInput;
use crate::parse::values::Text;
use crate::paths::Root;
use proc_macro2::Span;
use std::path::PathBuf;

/// The parts of a skill that come from its document.
pub(super) struct SkillManifest {
    /// The document's absolute path.
    pub(super) file: PathBuf,
    /// The path as written in the attribute.
    pub(super) path: String,
    /// The dialect's key for the description.
    pub(super) described_by: &'static str,
    /// The span of the path in the attribute.
    pub(super) span: Span,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) version: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) triggers: Triggers,
    pub(super) requires: Vec<String>,
}

impl SkillManifest {
    /// Returns the version, with the span of the path in the attribute.
    pub(super) fn version(&self) -> Option<Text> {
        let (value, span) = (self.version.clone()?, self.span);
        Some(Text { value, span })
    }
}

/// The words, patterns and files that suggest the skill.
#[derive(Default)]
pub(crate) struct Triggers {
    pub(crate) keywords: Vec<String>,
    pub(crate) verbs: Vec<String>,
    pub(crate) patterns: Vec<String>,
    pub(crate) paths: Vec<String>,
}

/// Reads the attribute's document. Returns `None` if there is no document, or if it has mistakes.
pub(super) fn read(input: &SkillInput, root: Root, errors: &mut Errors) -> Option<SkillManifest> {
    let options = &input.options;
    if let Some(path) = &options.manifest {
        return of_document(path, input, root, errors);
    }
    if let Some(dialect) = &options.dialect
        && !options.attempts("manifest")
    {
        errors.report(messages::dialect_without_manifest(), &dialect.0);
    }
    None
}

#[cfg(not(feature = "manifest"))]
fn of_document(
    path: &crate::parse::values::Text,
    _: &SkillInput,
    root: Root,
    errors: &mut Errors,
) -> Option<SkillManifest> {
    let of_agent = matches!(root, Root::Agent);
    errors.report_at(messages::manifest_without_feature(of_agent), path.span);
    None
}

#[cfg(feature = "manifest")]
use with_documents::of_document;

#[cfg(feature = "manifest")]
mod with_documents {
    use super::{SkillManifest, Triggers};
    use crate::errors::Errors;
    use crate::messages;
    use crate::parse::skill::SkillInput;
    use crate::parse::values::Text;
    use crate::parse::version::Version;
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
    ) -> Option<SkillManifest> {
        let dialect = document::dialect(input.options.dialect.as_ref(), errors)?;
        if input.options.attempts("dialect") {
            return None;
        }
        let document = document::read(path, dialect, errors)?;
        let key = if dialect.fields.contains(&FrontmatterField::Description) {
            "description"
        } else {
            "summary"
        };
        let is_folder = is_folder(&document, dialect);
        agree(input, &document, is_folder, errors);
        let manifest = manifest_of(path, key, document);
        grammar_of(&manifest, input, path, is_folder, errors);
        Some(manifest)
    }

    /// Returns whether the id is the folder's name rather than a value in the document.
    fn is_folder(document: &Document, dialect: &Dialect) -> bool {
        match dialect.id {
            IdSource::Name => false,
            IdSource::Directory => true,
            // if the document is checked without its folder, it has an id only if it contains one
            IdSource::NameOrDirectory => {
                let text = String::from_utf8_lossy(&document.source);
                let report = check(&text, dialect);
                report.doc().is_some_and(|doc| doc.id.is_empty())
            }
        }
    }

    fn manifest_of(path: &Text, described_by: &'static str, document: Document) -> SkillManifest {
        let Document { file, mut doc, .. } = document;
        if doc.disable_model_invocation {
            // the document's text is for people, but instructions are for a model
            (doc.body, doc.triggers) = Default::default();
        }
        // some dialects use a summary instead of a description
        let description = [&doc.description, &doc.summary];
        let description = description.into_iter().find(|text| !text.trim().is_empty());
        SkillManifest {
            file,
            path: path.value.clone(),
            described_by,
            span: path.span,
            name: doc.id.to_string(),
            description: description.map(ToString::to_string),
            version: doc.version.map(Cow::into_owned),
            instructions: Some(doc.body.into_owned()).filter(|body| !body.trim().is_empty()),
            triggers: Triggers {
                keywords: texts(&doc.triggers.keywords),
                verbs: texts(&doc.triggers.verbs),
                patterns: texts(&doc.triggers.patterns),
                paths: texts(&doc.triggers.paths),
            },
            requires: texts(&doc.requires),
        }
    }

    fn texts(list: &[Cow<'static, str>]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    /// The attribute and the document must agree on everything that both contain. Differences are reported at the attribute.
    fn agree(input: &SkillInput, document: &Document, is_folder: bool, errors: &mut Errors) {
        let (options, doc) = (&input.options, &document.doc);
        let mut compare = |written: &Option<Text>, what, theirs: &str, key| {
            if let Some(text) = written
                && !theirs.trim().is_empty()
                && text.value.trim() != theirs.trim()
            {
                let place = match key {
                    "" => format!(", the folder of `{}`", document.path),
                    _ => format!(" in {}", document.line_of(key)),
                };
                let message = if text.value.len().max(theirs.len()) <= SHOWN {
                    messages::contradiction(what, &text.value, theirs.trim(), &place)
                } else {
                    messages::other_text(what, &place)
                };
                errors.report_at(message, text.span);
            }
        };
        let version = doc.version.as_deref().unwrap_or_default();
        let (description, described) = if doc.description.trim().is_empty() {
            (&doc.summary, "summary")
        } else {
            (&doc.description, "description")
        };
        // the id is the folder's name or the value of `name`
        let key = if is_folder { "" } else { "name" };
        compare(&options.name, "the name", &doc.id, key);
        compare(
            &options.description,
            "the description",
            description,
            described,
        );
        let written = options.version.as_ref().and_then(Version::text).cloned();
        compare(&written, "the version", version, "version");
        if let Some(Version::OfPackage(span)) = options.version
            && !version.trim().is_empty()
        {
            let place = document.line_of("version");
            errors.report_at(messages::version_of_document(version.trim(), &place), span);
        }
        // a body is too long to quote
        if let Some(text) = &options.instructions
            && !doc.body.trim().is_empty()
            && text.value.trim() != doc.body.trim()
        {
            let place = format!(" in the body of `{}`", document.path);
            errors.report_at(
                messages::other_text("the text of the instructions", &place),
                text.span,
            );
        }
    }

    /// The maximum length of the two texts. Longer texts are not quoted.
    const SHOWN: usize = 80;

    /// A skill's document must follow the spelling rules for skills, which are stricter than those for documents.
    fn grammar_of(
        manifest: &SkillManifest,
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
        // a different name in the attribute was already compared above
        if input.options.name.is_none() && !grammar::is_name(&manifest.name) {
            let message = messages::document_name(&manifest.name, &place, is_folder);
            errors.report_at(message, path.span);
        }
        grammar::version(manifest.version().as_ref(), errors);
        for requirement in &manifest.requires {
            grammar::requirement(&here(requirement), errors);
        }
    }
}
