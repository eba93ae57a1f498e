//! The path that all generated code begins with.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

/// Which of the two crates re-exports the entry point.
#[derive(Clone, Copy)]
pub(crate) enum Root {
    /// `::skill_core`
    Core,
    /// `::skill_agent::core`
    Agent,
}

/// Makes paths into the hidden module that generated code uses.
///
/// Inside the anonymous constant of an item the module is imported once, as `__p` ([`Paths::open`]): the code is shorter,
/// and a wrong `crate = path` is one error. `quote!` writes it as `#p`; where rustc may report something, [`Paths::at`]
/// makes it at the user's token, since an error is shown from the first token of a path.
#[derive(Clone)]
pub(crate) struct Paths {
    root: TokenStream,
    manifest: Option<TokenStream>,
}

impl Paths {
    /// The path of the entry point, or what the user wrote as `crate = path`.
    pub(crate) fn new(root: Root, written: Option<&Path>) -> Self {
        let (root, manifest) = match (written, root) {
            (Some(path), _) => (path.to_token_stream(), Some(beside(path))),
            (None, Root::Core) => (quote!(::skill_core), None),
            (None, Root::Agent) => (
                quote!(::skill_agent::core),
                Some(quote!(::skill_agent::manifest)),
            ),
        };
        Self { root, manifest }
    }

    /// Where documents are known: the module `manifest` of `skill-agent`. Nowhere for an entry point of `skill-core`, unless
    /// `crate = path` names a `skill-agent` or its `core`.
    pub(crate) fn manifest(&self) -> Option<&TokenStream> {
        self.manifest.as_ref()
    }

    /// The path of what embedded documents are made with, which `skill-agent` alone has.
    #[cfg(feature = "manifest")]
    pub(crate) fn of_documents(written: Option<&Path>) -> Self {
        let root = match written {
            Some(path) => beside(path),
            None => quote!(::skill_agent::manifest),
        };
        let manifest = Some(root.clone());
        Self { root, manifest }
    }

    /// Imports the hidden module.
    pub(crate) fn open(&self) -> TokenStream {
        let root = &self.root;
        quote!(use #root::__private as __p;)
    }

    /// The hidden module, at `span`.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        quote_spanned!(span=> __p)
    }

    /// A public item, at `span`.
    pub(crate) fn public(&self, item: &str, span: Span) -> TokenStream {
        let root = self.root.clone().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        let (root, item) = (TokenStream::from_iter(root), Ident::new(item, span));
        quote_spanned!(span=> #root::#item)
    }

    /// The whole path of the hidden module, for what stands outside the constant.
    pub(crate) fn outside(&self) -> TokenStream {
        let root = &self.root;
        quote!(#root::__private)
    }

    /// The path as text, for the `crate = "…"` of serde and schemars.
    pub(crate) fn text(&self, module: &str) -> String {
        let root = self.root.to_string().replace(' ', "");
        format!("{root}::__private::{module}")
    }
}

/// `renamed::manifest`, of `renamed` or `renamed::core`.
fn beside(path: &Path) -> TokenStream {
    let mut path = path.clone();
    if path.segments.len() > 1
        && path
            .segments
            .last()
            .is_some_and(|last| last.ident == "core")
    {
        path.segments.pop();
        path.segments.pop_punct();
    }
    quote!(#path::manifest)
}

impl ToTokens for Paths {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(quote!(__p));
    }
}
