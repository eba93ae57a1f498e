//! Suggests similar names in const evaluation.

use super::input::CheckInput;
use super::names::NameKind;
use skill_core::__private::{LIKELY, likeness};

/// The maximum number of names to compare. Names after the first 256 are not suggested.
const MAX: usize = 256;

/// Returns the most similar name of the given kind.
pub(super) const fn suggest<'a>(
    input: &CheckInput<'a>,
    names: NameKind,
    name: &str,
) -> Option<&'a str> {
    let mut best = None;
    let mut most = LIKELY;
    let mut i = 0;
    while i < input.len(names) && i < MAX {
        if let Some(candidate) = input.key(names, i) {
            let likeness = likeness(name, candidate);
            if likeness > most {
                most = likeness;
                best = Some(candidate);
            }
        }
        i += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn suggestions_agree_with_the_rest_of_the_workspace(name in "[a-c_]{1,6}", other in "[a-cA-C_]{1,6}") {
            let tools = [&*other];
            let input = CheckInput { tools: Some(&tools), ..CheckInput::EMPTY };
            prop_assert_eq!(
                suggest(&input, NameKind::Tools, &name),
                skill_core::__private::nearest(&name, [&*other]),
            );
        }
    }
}
