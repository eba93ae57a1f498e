//! The addresses of this machine.

use reqwest::Url;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns whether the host of a URL is this machine. A name that the DNS resolves to this machine is not recognized, except
/// `localhost`.
#[must_use]
pub fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    // a connection to the unspecified address reaches this machine
    let is_here = |ip: Ipv4Addr| ip.is_loopback() || ip.is_unspecified();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(is_here)
        || host.parse().is_ok_and(|ip: Ipv6Addr| {
            // an IPv6 address may contain an IPv4 address
            ip.is_loopback() || ip.to_ipv4().is_some_and(is_here)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_has_many_forms() {
        for (host, expected) in [
            ("localhost:8080", true),
            ("LOCALHOST.", true),
            ("login.localhost", true),
            ("127.8.8.8", true),
            ("0x7f.1", true),
            ("0.0.0.0", true),
            ("0", true),
            ("[::1]:80", true),
            ("[::]", true),
            ("[::127.0.0.1]", true),
            ("[::ffff:127.0.0.1]", true),
            ("[::ffff:0.0.0.0]", true),
            ("localhost.example", false),
            ("127.0.0.1.example", false),
            ("10.0.0.1", false),
            ("[::ffff:10.0.0.1]", false),
            ("[2001:db8::1]", false),
        ] {
            let url = format!("https://{host}/token").parse().unwrap();
            assert_eq!(is_local(&url), expected, "{host}");
        }
    }
}
