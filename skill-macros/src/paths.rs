//! The path at the beginning of all generated paths.

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

/// Writes paths into `__private`, the hidden module for generated code.
///
/// The anonymous constant of an item imports the module once, as `__p` ([`Paths::open`]): the code is shorter, and a wrong
/// `crate = path` is one error. In `quote!` it is `#p`. Where rustc may report an error, [`Paths::at`] gives it the place of
/// the user's token, since rustc shows an error from the first token of a path on.
#[derive(Clone)]
pub(crate) struct Paths {
    root: TokenStream,
    manifest: Option<TokenStream>,
}

impl Paths {
    /// The path of the entry point, or the path in `crate = path`.
    pub(crate) fn new(root: Root, written: Option<&Path>) -> Self {
        let (root, manifest) = match (written, root) {
            (Some(path), _) => (path.to_token_stream(), Some(manifest_module(path))),
            (None, Root::Core) => (quote!(::skill_core), None),
            (None, Root::Agent) => (
                quote!(::skill_agent::core),
                Some(quote!(::skill_agent::manifest)),
            ),
        };
        Self { root, manifest }
    }

    /// The module `manifest` of `skill-agent`. `None` for an entry point of `skill-core`, unless `crate = path` names a
    /// `skill-agent` or its `core`.
    pub(crate) fn manifest(&self) -> Option<&TokenStream> {
        self.manifest.as_ref()
    }

    /// The module `manifest` as the root: the code of embedded documents is in `skill-agent` alone.
    #[cfg(feature = "manifest")]
    pub(crate) fn of_documents(written: Option<&Path>) -> Self {
        let root = match written {
            Some(path) => manifest_module(path),
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

    /// The hidden module, at the start of `span`.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        quote_spanned!(start_of(span)=> __p)
    }

    /// A trait of the public module `bounds`, at `span`.
    pub(crate) fn bound(&self, item: &str, span: Span) -> TokenStream {
        let root = self.root.clone().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        let (root, item) = (TokenStream::from_iter(root), Ident::new(item, span));
        quote_spanned!(span=> #root::bounds::#item)
    }

    /// The whole path of the hidden module, for code outside the constant.
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

/// The place before a user's token.
///
/// An editor that asks for the definition of a name in `actions(…)` or `skills: […]` follows every token of the expansion with the
/// span of that name. So the code for these names has it on the user's token only. Its first tokens are at the start of the name, and
/// the others at its end: rustc, which shows the text from the first token of an expression to the last, still shows the whole name.
pub(crate) fn start_of(span: Span) -> Span {
    place(span, proc_macro::Span::start)
}

/// The place after a user's token; see [`start_of`].
pub(crate) fn end_of(span: Span) -> Span {
    place(span, proc_macro::Span::end)
}

fn place(span: Span, place: fn(&proc_macro::Span) -> proc_macro::Span) -> Span {
    if proc_macro::is_available() {
        place(&span.unwrap()).into()
    } else {
        Span::call_site()
    }
}

/// `renamed::manifest`, from `renamed` or `renamed::core`.
fn manifest_module(path: &Path) -> TokenStream {
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
