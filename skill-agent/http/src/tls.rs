//! TLS with the cryptography provider that the process has installed. Without one, TLS uses a provider that does not need a C
//! compiler.
//!
//! A program can install a provider for its process with `rustls::crypto::CryptoProvider::install_default`. If it installs none,
//! TLS uses Graviola, which a rustls author wrote in Rust and verified assembly. Graviola supports x86-64 and 64-bit ARM. This
//! module itself installs nothing for the process.

use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

const NO_PROVIDER: &str = "this processor needs another provider of cryptography; \
    install one with `rustls::crypto::CryptoProvider::install_default`";

/// Returns a client's TLS configuration. It checks certificates against the system's roots. A client without TLS also gets a
/// configuration, because reqwest requires one, but without roots, because a container may lack them.
pub(crate) fn config(is_used: bool) -> Result<ClientConfig, String> {
    let provider = match CryptoProvider::get_default() {
        Some(provider) => provider.clone(),
        None => Arc::new(graviola().ok_or(NO_PROVIDER)?),
    };
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions();
    let builder = builder.and_then(|builder| {
        if is_used {
            builder.with_platform_verifier()
        } else {
            Ok(builder.with_root_certificates(RootCertStore::empty()))
        }
    });
    let builder = builder.map_err(|error| error.to_string())?;
    Ok(builder.with_no_client_auth())
}

/// Returns Graviola if the processor has all instructions that Graviola requires. Without them, Graviola would abort the process.
#[cfg(target_arch = "x86_64")]
fn graviola() -> Option<CryptoProvider> {
    use std::arch::is_x86_feature_detected as has;
    let complete = has!("aes")
        && has!("ssse3")
        && has!("pclmulqdq")
        && has!("avx")
        && has!("avx2")
        && has!("bmi1")
        && has!("bmi2")
        && has!("adx");
    complete.then(rustls_graviola::default_provider)
}

#[cfg(target_arch = "aarch64")]
fn graviola() -> Option<CryptoProvider> {
    use std::arch::is_aarch64_feature_detected as has;
    let complete = has!("neon") && has!("aes") && has!("pmull") && has!("sha2");
    complete.then(rustls_graviola::default_provider)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn graviola() -> Option<CryptoProvider> {
    None
}
