//! The clients of HTTP.

use std::time::Duration;

use reqwest::{Client, redirect};

use super::failure::chain;
use super::tls;

/// How long a server may take to accept a connection.
const CONNECT_TIME: Duration = Duration::from_secs(30);

/// A client for servers with or without TLS. A server may send nothing for `idle_time`.
pub(super) fn client(has_tls: bool, idle_time: Option<Duration>) -> Result<Client, String> {
    let mut builder = Client::builder()
        .user_agent(concat!("skill-agent/", env!("CARGO_PKG_VERSION")))
        // the key would go to wherever the server points
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIME)
        .tls_backend_preconfigured(tls::config(has_tls)?);
    if let Some(time) = idle_time {
        builder = builder.read_timeout(time);
    }
    builder.build().map_err(|error| chain(&error))
}
