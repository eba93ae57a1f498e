//! Refuses the edition 2015, in which a path that begins with `::` means another module: every path of the generated code would be an
//! error of its own. A macro is not given the edition of its user, so it is read from the manifest of the package.

use crate::messages;
use proc_macro2::{Span, TokenStream};
use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The last manifest, and whether it has the edition 2015.
static LAST: Mutex<Option<(PathBuf, bool)>> = Mutex::new(None);

/// The error for a package of the edition 2015. Without a manifest, as outside of cargo, there is none.
pub(crate) fn error(at: Span) -> Option<TokenStream> {
    let manifest = manifest()?;
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_2015 = match &*last {
        Some((path, is_2015)) if *path == manifest => *is_2015,
        _ => fs::read_to_string(&manifest).is_ok_and(|text| is_2015(&text)),
    };
    *last = Some((manifest, is_2015));
    is_2015.then(|| syn::Error::new(at, messages::edition_2015()).to_compile_error())
}

fn manifest() -> Option<PathBuf> {
    let file = match env::var_os("CARGO_MANIFEST_PATH") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml"),
    };
    // the manifest of a script is in the script
    (file.file_name()? == "Cargo.toml").then_some(file)
}

/// Whether a manifest has the edition 2015, which is also the one without the key. A target may have an edition of its own, so any
/// later one in the file counts.
fn is_2015(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim);
    let is_package = lines.clone().any(|line| line == "[package]");
    let is_later = |line: &str| {
        let (line, _) = line.split_once('#').unwrap_or((line, ""));
        let key = line.trim_start_matches(['"', '\'']);
        let value = key.strip_prefix("edition");
        let value = value.map(|value| value.trim_start_matches(['"', '\'']).trim_start());
        value.is_some_and(|value| value.starts_with(['=', '.']) && !value.contains("2015"))
    };
    is_package && !lines.any(is_later)
}

#[cfg(test)]
mod tests {
    use super::is_2015;

    #[test]
    fn a_package_without_a_later_edition_has_the_edition_2015() {
        let package = "[package]\nname = \"a\"\n";
        for edition in ["", "edition = \"2015\"\n", "edition='2015'"] {
            assert!(
                is_2015(&format!("{package}{edition}\n[dependencies]\n")),
                "{edition}"
            );
        }
        for edition in [
            "edition = \"2018\"",
            "edition=\"2021\"",
            "  edition = '2024' # new",
            "edition = \"2021\" # was 2015",
            "\"edition\" = \"2021\"",
            "edition.workspace = true",
            "edition = { workspace = true }",
            "[lib]\nedition = \"2021\"",
        ] {
            assert!(!is_2015(&format!("{package}{edition}\n")), "{edition}");
        }
        assert!(!is_2015("[workspace]\nmembers = []\n"));
    }
}
