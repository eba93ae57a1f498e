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
}

impl Paths {
    /// The path of the entry point, or what the user wrote as `crate = path`.
    pub(crate) fn new(root: Root, written: Option<&Path>) -> Self {
        let root = match (written, root) {
            (Some(path), _) => path.to_token_stream(),
            (None, Root::Core) => quote!(::skill_core),
            (None, Root::Agent) => quote!(::skill_agent::core),
        };
        Self { root }
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

impl ToTokens for Paths {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(quote!(__p));
    }
}
