//! Tests that the reader matches `serde-saphyr` on every text: the same nodes at the same positions, or the same error.
//!
//! `YAML_CASES=5000000 cargo test --release -p skill-manifest yaml` compares more texts than usual. `YAML_SEED` selects other
//! texts.

mod generate;
mod oracle;
mod vocabulary;

use super::read;
use crate::DocumentLimits;
use crate::frontmatter::{Parts, split};
use generate::Generator;
use std::fs;
use std::path::{Path, PathBuf};
use vocabulary::{NUMBERS, TAGS, WORDS};

const NOUN: &str = "the frontmatter";

/// Limits that generated texts exceed, and limits that they stay within.
fn several_limits() -> [DocumentLimits; 4] {
    let limits = |depth, nodes| DocumentLimits {
        depth,
        nodes,
        ..DocumentLimits::DEFAULT
    };
    [
        DocumentLimits::DEFAULT,
        limits(3, 12),
        limits(0, 3),
        limits(300, 100_000),
    ]
}

#[track_caller]
fn compare(source: &str, limits: &DocumentLimits) {
    let expected = oracle::read(source, limits, NOUN);
    // the oracle does not know which tags have no meaning
    let actual = read(source, limits, NOUN).map(|mut root| {
        root.visit_mut(&mut |node| node.ignored_tag = None);
        root
    });
    assert_eq!(
        format!("{actual:?}"),
        format!("{expected:?}"),
        "{source:?}, depth {}, nodes {}",
        limits.depth,
        limits.nodes
    );
}

#[track_caller]
fn compare_with_several_limits(source: &str) {
    for limits in &several_limits() {
        compare(source, limits);
    }
}

/// Returns the texts of all files below the existing folders, and their frontmatter.
fn documents() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut texts = Vec::new();
    for name in [
        "examples",
        "fuzz/corpus/check",
        "skill-manifest/tests",
        "tests",
        "../shared/corpus",
        "../shared/corpus-broken",
        "../shared/oracles",
        "../shared/seeds",
    ] {
        let folder = root.join(name);
        if folder.exists() {
            read_below(folder, &mut texts);
        } else {
            eprintln!("skipped: {} is not there", folder.display());
        }
    }
    texts.sort();
    texts.dedup();
    assert!(!texts.is_empty());
    texts
}

fn read_below(folder: PathBuf, texts: &mut Vec<String>) {
    let mut folders = vec![folder];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "md" || end == "yaml" || end == "yml")
            {
                // other tools see such bytes as replacement characters
                let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
                if let Parts::Both { yaml, .. } = split(&text) {
                    texts.push(yaml.to_owned());
                }
                texts.push(text);
            }
        }
    }
}

/// Returns the number in an environment variable, or a default.
fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn documents_are_read_like_the_oracle_reads_them() {
    for text in documents() {
        compare_with_several_limits(&text);
    }
}

#[test]
fn scalars_are_read_like_the_oracle_reads_them() {
    let limits = DocumentLimits::DEFAULT;
    for tag in [""].iter().chain(TAGS) {
        for scalar in WORDS.iter().chain(NUMBERS) {
            compare(&format!("{tag} {scalar}"), &limits);
            compare(&format!("{tag} \" {scalar}\\n\""), &limits);
        }
        for scalar in ["", "~", "<<", "=", "1", "a"] {
            for text in [
                format!("{tag} '{scalar}'"),
                format!("a: {tag} |\n  {scalar}\n"),
                format!("{tag} {scalar}: {tag}\n"),
                format!("{tag}\na: {scalar}\n"),
                format!("{tag}\n- {scalar}\n"),
                format!("? [{tag} {scalar}]\n: {tag} [{scalar}]\n"),
                format!("? [{tag} {scalar}\n: {tag} [{scalar}]\n"),
                format!("? {{{tag} {scalar}: 1}}\n: {tag} {{{scalar}: 1}}\n"),
                format!("%TAG !e! tag:yaml.org,2002:\n--- {tag} {scalar}"),
                format!("%TAG !e! tag:yaml.org,2002:i\n--- {tag} {scalar}"),
            ] {
                compare(&text, &limits);
            }
        }
    }
}

