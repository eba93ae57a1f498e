//! Reads the errors of requests.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::iter::successors;

/// Returns the sources of an error, the nearest first.
pub fn sources(error: &dyn Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    successors(error.source(), |&error| error.source())
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

/// Returns whether the connection ended before the head of the response.
#[must_use]
pub fn is_closed(error: &reqwest::Error) -> bool {
    for error in sources(error) {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return matches!(
                error.kind(),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
            );
        }
        // reqwest does not expose the type of this error
        if error.to_string() == "connection closed before message completed" {
            return true;
        }
    }
    false
}

/// Returns the error of TLS that caused an error, if one did.
#[must_use]
pub fn tls_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    // an I/O error may contain a nested one
    let of_tls = |io: &'e io::Error| io.get_ref()?.downcast_ref::<rustls::Error>();
    sources(error).find_map(|error| {
        let first = error.downcast_ref::<io::Error>();
        successors(first, |io| io.get_ref()?.downcast_ref()).find_map(of_tls)
    })
}
