//! Clients whose connections reach only the server they were made for.

use reqwest::{Client, redirect};
use std::error::Error;
use std::time::Duration;

use crate::tls;

/// The time limit for establishing a connection.
const CONNECT_TIME: Duration = Duration::from_secs(30);

/// Creates a client for servers with or without TLS. A server may stay silent for `idle_time`, or forever if that is `None`.
///
/// # Errors
/// Returns the reason if TLS is not available.
pub fn client(has_tls: bool, idle_time: Option<Duration>) -> Result<Client, String> {
    let mut builder = Client::builder()
        .user_agent(concat!("skill-agent/", env!("CARGO_PKG_VERSION")))
        // after a redirect, the key could reach any server
        .redirect(redirect::Policy::none())
        // if another crate in the build enables these features, a small body could decompress to any size
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .connect_timeout(CONNECT_TIME)
        .tls_backend_preconfigured(tls::config(has_tls)?);
    if let Some(time) = idle_time {
        builder = builder.read_timeout(time);
    }
    builder.build().map_err(|error| chain(&error))
}

/// Returns the sources of an error, the nearest first.
pub fn sources(error: &dyn Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&error| error.source())
}

/// Joins the messages of an error and its sources.
#[must_use]
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for error in sources(error) {
        let next = error.to_string();
        if !text.ends_with(&next) {
            text = format!("{text}: {next}");
        }
    }
    text
}
