//! `skills new --crate` and `skills new --agent`: create a library crate with a skill, or a program with an agent.

mod checkout;
mod name;
mod template;
mod toml;
mod write;

use crate::args::{CrateKind, NewArgs};
use crate::failure::Failure;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use std::path::Path;
use std::process::ExitCode;
use template::Placeholders;

/// Writes the crate, never into an existing folder, and prints the commands that test it.
///
/// # Errors
/// Returns an error if the name or the checkout is invalid, before writing anything. Also returns an error if the folder exists
/// or cannot be written; files that were already written are then removed.
pub(crate) fn new_crate(
    kind: CrateKind,
    args: &NewArgs,
    screen: &mut Screen,
) -> Result<ExitCode, Failure> {
    let name = &args.name;
    name::check(kind, name)?;
    let folder = args.folder().join(name);
    let checkout = args.path.as_deref();
    let dependencies = checkout::dependencies(checkout, &folder)?;
    let workspace = checkout::workspace_above(&folder);
    let placeholders = Placeholders {
        name,
        dependencies: &dependencies,
        has_workspace_above: workspace.is_some(),
    };
    let files = template::files(kind, &placeholders);
    write::write(&folder, &files)?;
    let shown = folder.display().to_string();
    screen.note(&escape(&format!("created the crate `{shown}`")), None);
    if let Some(manifest) = workspace {
        let manifest = manifest.display();
        let message = format!("`{manifest}` is a workspace, and the crate is not a member of it");
        let help = "to make it one, add it to `members` and remove `[workspace]` from the `Cargo.toml` of the crate";
        screen.note(&escape(&message), Some(help));
    }
    if checkout.is_none() {
        let help = "until then, write `--path CHECKOUT` with the folder of a checkout";
        screen.note(
            "`skill-agent` is not published yet, so that cargo does not find the dependencies",
            Some(help),
        );
    }
    screen.print(&commands(&folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the shell commands to run next.
fn commands(folder: &Path) -> String {
    let folder = folder.display().to_string();
    format!("cd {}\ncargo test\n", quoted(&folder))
}

/// Quotes a word for a shell if necessary.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
    let text = if word.starts_with('-') {
        format!("./{word}")
    } else {
        word.to_owned()
    };
    if text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
