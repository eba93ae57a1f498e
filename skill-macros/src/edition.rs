//! Refuses the edition 2015. In that edition, paths that begin with `::` have a different meaning, so every path in the generated
//! code would cause a separate error. A macro does not know its caller's edition, so the edition is read from the package's
//! manifest.

use crate::messages;
use proc_macro2::{TokenStream, TokenTree};
use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The path of the last manifest, and whether it has the edition 2015.
static LAST: Mutex<Option<(PathBuf, bool)>> = Mutex::new(None);

/// Returns an error for a package of the edition 2015, or `None` for any other package, or if there is no manifest, for example
/// outside of Cargo.
pub(crate) fn error(item: &TokenStream) -> Option<TokenStream> {
    let manifest = manifest()?;
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_2015 = match &*last {
        Some((path, is_2015)) if *path == manifest => *is_2015,
        _ => fs::read_to_string(&manifest).is_ok_and(|text| is_2015(&text)),
    };
    *last = Some((manifest, is_2015));
    is_2015
        .then(|| syn::Error::new_spanned(name(item), messages::edition_2015()).to_compile_error())
}

/// Returns an item's name, or the whole item if it has none.
fn name(item: &TokenStream) -> TokenStream {
    let mut tokens = item.clone().into_iter();
    let keywords = ["struct", "enum", "union", "fn"];
    let is_keyword = |token: TokenTree| matches!(token, TokenTree::Ident(word) if keywords.iter().any(|keyword| word == keyword));
    match tokens.any(is_keyword).then(|| tokens.next()).flatten() {
        Some(name) => name.into(),
        None => item.clone(),
    }
}

fn manifest() -> Option<PathBuf> {
    let file = match env::var_os("CARGO_MANIFEST_PATH") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml"),
    };
    // a cargo script contains its own manifest
    (file.file_name()? == "Cargo.toml").then_some(file)
}

/// Returns whether a manifest has the edition 2015, which is also the default. A target may have its own edition, so a later
/// edition anywhere in the file counts.
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
    use super::{is_2015, name};

    #[test]
    fn the_error_is_at_the_name_of_the_item() {
        for (item, at) in [
            ("#[skill(name = \"shelf\")] pub struct Shelf;", "Shelf"),
            ("pub(crate) async fn put(shelf: &mut Shelf) {}", "put"),
            ("struct Librarian { name: \"librarian\" }", "Librarian"),
            ("let it", "let it"),
        ] {
            assert_eq!(name(&item.parse().unwrap()).to_string(), at);
        }
    }

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
