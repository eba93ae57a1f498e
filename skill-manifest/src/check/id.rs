//! The rules for ids. People and models see ids unchanged, so two different ids must look different.

use super::{Reader, in_file};
use crate::check::chars::alphabets::mixed_alphabets;
use crate::check::chars::invisible::{is_visible, resembles_space};
use crate::doc::DocText;
use crate::yaml::Node;
use crate::{Diagnostic, DiagnosticCode, IdSource, Severity};

/// Returns the problem with an id that is invalid in every dialect. Not part of the public API.
#[must_use]
pub fn id_problem(id: &str) -> Option<Diagnostic> {
    problem("id", id)
}

/// Like [`id_problem`], but messages call the text `noun`.
fn problem(noun: &str, text: &str) -> Option<Diagnostic> {
    let (code, why, help) = if text.trim().is_empty() {
        let why = "is blank".to_owned();
        (DiagnosticCode::InvalidName, why, "give it a name")
    } else if text.chars().any(char::is_control) {
        let why = "has a control character".to_owned();
        let help = "write it in one line, without control characters";
        (DiagnosticCode::InvalidName, why, help)
    } else if !text.chars().all(is_visible) {
        let why = "has an invisible character".to_owned();
        let help = "rename it without that character";
        (DiagnosticCode::HiddenCharacter, why, help)
    } else if let Some(c) = text.chars().find(|&c| resembles_space(c)) {
        let why = format!(
            "has the character U+{:04X}, which looks like a space",
            c as u32
        );
        let help = "rename it without that character";
        (DiagnosticCode::HiddenCharacter, why, help)
    } else if text.trim().len() < text.len() {
        let why = "begins or ends with a blank".to_owned();
        (DiagnosticCode::InvalidName, why, "remove the blank")
    } else {
        return None;
    };
    let message = format!("the {noun} `{text}` {why}");
    Some(Diagnostic::new(code, Severity::Error, message).help(help))
}

impl Reader<'_, '_> {
    /// Returns a document's id: its name or its folder, depending on the dialect. Reports problems with both. If the dialect uses
    /// the folder and no folder is known, nothing is checked.
    pub(crate) fn id(
        &mut self,
        name: &DocText,
        node: Option<&Node>,
        directory: Option<&str>,
    ) -> DocText {
        let is_name = match self.dialect.id {
            IdSource::Name => true,
            IdSource::NameOrDirectory => !name.is_empty(),
            IdSource::Directory => false,
        };
        let wrong_name = id_problem(name).filter(|_| is_name && !self.is_blank_and_reported(name));
        let node = node.filter(|_| !name.is_empty());
        if let Some(wrong) = &wrong_name {
            let help = self.suggest_name(name).or_else(|| wrong.help.clone());
            let at = node.map(|node| in_file(node.at));
            self.error(wrong.code, at, &*wrong.message, help);
        } else if let Some(node) = node {
            self.report_invisible_in_name(name, node);
            self.check_name(name, node);
        }
        let Some(directory) = directory else {
            return name.clone();
        };
        // if a document does not load, its folder is its id; models also see the folder as a part of the path
        let noun = if is_name { "folder" } else { "id" };
        match (problem(noun, directory), node) {
            _ if wrong_name.is_some() => {}
            (Some(wrong), _) => self.error(wrong.code, None, wrong.message, wrong.help),
            (None, Some(node)) => self.check_directory(name, directory, node),
            (None, None) => {}
        }
        if is_name {
            name.clone()
        } else {
            directory.to_owned().into()
        }
    }

    /// Reports an id with letters of several alphabets, because it may look like another id.
    pub(crate) fn report_mixed_alphabets(&mut self, id: &str, node: Option<&Node>) {
        let Some(mixed) = mixed_alphabets(id) else {
            return;
        };
        let (first, second) = (mixed.first, mixed.second);
        let message =
            format!("the id `{id}` has letters of {first} and {second}, which may look alike");
        let letter = mixed.letter;
        let help = format!(
            "write it in one alphabet: `{letter}` is U+{:04X}",
            letter as u32
        );
        let at = node.map(|node| in_file(node.at));
        self.warn(DiagnosticCode::MixedScripts, at, message, help);
    }

    /// Returns whether a name is missing or empty and the dialect has already reported that.
    fn is_blank_and_reported(&self, name: &str) -> bool {
        name.trim().is_empty() && self.has_errors()
    }
}
