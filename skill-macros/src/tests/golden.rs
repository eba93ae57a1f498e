//! Compares formatted expansions with files that are checked in for review. The inputs are the first program in `docs/skills.md`,
//! and `golden/*.rs`.
//!
//! `BLESS=1 cargo test -p skill-agent-macros golden` updates the files. Read the diff before committing.

use super::paths;
use crate::paths::Root;
use crate::pipeline;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::path::{Path, PathBuf};
use syn::{Item, Meta};

#[test]
fn the_expansion_of_the_first_program_of_the_guide_matches() {
    let guide = read("../docs/skills.md");
    let after = guide.split_once("```rust\n").unwrap().1;
    let example = after.split_once("```").unwrap().0;
    check(example, "first_skill.expanded.rs");
}

#[test]
fn the_expansion_of_actions_and_arguments_matches() {
    check(&read("golden/actions.rs"), "actions.expanded.rs");
}

#[test]
fn the_expansion_of_an_agent_with_instances_matches() {
    check(&read("golden/agent.rs"), "agent.expanded.rs");
}

#[test]
fn the_expansion_of_a_skill_with_hooks_resources_and_an_async_action_matches() {
    check(&read("golden/skill.rs"), "skill.expanded.rs");
}

#[test]
fn the_expansion_of_secrets_matches() {
    check(&read("golden/secrets.rs"), "secrets.expanded.rs");
}

/// Replaces the test folder with `/golden`, because expansions contain the documents' absolute paths.
#[cfg(feature = "manifest")]
#[test]
fn the_expansion_of_documents_matches() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let folder = folder.to_str().unwrap();
    let source =
        read("golden/documents.rs").replace("\"documents", &format!("\"{folder}/documents"));
    let pretty = expanded(&source).replace(folder, "/golden");
    compare(Path::new(folder).join("documents.expanded.rs"), &pretty);
}

#[test]
#[cfg(feature = "manifest")]
fn the_expansion_of_an_agent_with_documents_matches() {
    check(
        &read("golden/agent_documents.rs"),
        "agent_documents.expanded.rs",
    );
}

#[test]
#[cfg(not(feature = "manifest"))]
fn documents_need_the_feature() {
    let agent = quote!(pub struct Clerk { name: "clerk", allow_skills: true, });
    let expanded = pipeline::agent(agent, Root::Agent).to_string();
    assert!(expanded.contains("`allow_skills` needs the feature `manifest`"));
    assert!(expanded.contains("struct Clerk") && !expanded.contains("__DOCUMENTS"));
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn check(source: &str, golden: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    compare(folder.join(golden), &expanded(source));
}

fn expanded(source: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let expanded: TokenStream = file
        .items
        .iter()
        .filter(|item| is_ours(item))
        .map(expand_item)
        .collect();
    paths::check(&file.to_token_stream(), &expanded);
    prettyplease::unparse(&syn::parse2(expanded).unwrap())
}

/// Whether the item is input for one of our macros.
fn is_ours(item: &Item) -> bool {
    match item {
        Item::Use(_) => false,
        Item::Fn(function) => function.sig.ident != "main",
        _ => true,
    }
}

/// Returns the item together with its macro's expansion.
fn expand_item(item: &Item) -> TokenStream {
    match item {
        Item::Macro(item) if item.mac.path.is_ident("agent") => {
            pipeline::agent(item.mac.tokens.clone(), Root::Agent)
        }
        #[cfg(feature = "manifest")]
        Item::Static(item) => {
            use crate::parse::include::Kind;
            let syn::Expr::Macro(value) = &*item.expr else {
                panic!("a golden static is a document")
            };
            let kind = if value.mac.path.is_ident("include_skills") {
                Kind::Folder
            } else {
                Kind::File
            };
            let code = pipeline::include(value.mac.tokens.clone(), kind);
            let mut item = item.clone();
            *item.expr = syn::parse2(code).unwrap();
            item.into_token_stream()
        }
        Item::Fn(function) => {
            let mut function = function.clone();
            let attr = function
                .attrs
                .iter()
                .position(|attr| attr.path().is_ident("action"));
            let attr = function
                .attrs
                .remove(attr.expect("a golden function is an action"));
            let options = match attr.meta {
                Meta::List(list) => list.tokens,
                _ => TokenStream::new(),
            };
            pipeline::action(options, function.into_token_stream(), Root::Agent)
        }
        item => {
            let tokens = item.to_token_stream();
            let code = match item {
                Item::Struct(item) if derives(item, "Resources") => {
                    pipeline::resources(tokens, Root::Agent)
                }
                Item::Struct(item) if derives(item, "SkillConfig") => {
                    pipeline::configuration(tokens, Root::Agent)
                }
                _ => pipeline::skill(tokens, Root::Agent),
            };
            let item = without_helper_attributes(item);
            quote!(#item #code)
        }
    }
}

fn derives(item: &syn::ItemStruct, name: &str) -> bool {
    let derives = item
        .attrs
        .iter()
        .find(|attr| attr.path().is_ident("derive"));
    derives.is_some_and(|derive| derive.to_token_stream().to_string().contains(name))
}

/// Removes the derives and their helper attributes, which have no meaning in an expansion.
fn without_helper_attributes(item: &Item) -> Item {
    let mut item = item.clone();
    if let Item::Struct(item) = &mut item {
        let is_helper = |attr: &syn::Attribute| {
            ["skill", "derive", "serde", "resources"]
                .iter()
                .any(|name| attr.path().is_ident(name))
        };
        item.attrs.retain(|attr| !is_helper(attr));
        for field in &mut item.fields {
            field.attrs.retain(|attr| !is_helper(attr));
        }
    }
    item
}

fn compare(path: PathBuf, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == text,
        "{} differs from what the macros write; look at it with BLESS=1 and git diff",
        path.display()
    );
}
