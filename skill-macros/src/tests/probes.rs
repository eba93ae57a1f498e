//! Tests that the macros and the check of `skill-manifest` agree about files from other projects.

use crate::parse::include::Kind;
use crate::pipeline;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use serde_json::Value;
use skill_manifest::{Dialect, check_bytes};
use std::fs;
use std::path::Path;

/// Folders and names (as YAML between `"`) that are invalid ids or look like other ids.
const UNSEEN: &[(&str, &str)] = &[
    ("pl\u{202e}an", "plan"),
    ("plan", "pl\u{202e}an"),
    ("zw\u{200b}", "zw\u{200b}"),
    ("deploy\u{3164}", "deploy\u{3164}"),
    ("deploy", "deploy\u{3164}"),
    ("deploy\u{fe0f}", "deploy"),
    ("a\u{1b}[31m", "a"),
    ("a\nb", "a\\nb"),
    ("a", "a\\tb"),
    ("a", "a\\u2028b"),
    (" ", "a"),
    ("a", ""),
];

#[test]
fn an_id_with_invisible_characters_has_the_codes_of_the_check() {
    for (folder, name) in UNSEEN {
        let probe = serde_json::json!({
            "id": format!("{folder:?} {name:?}"),
            "dir": folder,
            "file": "SKILL.md",
            "content": format!("---\nname: \"{name}\"\ndescription: d\n---\n"),
        });
        let refused = Dialect::PRESETS
            .iter()
            .filter(|dialect| compare(&probe, dialect));
        assert!(refused.count() >= 2, "{probe}");
    }
}

#[test]
fn a_probe_has_the_codes_of_the_check() {
    for oracle in ["dialect_probes", "skills_ref_probes"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../shared/oracles")
            .join(oracle)
            .with_extension("json");
        let Ok(text) = fs::read_to_string(&file) else {
            eprintln!("skipped: {} is not there", file.display());
            continue;
        };
        let file: Value = serde_json::from_str(&text).unwrap();
        let probes = file["probes"].as_array().unwrap();
        let (mut refused, mut all) = (0, 0);
        for dialect in Dialect::PRESETS {
            for probe in probes {
                all += 1;
                refused += usize::from(compare(probe, dialect));
            }
        }
        println!("{oracle}: {all} verdicts, {refused} of them refusals");
        assert!(refused > 0 && refused < all);
    }
}

/// Whether both the macro and the check refuse the probe.
fn compare(probe: &Value, dialect: &Dialect) -> bool {
    let text = |key: &str| probe[key].as_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join(text("dir"));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(text("file"));
    let content = match probe["encoding"].as_str() {
        Some("latin-1") => text("content").chars().map(|c| c as u8).collect(),
        _ => text("content").as_bytes().to_vec(),
    };
    fs::write(&path, &content).unwrap();
    let path = path.to_str().unwrap();
    let report = check_bytes(path, &content, dialect);
    let mut expected: Vec<String> = report
        .errors()
        .map(|error| error.code.to_string())
        .collect();
    let mut codes: Vec<String> = errors_of_file(path, dialect)
        .iter()
        .map(|error| code(error))
        .collect();
    expected.sort();
    codes.sort();
    assert_eq!(codes, expected, "{} of {}", text("id"), dialect.name);
    !codes.is_empty()
}

/// Returns the errors of `include_skill!`.
pub(super) fn errors_of_file(path: &str, dialect: &Dialect) -> Vec<String> {
    errors_of(path, dialect, Kind::File)
}

/// Returns the errors of `include_skill!` or `include_skills!`.
pub(super) fn errors_of(path: &str, dialect: &Dialect, kind: Kind) -> Vec<String> {
    let dialect = quote::format_ident!("{}", dialect.name);
    let mut texts = Vec::new();
    compile_errors(
        pipeline::include(quote!(#path, dialect = #dialect), kind),
        &mut texts,
    );
    texts
}

/// Returns the texts of every `compile_error!`.
pub(super) fn compile_errors(tokens: TokenStream, texts: &mut Vec<String>) {
    let mut is_error = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => is_error = ident == "compile_error",
            TokenTree::Group(group) if is_error => {
                let text: syn::LitStr = syn::parse2(group.stream()).unwrap();
                texts.push(text.value());
                is_error = false;
            }
            TokenTree::Group(group) => compile_errors(group.stream(), texts),
            _ => {}
        }
    }
}

/// Returns the code in brackets at the end of the first line.
fn code(text: &str) -> String {
    let line = text.lines().next().unwrap();
    let code = line
        .strip_suffix(']')
        .and_then(|line| line.rsplit_once('['));
    code.unwrap_or_else(|| panic!("no code: {line}"))
        .1
        .to_owned()
}
