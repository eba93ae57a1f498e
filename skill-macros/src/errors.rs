//! The mistakes of one item, gathered so that all of them are told together.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt::Display;

/// What was wrong so far.
///
/// Beside darling's accumulator this keeps the last token of a mistake too: a type is underlined as a whole.
#[derive(Default)]
pub(crate) struct Errors {
    list: Vec<syn::Error>,
    is_finished: bool,
}

impl Errors {
    /// Something is wrong with these tokens, from the first to the last.
    pub(crate) fn tell(&mut self, message: impl Display, at: &impl ToTokens) {
        let message = shown(&message);
        self.list.push(syn::Error::new_spanned(at, message));
    }

    /// Something is wrong at this place.
    pub(crate) fn tell_at(&mut self, message: impl Display, span: Span) {
        self.list.push(syn::Error::new(span, shown(&message)));
    }

    /// Something is wrong, as a parser says it.
    pub(crate) fn push(&mut self, error: impl Into<syn::Error>) {
        self.list.push(error.into());
    }

    /// What rustc is to say, if anything.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.is_finished = true;
        let told = self.list.iter().map(syn::Error::to_compile_error);
        (!self.list.is_empty()).then(|| told.collect())
    }
}

/// A message as rustc gets it. There may be something of a document in it, which is shown as in the diagnostics of documents.
#[cfg(feature = "manifest")]
fn shown(message: &impl Display) -> String {
    let lines = message.to_string();
    let lines: Vec<String> = lines
        .split('\n')
        .map(|line| skill_manifest::__private::sanitize_message(line.to_owned()))
        .collect();
    lines.join("\n")
}

#[cfg(not(feature = "manifest"))]
fn shown(message: &impl Display) -> String {
    message.to_string()
}

/// A mistake that is dropped is one that nobody is told of.
impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(
            self.is_finished || std::thread::panicking(),
            "mistakes were gathered and never told"
        );
    }
}
