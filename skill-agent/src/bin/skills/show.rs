//! `skills show`: one document, as a person decides about it.

use crate::args::Show;
use crate::escape::{self, shown};
use crate::failure::Failure;
use crate::screen::Screen;
use crate::sources;
use skill_agent::manifest::{Entry, InvocationMode, SkillDoc, Text};
use std::process::ExitCode;

/// Prints what a document says and brings; what is not trusted is shown too: how else is one to decide. Several have one id
/// where nobody has said which to trust, and all of them are shown.
///
/// # Errors
/// When there is no such document, or it cannot be read. Where the list of its files cannot, the rest is shown and the exit
/// code is 1.
pub(crate) fn show(args: &Show, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load(&args.sources)?;
    let found: Vec<_> = catalog.listed().filter(|it| it.id == args.id).collect();
    if found.is_empty() {
        // why it is left out may be among them
        sources::findings(&catalog).for_each(|it| screen.tell(it));
        let known = catalog.listed().map(|it| it.id.to_string());
        return Err(Failure::NoSkill {
            id: args.id.clone(),
            known: known.collect(),
        });
    }
    let mut code = ExitCode::SUCCESS;
    for (index, entry) in found.into_iter().enumerate() {
        let path = entry.path.as_ref().map(|it| it.display().to_string());
        sources::findings(&catalog)
            .filter(|it| it.path == path)
            .for_each(|it| screen.tell(it));
        let doc = catalog.read_listed(entry)?;
        let files = catalog.resources_listed(entry).unwrap_or_else(|error| {
            screen.error(&shown(&error.to_string()), None);
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

fn header(entry: &Entry, doc: &SkillDoc, files: &[String]) -> String {
    let list = |texts: &[Text]| match texts {
        [] => "none".to_owned(),
        texts => texts.join(", "),
    };
    let some = |texts: &[Text]| (!texts.is_empty()).then(|| texts.join(", "));
    let text = |text: &Text| (!text.is_empty()).then(|| text.to_string());
    let mode = match doc.invocation_mode {
        InvocationMode::ToolDispatch => Some("tool_dispatch".to_owned()),
        _ => None,
    };
    let rows = [
        ("id", Some(entry.id.to_string())),
        (
            "name",
            Some(doc.name.to_string()).filter(|it| *it != entry.id),
        ),
        ("description", text(&doc.description)),
        ("summary", text(&doc.summary)),
        (
            "path",
            entry.path.as_ref().map(|it| it.display().to_string()),
        ),
        ("source", Some(entry.source.to_string())),
        ("trusted", (!entry.trusted).then(|| "no".to_owned())),
        ("hash", Some(entry.hash.to_string())),
        ("version", doc.version.as_deref().map(str::to_owned)),
        ("license", doc.license.as_deref().map(str::to_owned)),
        (
            "compatibility",
            doc.compatibility.as_deref().map(str::to_owned),
        ),
        ("allowed-tools", doc.allowed_tools.as_deref().map(list)),
        ("toolsets", some(&doc.toolsets)),
        ("scripts", doc.scripts.as_deref().map(list)),
        ("keywords", some(&doc.triggers.keywords)),
        ("verbs", some(&doc.triggers.verbs)),
        ("patterns", some(&doc.triggers.patterns)),
        ("invocation_mode", mode),
        ("command", doc.command.as_deref().map(str::to_owned)),
        (
            "command_tool",
            doc.command_tool.as_deref().map(str::to_owned),
        ),
        ("requires_tools", some(&doc.requires_tools)),
        ("os", some(&doc.eligibility.os)),
        ("env", some(&doc.eligibility.env)),
        ("binaries", some(&doc.eligibility.binaries)),
        ("requires", some(&doc.requires)),
        ("files", (!files.is_empty()).then(|| files.join(", "))),
    ];
    let rows = rows
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)));
    rows.map(|(key, value)| format!("{key:15} {}\n", shown(&value)))
        .collect()
}

/// A line of a body, with its tabs.
fn body_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\t' => shown.push(c),
            c => escape::push(&mut shown, c),
        }
    }
    shown
}
