//! `skills validate`: checks documents one by one, so that memory use does not depend on their number.

use crate::args::ValidateArgs;
use crate::commands::check_file::{Verdict, check_file};
use crate::failure::{Failure, WRONG_USAGE};
use crate::output::draw::draw;
use crate::output::escape;
use crate::output::screen::Screen;
use crate::walk::{DocumentWalk, is_missing};
use serde::Serialize;
use skill_agent_documents::{DiagnosticCode, Severity};
use std::io;
use std::process::ExitCode;

/// Prints a result for each document.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn validate(args: &ValidateArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let mut counts = Counts::default();
    let any_missing = args.paths.iter().any(|path| is_missing(path));
    let paths = args.paths.iter();
    for found in paths.flat_map(|path| DocumentWalk::new(path, &args.dialect)) {
        let verdict = check_file(found, &args.dialect);
        counts.add(&verdict);
        let text = if args.json {
            line(&verdict)?
        } else {
            draw(&verdict, &screen.renderer)
        };
        if !text.is_empty() {
            screen.print(&text)?;
        }
        screen.progress.update(|| counts.to_string());
    }
    if !args.json {
        screen.print(&format!("{counts}\n"))?;
    }
    Ok(match counts.invalid {
        _ if any_missing => ExitCode::from(WRONG_USAGE),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// A line of `--json` output, whose key names are stable.
#[derive(Debug, Serialize)]
struct JsonLine<'a> {
    path: &'a str,
    ok: bool,
    id: Option<&'a str>,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonDiagnostic<'a> {
    code: DiagnosticCode,
    severity: Severity,
    line: Option<u32>,
    column: Option<u32>,
    message: &'a str,
    help: Option<&'a str>,
}

pub(crate) fn line(verdict: &Verdict) -> io::Result<String> {
    let diagnostics = verdict.diagnostics.iter().map(|diagnostic| JsonDiagnostic {
        code: diagnostic.code,
        severity: diagnostic.severity,
        line: diagnostic.line,
        column: diagnostic.column,
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
    });
    let line = serde_json::to_string(&JsonLine {
        path: &verdict.path,
        ok: verdict.doc.is_some(),
        id: verdict.doc.as_ref().map(|doc| &*doc.id),
        diagnostics: diagnostics.collect(),
    })?;
    Ok(escape::escape_json(line) + "\n")
}

#[derive(Debug, Default)]
struct Counts {
    valid: usize,
    invalid: usize,
    errors: usize,
    warnings: usize,
}

impl Counts {
    fn add(&mut self, verdict: &Verdict) {
        match verdict.doc {
            Some(_) => self.valid += 1,
            None => self.invalid += 1,
        }
        for diagnostic in &verdict.diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                _ => self.warnings += 1,
            }
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |number: usize, what: &str| {
            let end = if number == 1 { "" } else { "s" };
            format!("{number} {what}{end}")
        };
        let Self { valid, invalid, .. } = self;
        write!(
            f,
            "{}: {valid} valid, {invalid} invalid ({}, {})",
            count(valid + invalid, "document"),
            count(self.errors, "error"),
            count(self.warnings, "warning"),
        )
    }
}
