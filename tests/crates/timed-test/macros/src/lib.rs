//! The attribute of `timed-test`.

use proc_macro::TokenStream;
use quote::quote;
use syn::{ItemFn, LitInt, parse_macro_input, parse_quote};

/// Like `#[tokio::test]`, but the test fails with its name when it does not end within a minute.
///
/// `#[timed_test::test(threads = 2)]` runs it on a runtime with as many worker threads, and without `threads` on one with a
/// single thread.
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut threads: LitInt = parse_quote!(0);
    let options_parser = syn::meta::parser(|option| {
        if !option.path.is_ident("threads") {
            return Err(option.error("the only option is `threads`"));
        }
        threads = option.value()?.parse()?;
        Ok(())
    });
    parse_macro_input!(options with options_parser);
    let ItemFn {
        attrs, sig, block, ..
    } = parse_macro_input!(item as ItemFn);
    let name = &sig.ident;
    let output = &sig.output;
    quote! {
        #[::core::prelude::v1::test]
        #(#attrs)*
        fn #name() {
            async fn body() #output #block
            ::timed_test::run(stringify!(#name), #threads, body);
        }
    }
    .into()
}
