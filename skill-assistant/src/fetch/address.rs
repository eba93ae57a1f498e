//! Addresses that no request may reach.
//!
//! The tables follow the registries of special-purpose addresses of IANA (RFC 6890), with the addresses at which clouds serve
//! credentials. `IpAddr::is_global` of `std` is not stable, and a message needs the reason.

use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The reason why an address is refused.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    address: IpAddr,
    /// The IPv4 address inside the IPv6 address, if it is the reason.
    inner: Option<Ipv4Addr>,
    /// The kind of address, with an article.
    kind: &'static str,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", self.address)?;
        if let Some(inner) = self.inner {
            write!(f, "which contains {inner}, ")?;
        }
        f.write_str(self.kind)
    }
}

/// Returns why an address is refused, or `None` if it is public.
pub(crate) fn refusal(address: IpAddr) -> Option<Refusal> {
    let (inner, kind) = match address {
        IpAddr::V4(v4) => (None, kind_of_v4(v4)?),
        IpAddr::V6(v6) => match embedded(v6) {
            Some((inner, _)) if let Some(kind) = kind_of_v4(inner) => (Some(inner), kind),
            Some((_, true)) => return None,
            _ => (None, kind_of_v6(v6)?),
        },
    };
    Some(Refusal {
        address,
        inner,
        kind,
    })
}

/// Returns the IPv4 address inside an IPv6 address, and whether a packet to the IPv6 address goes there and nowhere else.
fn embedded(address: Ipv6Addr) -> Option<(Ipv4Addr, bool)> {
    let (high, low, is_there) = match address.segments() {
        // mapped
        [0, 0, 0, 0, 0, 0xffff, high, low] => (high, low, true),
        // NAT64; a network with IPv6 only reaches every IPv4 server this way
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => (high, low, true),
        // NAT64 of one network, with the longest of its prefixes
        [0x64, 0xff9b, 1, _, _, _, high, low] => (high, low, false),
        // compatible, without `::` and `::1`
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => (high, low, false),
        // translated
        [0, 0, 0, 0, 0xffff, 0, high, low] => (high, low, false),
        // 6to4
        [0x2002, high, low, ..] => (high, low, false),
        // Teredo, which inverts the bits of the client
        [0x2001, 0, .., high, low] => (!high, !low, false),
        // ISATAP
        [.., 0 | 0x200, 0x5efe, high, low] => (high, low, false),
        _ => return None,
    };
    let bits = u32::from(high) << 16 | u32::from(low);
    Some((Ipv4Addr::from_bits(bits), is_there))
}

const METADATA: &str = "an address of a cloud's metadata";
const DOCUMENTATION: &str = "an address for documentation";
const LINK_LOCAL: &str = "a link-local address";
const MULTICAST: &str = "a multicast address";
const PRIVATE: &str = "a private address";
const RESERVED: &str = "a reserved address";

/// Returns the kind of the first network that contains the address.
fn kind_of_v4(address: Ipv4Addr) -> Option<&'static str> {
    const NETWORKS: &[([u8; 4], u32, &str)] = &[
        ([0, 0, 0, 0], 32, "an unspecified address"),
        ([0, 0, 0, 0], 8, RESERVED),
        ([10, 0, 0, 0], 8, PRIVATE),
        ([100, 100, 100, 200], 32, METADATA), // Alibaba
        ([100, 64, 0, 0], 10, "a shared address"),
        ([127, 0, 0, 0], 8, "a loopback address"),
        ([168, 63, 129, 16], 32, METADATA), // Azure, in a public network
        ([169, 254, 169, 254], 32, METADATA),
        ([169, 254, 170, 2], 32, METADATA),  // containers of AWS
        ([169, 254, 170, 23], 32, METADATA), // pods of AWS
        ([169, 254, 0, 0], 16, LINK_LOCAL),
        ([172, 16, 0, 0], 12, PRIVATE),
        ([192, 0, 0, 192], 32, METADATA), // Oracle
        ([192, 0, 0, 0], 24, RESERVED),
        ([192, 0, 2, 0], 24, DOCUMENTATION),
        ([192, 31, 196, 0], 24, RESERVED), // AS112
        ([192, 52, 193, 0], 24, RESERVED), // AMT
        ([192, 88, 99, 0], 24, RESERVED),  // relays of 6to4
        ([192, 168, 0, 0], 16, PRIVATE),
        ([192, 175, 48, 0], 24, RESERVED), // AS112
        ([198, 18, 0, 0], 15, "an address for benchmarks"),
        ([198, 51, 100, 0], 24, DOCUMENTATION),
        ([203, 0, 113, 0], 24, DOCUMENTATION),
        ([224, 0, 0, 0], 4, MULTICAST),
        ([255, 255, 255, 255], 32, "the broadcast address"),
        ([240, 0, 0, 0], 4, RESERVED),
    ];
    let mut networks = NETWORKS.iter();
    let (.., kind) = networks.find(|&&(network, length, _)| {
        let different = address.to_bits() ^ u32::from_be_bytes(network);
        different.leading_zeros() >= length
    })?;
    Some(kind)
}

/// Returns the kind of the first network that contains the address. A network outside of `2000::/3` has no public addresses.
fn kind_of_v6(address: Ipv6Addr) -> Option<&'static str> {
    const NETWORKS: &[([u16; 8], u32, &str)] = &[
        ([0, 0, 0, 0, 0, 0, 0, 0], 128, "an unspecified address"),
        ([0, 0, 0, 0, 0, 0, 0, 1], 128, "a loopback address"),
        ([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, "a Teredo address"),
        (
            [0x2001, 2, 0, 0, 0, 0, 0, 0],
            48,
            "an address for benchmarks",
        ),
        ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, RESERVED),
        ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, DOCUMENTATION),
        ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "a 6to4 address"),
        ([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48, RESERVED), // AS112
        ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, DOCUMENTATION),
        ([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, METADATA), // AWS
        ([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128, METADATA),  // Google
        ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, PRIVATE),
        ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, LINK_LOCAL),
        ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, PRIVATE),
        ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, MULTICAST),
    ];
    let mut networks = NETWORKS.iter();
    let network = networks.find(|&&(network, length, _)| {
        let different = address.to_bits() ^ Ipv6Addr::from(network).to_bits();
        different.leading_zeros() >= length
    });
    match network {
        Some((.., kind)) => Some(kind),
        None => (address.segments()[0] >> 13 != 1).then_some(RESERVED),
    }
}
