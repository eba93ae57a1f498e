//! Versions and requirements mean what they mean to cargo, and are refused in the words of `semver`.

use proptest::prelude::*;
use skill_agent_grammar::{check_requirement, check_version, satisfied};

#[test]
fn requirements_mean_what_cargo_s_mean() {
    for (requirement, version, expected) in [
        ("^0.1", "0.1.9", true),
        ("^0.1", "0.2.0", false),
        ("0.1.2", "0.1.1", false),
        ("^1.2.3", "1.9.0", true),
        ("^1.2.3", "2.0.0", false),
        ("^0.0.3", "0.0.4", false),
        ("^0.0", "0.0.9", true),
        ("^0", "0.9.0", true),
        ("~1.2", "1.2.9", true),
        ("~1.2", "1.3.0", false),
        ("~1", "1.9.9", true),
        ("=1.2.3", "1.2.3", true),
        ("=1.2", "1.2.7", true),
        (">=1.2, <2", "1.5.0", true),
        (">=1.2, <2", "2.0.0", false),
        (">1.2", "1.2.9", false),
        (">1.2", "1.3.0", true),
        ("<=1.2", "1.2.9", true),
        ("*", "3.1.4", true),
        ("1.*", "1.9.0", true),
        ("1.*", "2.0.0", false),
        ("1.2.*", "1.2.9", true),
        ("1.2.*", "1.3.0", false),
        ("^1.0", "1.1.0-beta.1", false),
        ("^1.1.0-beta", "1.1.0-beta.1", true),
        ("^1.1.0-beta.2", "1.1.0-beta.1", false),
        ("1", "not a version", false),
        ("^1", "1.2", true),
        ("^1.2", "1", false),
        ("^1", "1.*", false),
        ("^1", "^1.0.0", false),
    ] {
        assert_eq!(
            satisfied(requirement, version),
            expected,
            "{requirement} {version}"
        );
    }
}

#[test]
fn a_requirement_that_cannot_be_read_is_refused() {
    for requirement in ["", "y", "^", "1.2.3.4", "1..2", ">=1,", "1 2"] {
        assert!(check_requirement(requirement).is_err(), "{requirement}");
    }
    for requirement in ["1", "^0.1", ">=1.2, <2", "*", "x", "= 1.2.3"] {
        assert!(check_requirement(requirement).is_ok(), "{requirement}");
    }
}

#[test]
fn more_comparators_than_32_are_refused() {
    for count in [1, 31, 32, 33] {
        let requirement = vec!["1"; count].join(",");
        let expected = semver::VersionReq::parse(&requirement).map_err(|error| error.to_string());
        let found = check_requirement(&requirement).map_err(|error| error.to_string());
        assert_eq!(found, expected.map(drop), "{count}");
    }
}

/// Versions of few numbers, so that two of them are often alike.
const VERSION: &str = "(0|1|2|10)(\\.(0|1|2|10)){2}(-(a|b|1|2|10|1a)(\\.(a|1|2|10|b-))?)?(\\+x)?";
const REQUIREMENT: &str = "([\\^~=<>]|>=|<=)? {0,1}(0|1|2|10)(\\.(0|1|2|10|\\*)){0,2}(-(a|b|1|2|10)(\\.(a|1|2))?)?(, (<|>=)(1|2)\\.0\\.0(-a)?)?";
/// Whatever people mistype, and other characters.
const ANYTHING: &str = "[0-9a1.,xX*^~=<>+é\\- ]{0,14}|[0-9]{19,21}\\.1\\.1";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn versions_are_read_as_semver_reads_them(text in prop_oneof![VERSION, ANYTHING]) {
        let expected = semver::Version::parse(&text).map_err(|error| error.to_string());
        let found = check_version(&text).map_err(|error| error.to_string());
        prop_assert_eq!(found, expected.map(drop));
    }

    #[test]
    fn requirements_are_read_as_semver_reads_them(text in prop_oneof![VERSION, REQUIREMENT, ANYTHING]) {
        let expected = semver::VersionReq::parse(&text).map_err(|error| error.to_string());
        let found = check_requirement(&text).map_err(|error| error.to_string());
        prop_assert_eq!(found, expected.map(drop));
    }

    #[test]
    fn a_version_satisfies_what_it_satisfies_in_semver(
        requirement in prop_oneof![REQUIREMENT, Just("*".to_owned())],
        version in VERSION,
    ) {
        let found = satisfied(&requirement, &version);
        let version = semver::Version::parse(&version).unwrap();
        let expected = semver::VersionReq::parse(&requirement).is_ok_and(|requirement| requirement.matches(&version));
        prop_assert_eq!(found, expected);
    }
}
