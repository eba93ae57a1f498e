//! The part of a program's configuration that concerns documents.

use crate::DocumentLimits;
use crate::check::KeyLines;
use crate::diagnostic::Diagnostics;
use crate::doc::{DocText, DocTextList};
use crate::yaml::{self, Node, Value};
use crate::{DiagnosticCode, Report, repair};
use serde::Serialize;
use std::borrow::Cow;

/// The keys in `config.system.yaml` or `config.user.yaml` that concern documents. The files configure the whole program, so other
/// keys are ignored.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SkillsConfig {
    /// `skills_path`: the folder of the user's documents. The path may begin with `~/`.
    pub skills_path: Option<DocText>,
    /// `max_skills`: the maximum number of documents selected for one request.
    pub max_skills: Option<usize>,
    /// `disabled`: the ids of disabled documents.
    pub disabled: Option<DocTextList>,
}

/// Checks a YAML configuration, which may be empty.
///
/// ```
/// use skill_manifest::check_config;
///
/// let text = "default_agent: general\nskills_path: ~/skills\nmax_skills: 20\n";
/// let report = check_config("config.user.yaml", text);
/// let config = report.doc().expect("it is in order");
/// assert_eq!((config.skills_path.as_deref(), config.max_skills), (Some("~/skills"), Some(20)));
///
/// let report = check_config("config.user.yaml", "max_skills: many\n");
/// assert_eq!(
///     report.diagnostics()[0].to_string(),
///     "config.user.yaml:1:13: error[wrong_type]: `max_skills` must be a non-negative integer, not a string",
/// );
/// ```
#[must_use]
pub fn check_config(path: &str, text: &str) -> Report<SkillsConfig> {
    let mut diagnostics = Diagnostics::new(Some(path));
    let config = read(text, &mut diagnostics);
    Report::new(config, diagnostics.list)
}

fn read(text: &str, diagnostics: &mut Diagnostics<'_>) -> Option<SkillsConfig> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let max = DocumentLimits::DEFAULT.frontmatter;
    if text.len() > max {
        let message = format!(
            "the configuration has {} bytes; at most {max} are allowed",
            text.len()
        );
        diagnostics.error(DiagnosticCode::TooLarge, None, message, None);
        return None;
    }
    let root = match yaml::read(text, &DocumentLimits::DEFAULT, "the configuration") {
        Ok(mut root) => {
            for fix in repair::restore_tags(&mut root, text) {
                diagnostics.warn(DiagnosticCode::YamlFeature, fix.at, fix.message, fix.help);
            }
            root
        }
        Err(yaml_error) => {
            diagnostics.error(yaml_error.code, yaml_error.at, yaml_error.message, None);
            return None;
        }
    };
    let map = match &root.value {
        Value::Null => return Some(SkillsConfig::default()),
        Value::Map(map) => map,
        _ => {
            let message = format!("the configuration is {}, not a mapping", root.kind());
            let help = "write `key: value` on every line".to_owned();
            diagnostics.error(DiagnosticCode::WrongType, root.at, message, help);
            return None;
        }
    };
    Some(entries(map, text, diagnostics))
}

fn entries(map: &[(Node, Node)], source: &str, diagnostics: &mut Diagnostics<'_>) -> SkillsConfig {
    let mut config = SkillsConfig::default();
    let mut lines = KeyLines::default();
    for (key, node) in map {
        let Some(key_text) = key.scalar(source) else {
            continue;
        };
        if !matches!(key_text, "skills_path" | "max_skills" | "disabled") {
            continue;
        }
        if let Some(message) = lines.add(key_text, key.at.line) {
            diagnostics.error(DiagnosticCode::DuplicateKey, key.at, message, None);
        }
        let wanted = match (key_text, &node.value) {
            // a key without a value counts as missing
            (_, Value::Null) => None,
            ("skills_path", Value::Text(path)) if !path.is_empty() => {
                config.skills_path = Some(path.clone().into());
                None
            }
            ("skills_path", _) => Some("the path of a folder"),
            ("max_skills", Value::Number) => {
                let number = node.scalar(source).and_then(|number| number.parse().ok());
                config.max_skills = number;
                number.is_none().then_some("a non-negative integer")
            }
            ("max_skills", _) => Some("a non-negative integer"),
            (_, Value::List(items)) => {
                let ids = items.iter().map(|item| id(item, source));
                config.disabled = ids.collect::<Option<Vec<_>>>().map(Cow::Owned);
                config.disabled.is_none().then_some("a list of ids")
            }
            _ => Some("a list of ids"),
        };
        if let Some(wanted) = wanted {
            wrong(key_text, node, wanted, source, diagnostics);
        }
    }
    config
}

/// Reads an id, which may look like a number.
fn id(item: &Node, source: &str) -> Option<DocText> {
    match item.value {
        Value::Null => None,
        _ => item.scalar(source).map(|id| id.to_owned().into()),
    }
}

fn wrong(key: &str, node: &Node, wanted: &str, source: &str, diagnostics: &mut Diagnostics<'_>) {
    let found = match node.value {
        Value::Number => format!("`{}`", node.scalar(source).unwrap_or_default()),
        Value::Text(ref text) if text.is_empty() => "an empty string".to_owned(),
        Value::List(_) if key == "disabled" => "a list of other values".to_owned(),
        _ => node.kind().to_owned(),
    };
    let message = format!("`{key}` must be {wanted}, not {found}");
    diagnostics.error(DiagnosticCode::WrongType, node.at, message, None);
}
