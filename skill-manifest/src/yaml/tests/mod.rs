//! The reader gives what `serde-saphyr` gives, on every text: the same nodes at the same positions, or the same error.
//!
//! `YAML_CASES=5000000 cargo test --release -p skill-manifest yaml` compares more texts than usual, and `YAML_SEED` others.

mod generate;
mod oracle;

use super::read;
use crate::DocumentLimits;
use crate::frontmatter::{Parts, split};
use generate::{Generator, NUMBERS, TAGS, WORDS};
use std::fs;
use std::path::{Path, PathBuf};

const NOUN: &str = "the frontmatter";

/// Limits that generated texts exceed, and limits that they do not.
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
    let actual = read(source, limits, NOUN);
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

/// Returns the texts of the files below the folders that exist, and their frontmatter.
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

/// Returns the number of an environment variable, or else a default.
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
    let scalars = WORDS.iter().chain(NUMBERS);
    for scalar in scalars {
        for tag in [""].iter().chain(TAGS) {
            for text in [
                format!("{tag} {scalar}"),
                format!("{tag} '{scalar}'"),
                format!("{tag} \" {scalar}\\n\""),
                format!("a: {tag} |\n  {scalar}\n"),
                format!("{tag} {scalar}: {tag}\n"),
                format!("? [{tag} {scalar}]\n: {tag} [{scalar}]\n"),
                format!("? {{{tag} {scalar}: 1}}\n: {tag} {{{scalar}: 1}}\n"),
                format!("%TAG !e! tag:yaml.org,2002:\n--- {tag} {scalar}"),
            ] {
                compare(&text, &DocumentLimits::DEFAULT);
            }
        }
    }
}

#[test]
fn sizes_near_the_limits_are_read_like_the_oracle_reads_them() {
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
fn a_tag_that_stands_for_many_bytes_is_counted_with_all_of_them() {
    let handle = "x".repeat(900);
    let limits = DocumentLimits {
        nodes: 1_000_000,
        ..DocumentLimits::DEFAULT
    };
    for count in [74_480, 74_485, 74_490, 74_600] {
        let items = "- !e!a b\n".repeat(count);
        compare(&format!("%TAG !e! tag:{handle}\n---\n{items}"), &limits);
    }
}

#[test]
fn generated_texts_are_read_like_the_oracle_reads_them() {
    let mut generator = Generator::new(number("YAML_SEED", 1), documents());
    let limits = several_limits();
    for case in 0..number("YAML_CASES", 20_000) {
        let text = generator.text();
        // mostly the usual limits
        let limits = &limits[usize::try_from(case % 8).unwrap() / 2 % 4 * usize::from(case % 2 == 0)];
        compare(&text, limits);
    }
}
