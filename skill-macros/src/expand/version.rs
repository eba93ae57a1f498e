//! Generates a skill's version.

use crate::parse::version::Version;
use crate::paths::Paths;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Generates `.version("1.2.0")`.
pub(super) fn set(version: &Version) -> TokenStream {
    match version.text() {
        Some(text) => {
            let text = &text.value;
            quote!(.version(#text))
        }
        None => quote!(.version(__VERSION)),
    }
}

/// If the skill uses the package's version, generates it as a free constant, so that `cargo check` reports an invalid version.
pub(super) fn of_package(p: &Paths, version: Option<&Version>) -> Option<TokenStream> {
    let Some(&Version::OfPackage(span)) = version else {
        return None;
    };
    let at = p.at(span);
    Some(quote_spanned! {span=>
        const __VERSION: &#at::str = #at::package_version(#at::option_env!("CARGO_PKG_VERSION"));
    })
}
