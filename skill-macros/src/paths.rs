//! Generates the beginning of all generated paths.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

/// The crate that re-exports the entry point.
#[derive(Clone, Copy)]
pub(crate) enum Root {
    /// `skill-core`, with the path `::skill_core`.
    Core,
    /// `skill-agent`, with the path `::skill_agent::core`.
    Agent,
}

/// Generates paths into `__private`, the hidden module for generated code.
///
/// An item's anonymous constant imports the module once, as `__p` ([`Paths::open`]). This makes the code shorter, and a wrong
/// `crate = path` causes a single error. In `quote!`, the module is `#p`. Where rustc may report an error, [`Paths::at`] gives
/// the path the span of the user's token, because rustc shows an error at a path's first token and everything after it.
#[derive(Clone)]
pub(crate) struct Paths {
    root: TokenStream,
    manifest: Option<TokenStream>,
}

impl Paths {
    /// Creates the paths from the entry point's root, or from the path in `crate = path`.
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

    /// Returns the path of `skill-agent`'s module `manifest`, or `None` for an entry point of `skill-core` whose `crate = path`
    /// names neither `skill-agent` nor its module `core`.
    pub(crate) fn manifest(&self) -> Option<&TokenStream> {
        self.manifest.as_ref()
    }

    /// Creates paths with the module `manifest` as the root, because only `skill-agent` has the code for embedded documents.
    #[cfg(feature = "manifest")]
    pub(crate) fn of_documents(written: Option<&Path>) -> Self {
        let root = match written {
            Some(path) => manifest_module(path),
            None => quote!(::skill_agent::manifest),
        };
        let manifest = Some(root.clone());
        Self { root, manifest }
    }

    /// Generates the import of the hidden module.
    pub(crate) fn open(&self) -> TokenStream {
        let root = &self.root;
        quote!(use #root::__private as __p;)
    }

    /// Returns the hidden module at the start of `span`.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        quote_spanned!(start_of(span)=> __p)
    }

    /// Returns a trait of the public module `bounds`, at `span`.
    pub(crate) fn bound(&self, item: &str, span: Span) -> TokenStream {
        let root = self.root.clone().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        let (root, item) = (TokenStream::from_iter(root), Ident::new(item, span));
        quote_spanned!(span=> #root::bounds::#item)
    }

    /// Returns the full path of the hidden module, for code outside the constant.
    pub(crate) fn outside(&self) -> TokenStream {
        let root = &self.root;
        quote!(#root::__private)
    }

    /// Returns a path in the hidden module as text, for the `crate = "…"` of serde and schemars.
    pub(crate) fn text(&self, module: &str) -> String {
        let root = self.root.to_string().replace(' ', "");
        format!("{root}::__private::{module}")
    }
}

/// Returns the place before a user's token.
///
/// When an editor looks up the definition of a name in `actions(…)` or `skills: […]`, it follows every token of the expansion
/// with the span of that name. In the code for these names, only the user's token therefore has this span. The first tokens of
/// the code are at the name's start, and the others at its end. rustc shows the text from an expression's first token to its
/// last, so it still shows the whole name.
pub(crate) fn start_of(span: Span) -> Span {
    place(span, proc_macro::Span::start)
}

/// Returns the place after a user's token. See [`start_of`].
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

/// Returns `renamed::manifest` for `renamed` or `renamed::core`.
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
