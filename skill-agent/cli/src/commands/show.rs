//! `skills show`: prints a document for a person to review.

use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::output::escape;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use crate::sources;
use skill_agent_documents::__private::Embedded;
use skill_agent_documents::{CatalogEntry, DocText, InvocationMode, SkillDoc};
use std::process::ExitCode;

/// Prints the contents of a document and its bundled files. The document need not be trusted, since this is how a person decides
/// whether to trust it. If no document with the id is trusted yet, prints all documents with the id.
///
/// # Errors
/// Returns an error if the document does not exist or cannot be read. If only the list of its files cannot be read, prints the
/// rest and returns exit code 1.
pub(crate) fn show(args: &ShowArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load(&args.sources)?;
    let found: Vec<_> = catalog
        .listed()
        .filter(|entry| entry.id == args.id)
        .collect();
    if found.is_empty() {
        // the diagnostics may explain why the document is left out
        sources::diagnostics(&catalog).for_each(|diagnostic| screen.diagnostic(diagnostic));
        let known = catalog.listed().map(|entry| entry.id.to_string());
        return Err(Failure::NoSkill {
            id: args.id.clone(),
            known: known.collect(),
            in_default_folders: args.sources.paths.is_empty(),
        });
    }
    let mut code = ExitCode::SUCCESS;
    for (index, entry) in found.into_iter().enumerate() {
        let path = entry.path.as_ref().map(|path| path.display().to_string());
        sources::diagnostics(&catalog)
            .filter(|diagnostic| diagnostic.path == path)
            .for_each(|diagnostic| screen.diagnostic(diagnostic));
        let doc = catalog.read_listed(entry)?;
        let files = catalog.resources_listed(entry).unwrap_or_else(|error| {
            screen.error(&escape(&error.to_string()), None);
            code = ExitCode::FAILURE;
            Vec::new()
        });
        let mut text = String::from(if index == 0 { "" } else { "\n" });
        text.push_str(&header(entry, &doc, &files));
        text.push('\n');
        for line in doc.body.lines() {
            text.push_str(&body_line(line));
            text.push('\n');
        }
        screen.print(&text)?;
    }
    Ok(code)
}

/// Formats a row for each field that the document sets. If a field is added to documents, this does not compile until the field
/// has a row or is listed here as having none.
fn header(entry: &CatalogEntry, doc: &SkillDoc, files: &[String]) -> String {
    let Embedded {
        id,
        name,
        description,
        brief_description,
        version,
        license,
        compatibility,
        metadata,
        allowed_tools,
        toolsets,
        scripts,
        keywords,
        verbs,
        patterns,
        paths,
        default_enabled,
        summary,
        invocation_mode,
        command,
        command_tool,
        requires_tools,
        os,
        env,
        binaries,
        requires,
        disable_model_invocation,
        user_invocable,
        argument_hint,
        // this is a property of the dialect, not of the document
        argument_placeholders: _,
        // printed after the rows, wherever it starts in the file
        body: _,
        body_offset: _,
    } = Embedded::of(doc);
    let brief = Some(brief_description).filter(|brief| ![description, summary].contains(brief));
    let mode = match invocation_mode {
        InvocationMode::ToolDispatch => Some("tool_dispatch"),
        _ => None,
    };
    let path = entry.path.as_ref().map(|path| path.display().to_string());
    let mut rows = Rows::default();
    rows.text("id", Some(id));
    rows.text("name", Some(name).filter(|name| *name != id));
    rows.text("description", Some(description));
    rows.text("brief_description", brief);
    rows.text("summary", Some(summary));
    rows.text("path", path.as_deref());
    rows.text("source", Some(&entry.source));
    rows.text("trusted", (!entry.trusted).then_some("no"));
    rows.text("hash", Some(&entry.hash.to_string()));
    rows.text("version", version);
    rows.text("license", license);
    rows.text("compatibility", compatibility);
    for (key, value) in metadata {
        rows.text("metadata", Some(&format!("{key}: {value}")));
    }
    rows.list_or_none("allowed-tools", allowed_tools);
    rows.list("toolsets", toolsets);
    rows.list_or_none("scripts", scripts);
    rows.list("keywords", keywords);
    rows.list("verbs", verbs);
    rows.list("patterns", patterns);
    rows.list("paths", paths);
    rows.text("default_enabled", (!default_enabled).then_some("no"));
    rows.text("invocation_mode", mode);
    rows.text("command", command);
    rows.text("command_tool", command_tool);
    rows.list("requires_tools", requires_tools);
    rows.list("os", os);
    rows.list("env", env);
    rows.list("binaries", binaries);
    rows.list("requires", requires);
    rows.text(
        "disable-model-invocation",
        disable_model_invocation.then_some("yes"),
    );
    rows.text("user-invocable", (!user_invocable).then_some("no"));
    rows.text("argument-hint", argument_hint);
    rows.text("files", Some(&files.join(", ")));
    rows.0
}

/// The rows of the header, one line per key.
#[derive(Default)]
struct Rows(String);

impl Rows {
    fn text(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.0.push_str(&format!("{key:24} {}\n", escape(text)));
        }
    }

    fn list(&mut self, key: &str, texts: &[DocText]) {
        self.text(key, Some(&texts.join(", ")));
    }

    /// Adds a list for which being empty is different from being missing.
    fn list_or_none(&mut self, key: &str, texts: Option<&[DocText]>) {
        match texts {
            Some([]) => self.text(key, Some("none")),
            Some(texts) => self.list(key, texts),
            None => {}
        }
    }
}

/// Escapes a line of a body, except for its tabs.
fn body_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\t' => shown.push(c),
            c => escape::push_escaped(&mut shown, c),
        }
    }
    shown
}
