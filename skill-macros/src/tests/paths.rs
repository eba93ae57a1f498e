//! Tests that no path in generated code depends on the user's module.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// Refuses the paths in `expanded` that begin neither with `::` nor with a name from the user's source or the expansion's own
/// definitions. Names from the prelude (`Ok`, `Vec`, `Option`, …) are refused too.
pub(super) fn check(source: &TokenStream, expanded: &TokenStream) {
    let mut own: BTreeSet<String> = ["self", "Self", "str", "bool", "usize", "u8", "u32"]
        .map(String::from)
        .into();
    idents(source.clone(), &mut own);
    let file: syn::File = syn::parse2(expanded.clone()).unwrap();
    let mut bound = Bound(own);
    bound.visit_file(&file);
    let mut foreign = Foreign {
        known: bound.0,
        found: BTreeSet::new(),
    };
    foreign.visit_file(&file);
    assert!(
        foreign.found.is_empty(),
        "relative paths: {:?}",
        foreign.found
    );
}

fn idents(tokens: TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                into.insert(ident.to_string());
            }
            TokenTree::Group(group) => idents(group.stream(), into),
            _ => {}
        }
    }
}

/// The names that the expansion defines: items, type parameters and locals.
struct Bound(BTreeSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
    }
    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.0.insert(param.ident.to_string());
        visit::visit_type_param(self, param);
    }
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.0.insert(item.ident.to_string());
        visit::visit_item_const(self, item);
    }
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.0.insert(item.ident.to_string());
        visit::visit_item_static(self, item);
    }
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.0.insert(item.sig.ident.to_string());
        visit::visit_item_fn(self, item);
    }
    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.0.insert(rename.rename.to_string());
    }
    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.0.insert(item.ident.to_string());
        visit::visit_item_type(self, item);
    }
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.0.insert(item.ident.to_string());
        visit::visit_item_struct(self, item);
    }
}

struct Foreign {
    known: BTreeSet<String>,
    found: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Foreign {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let first = path
            .segments
            .first()
            .map(|segment| segment.ident.to_string());
        if path.leading_colon.is_none() && !first.is_none_or(|first| self.known.contains(&first)) {
            let text = quote::ToTokens::to_token_stream(path).to_string();
            self.found.insert(text);
        }
        visit::visit_path(self, path);
    }
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let tree = quote::ToTokens::to_token_stream(item).to_string();
        let imported = matches!(&item.tree, syn::UseTree::Path(path) if path.ident == "__p");
        if item.leading_colon.is_none() && !imported {
            self.found.insert(tree);
        }
    }
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {
        // built-in attributes cannot be shadowed where they are written
    }
}

#[test]
#[should_panic(expected = "relative paths")]
fn a_prelude_name_is_refused() {
    check(
        &TokenStream::new(),
        &quote::quote!(
            fn f() -> u8 {
                Some(1).unwrap()
            }
        ),
    );
}
