//! The package version, used as a skill's version.

use crate::composition::messages::const_message::ConstMessage;
use skill_agent_grammar::is_version;

/// Returns the version of the package, for a skill with `#[skill(version)]`. `#[derive(Skill)]` calls this at the option.
///
/// Cargo sets a semantic version. A different build system may set any other string, or none.
///
/// # Panics
/// Panics if the version is missing or not semantic. This function is called in const evaluation, where a panic is a compile
/// error.
#[track_caller]
pub const fn package_version(version: Option<&'static str>) -> &'static str {
    let text = match version {
        Some(version) if is_version(version) => return version,
        Some(version) => ConstMessage::new().fill(
            "the version of this package, `{}` in the variable `CARGO_PKG_VERSION`, is not a semantic version; write `version = \"1.2.0\"`",
            &[version],
        ),
        None => ConstMessage::new().push(&[
            "the version of this package is not known, because the variable `CARGO_PKG_VERSION` is not set; write `version = \"1.2.0\"`",
        ]),
    };
    panic!("{}", text.as_str());
}

#[cfg(test)]
mod tests {
    use super::package_version;
    use crate::panics::catch;

    #[test]
    fn the_version_of_a_package_is_a_semantic_version() {
        for version in ["0.1.0", "1.2.3-beta.1+build"] {
            assert_eq!(package_version(Some(version)), version);
        }
        let messages = [
            (
                Some("1.2"),
                "the version of this package, `1.2` in the variable `CARGO_PKG_VERSION`, is not a semantic version; write `version = \"1.2.0\"`",
            ),
            (
                None,
                "the version of this package is not known, because the variable `CARGO_PKG_VERSION` is not set; write `version = \"1.2.0\"`",
            ),
        ];
        for (version, message) in messages {
            assert_eq!(catch(|| package_version(version)).unwrap_err(), message);
        }
    }
}