#[test]
fn sizes_near_the_limits_are_read_like_the_oracle_reads_them() {
    // the oracle needs more stack than a test has
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(compare_sizes).unwrap().join().unwrap();
}

fn compare_sizes() {
    for count in 0..20 {
        for (open, close) in [
            ("[", "]"),
            ("{a: ", "}"),
            ("- ", ""),
            ("? ", ""),
            ("[? ", "]"),
        ] {
            compare_with_several_limits(&format!("{}x{}", open.repeat(count), close.repeat(count)));
            compare_with_several_limits(&open.repeat(count));
        }
        compare_with_several_limits(&"- a\n".repeat(count));
        compare_with_several_limits(&format!("[{}]", "a: b, ".repeat(count)));
    }
    for count in [1_998, 1_999, 2_000, 2_001, 5_000] {
        compare_with_several_limits(&"- a\n".repeat(count));
        compare_with_several_limits(&"- [a]\n".repeat(count / 2));
    }
    for length in 1_020..1_030 {
        for before in ["", "? ", "{", "[", "- "] {
            for text in ["a", "é"] {
                compare_with_several_limits(&format!("{before}{}: b", text.repeat(length)));
                compare_with_several_limits(&format!("{before}'{}': b", text.repeat(length)));
            }
        }
    }
    for depth in [254, 255, 256, 299, 300, 301] {
        compare_with_several_limits(&"[".repeat(depth));
        compare_with_several_limits(&"- ".repeat(depth));
        compare_with_several_limits(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    }
}

#[test]
fn the_depth_of_the_stack_is_limited_by_the_depth_of_the_document() {
    let limits = DocumentLimits {
        depth: 300,
        ..DocumentLimits::DEFAULT
    };
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&nested(300), &limits, NOUN).is_ok());
    assert!(read(&nested(100_000), &limits, NOUN).is_err());
    assert!(read(&"- ".repeat(100_000), &limits, NOUN).is_err());
}

#[test]
fn a_tag_that_stands_for_many_bytes_is_counted_with_all_of_them() {
    let limits = DocumentLimits {
        nodes: 1_000_000,
        ..DocumentLimits::DEFAULT
    };
    let text = |count: usize| {
        let handle = "x".repeat(1_000);
        let items = "- !e!a b\n- !e!a []\n".repeat(count);
        format!("%TAG !e! {handle}\n---\n{items}")
    };
    let fits = (64 << 20) / (1_002 + 1_001);
    assert!(read(&text(fits), &limits, NOUN).is_ok());
    compare(&text(fits + 1), &limits);
}

#[test]
fn generated_texts_are_read_like_the_oracle_reads_them() {
    let mut generator = Generator::new(number("YAML_SEED", 1), documents());
    for _ in 0..number("YAML_CASES", 5_000) {
        let text = generator.text();
        let limits = generator.limits();
        compare(&text, &limits);
    }
}

#[test]
fn a_number_that_json_lacks_becomes_a_string() {
    for (number, json) in [
        ("1.5", "1.5"),
        ("-0", "-0"),
        ("1e-3", "1e-3"),
        ("10", "10"),
        ("0x1F", "\"0x1F\""),
        ("1_000", "\"1_000\""),
        ("007", "\"007\""),
        (".5", "\".5\""),
        ("1.", "\"1.\""),
        ("+1", "\"+1\""),
        ("1.e3", "\"1.e3\""),
        (".inf", "\".inf\""),
    ] {
        let root = read(number, &DocumentLimits::DEFAULT, NOUN).unwrap();
        let is_json = |number: &str| serde_json::from_str::<serde_json::Number>(number).is_ok();
        assert_eq!(root.json_with_numbers(number, is_json), json);
    }
}
