use super::super::address::refusal;

/// The first and the last address of each network, and its neighbours outside.
#[test]
fn a_network_ends_where_the_registry_says() {
    for (refused, kind, public) in [
        (
            ["0.0.0.1", "0.255.255.255"],
            "a reserved address",
            vec!["1.0.0.0"],
        ),
        (
            ["10.0.0.0", "10.255.255.255"],
            "a private address",
            vec!["9.255.255.255", "11.0.0.0"],
        ),
        (
            ["100.64.0.0", "100.127.255.255"],
            "a shared address",
            vec!["100.63.255.255", "100.128.0.0"],
        ),
        (
            ["127.0.0.0", "127.255.255.255"],
            "a loopback address",
            vec!["126.255.255.255", "128.0.0.0"],
        ),
        (
            ["169.254.0.0", "169.254.255.255"],
            "a link-local address",
            vec!["169.253.255.255", "169.255.0.0"],
        ),
        (
            ["172.16.0.0", "172.31.255.255"],
            "a private address",
            vec!["172.15.255.255", "172.32.0.0"],
        ),
        (
            ["192.0.0.0", "192.0.0.255"],
            "a reserved address",
            vec!["191.255.255.255", "192.0.1.0"],
        ),
        (
            ["192.0.2.0", "192.0.2.255"],
            "an address for documentation",
            vec!["192.0.1.255", "192.0.3.0"],
        ),
        (
            ["192.31.196.0", "192.31.196.255"],
            "a reserved address",
            vec!["192.31.195.255", "192.31.197.0"],
        ),
        (
            ["192.52.193.0", "192.52.193.255"],
            "a reserved address",
            vec!["192.52.192.255", "192.52.194.0"],
        ),
        (
            ["192.88.99.0", "192.88.99.255"],
            "a reserved address",
            vec!["192.88.98.255", "192.88.100.0"],
        ),
        (
            ["192.168.0.0", "192.168.255.255"],
            "a private address",
            vec!["192.167.255.255", "192.169.0.0"],
        ),
        (
            ["192.175.48.0", "192.175.48.255"],
            "a reserved address",
            vec!["192.175.47.255", "192.175.49.0"],
        ),
        (
            ["198.18.0.0", "198.19.255.255"],
            "an address for benchmarks",
            vec!["198.17.255.255", "198.20.0.0"],
        ),
        (
            ["198.51.100.0", "198.51.100.255"],
            "an address for documentation",
            vec!["198.51.99.255", "198.51.101.0"],
        ),
        (
            ["203.0.113.0", "203.0.113.255"],
            "an address for documentation",
            vec!["203.0.112.255", "203.0.114.0"],
        ),
        (
            ["224.0.0.0", "239.255.255.255"],
            "a multicast address",
            vec!["223.255.255.255"],
        ),
        (
            ["240.0.0.0", "255.255.255.254"],
            "a reserved address",
            vec![],
        ),
        (["::2", "::ffff"], "a reserved address", vec![]),
        (
            ["64:ff9b:1::808:808", "64:ff9b:1:ffff:ffff:ffff:808:808"],
            "a reserved address",
            vec![],
        ),
        (
            ["100::", "100:0:0:1:ffff:ffff:ffff:ffff"],
            "a reserved address",
            vec![],
        ),
        (
            ["2001::f7f7:f7f7", "2001:0:ffff:ffff:ffff:ffff:f7f7:f7f7"],
            "a Teredo address",
            vec![],
        ),
        (
            ["2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
            "an address for benchmarks",
            vec![],
        ),
        (
            ["2001:1::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
            "a reserved address",
            vec!["2000:ffff::", "2001:200::"],
        ),
        (
            ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
            "an address for documentation",
            vec!["2001:db7:ffff::", "2001:db9::"],
        ),
        (
            ["2002:808:808::1", "2002:dfff:ffff::"],
            "a 6to4 address",
            vec!["2001:ffff::", "2003::"],
        ),
        (
            ["2620:4f:8000::", "2620:4f:8000:ffff::"],
            "a reserved address",
            vec!["2620:4f:7fff::", "2620:4f:8001::"],
        ),
        (
            ["3fff::", "3fff:fff:ffff::"],
            "an address for documentation",
            vec!["3ffe:ffff::", "3fff:1000::"],
        ),
        (
            ["4000::", "5f00::1"],
            "a reserved address",
            vec!["2606:4700::1111"],
        ),
        (["fc00::", "fdff:ffff::"], "a private address", vec![]),
        (["fe80::", "febf:ffff::"], "a link-local address", vec![]),
        (["fec0::", "feff:ffff::"], "a private address", vec![]),
        (["ff00::", "ffff:ffff::"], "a multicast address", vec![]),
    ] {
        for address in refused {
            let parsed = address.parse().unwrap();
            let refused = refusal(parsed).map(|refusal| refusal.to_string());
            assert_eq!(refused, Some(format!("{parsed}, {kind}")));
        }
        for address in public {
            assert_eq!(refusal(address.parse().unwrap()), None, "{address}");
        }
    }
}

#[test]
fn a_single_address_has_its_own_reason() {
    for (address, reason) in [
        ("0.0.0.0", "an unspecified address"),
        ("255.255.255.255", "the broadcast address"),
        ("169.254.169.254", "an address of a cloud's metadata"),
        ("169.254.170.2", "an address of a cloud's metadata"),
        ("169.254.170.23", "an address of a cloud's metadata"),
        ("100.100.100.200", "an address of a cloud's metadata"),
        ("168.63.129.16", "an address of a cloud's metadata"),
        ("192.0.0.192", "an address of a cloud's metadata"),
        ("fd00:ec2::254", "an address of a cloud's metadata"),
        ("fd20:ce::254", "an address of a cloud's metadata"),
        ("::", "an unspecified address"),
        ("::1", "a loopback address"),
    ] {
        let refused = refusal(address.parse().unwrap()).unwrap();
        assert_eq!(refused.to_string(), format!("{address}, {reason}"));
    }
}

/// Each form contains 127.0.0.1, and in the second column the public address 8.8.8.8.
#[test]
fn an_address_inside_an_address_is_checked() {
    for (address, public, is_fetched) in [
        ("::ffff:127.0.0.1", "::ffff:8.8.8.8", true),
        ("64:ff9b::7f00:1", "64:ff9b::808:808", true),
        ("64:ff9b:1::7f00:1", "64:ff9b:1::808:808", false),
        ("::127.0.0.1", "::8.8.8.8", false),
        ("::ffff:0:7f00:1", "::ffff:0:808:808", false),
        ("2002:7f00:1::", "2002:808:808::", false),
        (
            "2001:0:808:808:0:0:80ff:fffe",
            "2001:0:808:808:0:0:f7f7:f7f7",
            false,
        ),
        ("2606:4700::5efe:7f00:1", "2606:4700::5efe:808:808", true),
        (
            "2606:4700::200:5efe:7f00:1",
            "2606:4700::200:5efe:808:808",
            true,
        ),
    ] {
        let address = address.parse().unwrap();
        assert_eq!(
            refusal(address).unwrap().to_string(),
            format!("{address}, which contains 127.0.0.1, a loopback address")
        );
        let refused = refusal(public.parse().unwrap());
        assert_eq!(refused.is_none(), is_fetched, "{public}");
    }
}
