//! `skills explain`: shows which documents a request selects, and why.

use crate::args::{ExplainArgs, Policy};
use crate::failure::Failure;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use crate::sources;
use skill_agent_documents::Catalog;
use skill_agent_documents::selection::{Activations, Query, Selection, SelectionPolicy};
use std::path::Path;
use std::process::ExitCode;

/// Prints the tier of a request, a line for each document and, if asked for, the text for a model. Diagnostics go to standard
/// error.
///
/// # Errors
/// Returns an error if a folder cannot be read, if no document is trusted, or if standard output cannot be written.
pub(crate) fn explain(args: &ExplainArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let catalog = sources::load_single_too(&args.sources).map_err(|error| swapped(args, error))?;
    sources::diagnostics(&catalog).for_each(|diagnostic| screen.diagnostic(diagnostic));
    if catalog.listed().next().is_none() {
        sources::note_no_skills(&args.sources, screen);
    } else if !catalog.listed().any(|entry| entry.trusted) {
        return Err(Failure::NotTrusted);
    }
    let query = Query::new(&args.query).paths(args.files.iter().map(|file| &**file));
    let activations = Activations::default();
    let policy = catalog.configured(policy(args));
    let selection = catalog.select(query, &activations, &policy);
    screen.print(&selection.to_string())?;
    if args.text {
        screen.print(&model_text(&catalog, &selection, screen))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Suggests swapping the arguments if the path does not exist but the request is an existing path.
fn swapped(args: &ExplainArgs, error: Failure) -> Failure {
    match (error, &args.sources.paths[..]) {
        (Failure::Missing(_), [path]) if Path::new(&args.query).exists() => Failure::SwappedQuery {
            path: path.display().to_string(),
            query: args.query.clone(),
        },
        (error, _) => error,
    }
}

fn policy(args: &ExplainArgs) -> SelectionPolicy {
    let policy = match args.policy {
        Policy::Tiers => SelectionPolicy::TIERS.match_descriptions(true),
        Policy::LazyTool => SelectionPolicy::LAZY_TOOL,
        Policy::Index => SelectionPolicy::INDEX,
    };
    match args.budget {
        Some(tokens) => policy.budget(tokens),
        None => policy,
    }
}

/// Returns the text for a model, after an empty line.
fn model_text(catalog: &Catalog, selection: &Selection<'_>, screen: &Screen) -> String {
    let shown = catalog.selection_text(selection);
    for (_, error) in &shown.unreadable {
        screen.error(&escape(&error.to_string()), None);
    }
    let lines = shown.text.lines().map(|line| format!("{}\n", escape(line)));
    format!("\n{}", lines.collect::<String>())
}
