//! Tests hover and go-to-definition. An editor follows each token in the expansion with the span of the token under the cursor.
//! So a name in `actions(…)`, `skills: […]` or `mounted: […]` must have its span in the expansion only as part of the path that
//! the user wrote.

use crate::paths::Root;
use crate::pipeline;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::visit::{self, Visit};

const SKILL: &str = r#"
    #[serde(default)]
    #[skill(name = "shelf", config = Rules, hooks, requires("ladder"), actions(Put, shop::Order, Count))]
    pub struct Shelf {
        #[skill(default = 3)]
        books: u32,
    }
"#;

const AGENT: &str = r#"
    pub struct Librarian {
        name: "librarian",
        state: { open: bool = true },
        skills: [
            Shelf { room: 40 }, rooms::Cellar, Shelf as attic, rooms::Cellar as vault, #[cfg(unix)] Ladder,
            #[cfg(unix)] tools::Saw as blade,
        ],
        actions: [Open, doors::Close],
        mounted: [Lamp, light::Torch],
        hooks,
    }
"#;

#[test]
fn a_name_in_a_list_of_a_skill_leads_to_the_item_of_the_user() {
    let source: TokenStream = SKILL.parse().unwrap();
    let expanded = pipeline::skill(source.clone(), Root::Agent);
    lead_to_the_user(&source, &expanded, &["Put", "shop", "Order", "Count"]);
}

#[test]
fn a_name_in_a_list_of_an_agent_leads_to_the_item_of_the_user() {
    let source: TokenStream = AGENT.parse().unwrap();
    let expanded = pipeline::agent(source.clone(), Root::Agent);
    let names = [
        "Shelf", "rooms", "Cellar", "Ladder", "tools", "Saw", "Open", "doors", "Close", "Lamp",
        "light", "Torch",
    ];
    lead_to_the_user(&source, &expanded, &names);
}

/// Checks that every token in the expansion at the place of one of these names is that name, and that the first one is in a path.
fn lead_to_the_user(source: &TokenStream, expanded: &TokenStream, names: &[&str]) {
    let (mut written, mut made) = (Vec::new(), Vec::new());
    flatten(source.clone(), &mut written);
    flatten(expanded.clone(), &mut made);
    assert!(made.iter().all(|(text, _)| text != "compile_error"));
    let mut paths = Paths(Vec::new());
    paths.visit_file(&syn::parse2(expanded.clone()).unwrap());
    let mut checked = 0;
    // `Shelf` as the struct's own name is not a name in a list
    let is_listed = |(name, _): &&(String, Range<usize>)| names.contains(&name.as_str());
    for (name, place) in written.iter().filter(is_listed) {
        let at_place = |(_, other): &&(String, Range<usize>)| other == place;
        let found: Vec<&str> = made
            .iter()
            .filter(at_place)
            .map(|(text, _)| &**text)
            .collect();
        assert!(!found.is_empty(), "`{name}` is not in the expansion");
        assert!(found.iter().all(|text| text == name), "`{name}`: {found:?}");
        assert!(paths.0.contains(place), "`{name}` is in no path");
        checked += 1;
    }
    assert!(checked >= names.len(), "{checked} names");
}

/// Returns the places of the names in paths.
struct Paths(Vec<Range<usize>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let places = path.segments.iter();
        self.0
            .extend(places.map(|segment| segment.ident.span().byte_range()));
        visit::visit_path(self, path);
    }
}

/// Returns the texts and places of all tokens and delimiters.
fn flatten(tokens: TokenStream, into: &mut Vec<(String, Range<usize>)>) {
    for token in tokens {
        let place = token.span().byte_range();
        match token {
            TokenTree::Group(group) => {
                into.push(("a group".to_owned(), place));
                flatten(group.stream(), into);
            }
            token => into.push((token.to_token_stream().to_string(), place)),
        }
    }
}
