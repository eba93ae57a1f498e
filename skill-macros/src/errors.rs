//! Collects an item's mistakes, so that all of them are reported together.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt::Display;

/// The errors found in an item so far.
///
/// Unlike darling's accumulator, this also keeps the last token of each mistake, so that rustc underlines a whole type.
#[derive(Default)]
pub(crate) struct Errors {
    list: Vec<syn::Error>,
    is_finished: bool,
}

impl Errors {
    /// Reports an error that spans all of the tokens.
    pub(crate) fn report(&mut self, message: impl Display, at: &impl ToTokens) {
        let message = shown(&message);
        self.list.push(syn::Error::new_spanned(at, message));
    }

    /// Reports an error at a span.
    pub(crate) fn report_at(&mut self, message: impl Display, span: Span) {
        self.list.push(syn::Error::new(span, shown(&message)));
    }

    /// Reports a parser error.
    pub(crate) fn push(&mut self, error: impl Into<syn::Error>) {
        self.list.push(error.into());
    }

    /// Returns the errors as `compile_error!` calls, or `None` if there are no errors.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.is_finished = true;
        let errors = self.list.iter().map(syn::Error::to_compile_error);
        (!self.list.is_empty()).then(|| errors.collect())
    }
}

/// Formats a message for the terminal. Escapes text from documents, like the diagnostics of `skill-manifest`.
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

/// Detects unreported errors, which are a bug in a macro.
impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(
            self.is_finished || std::thread::panicking(),
            "errors were collected and never reported"
        );
    }
}
