//! "Did you mean", in const evaluation.

use super::names::Names;
use super::scene::Scene;
use skill_core::__private::{LIKELY, likeness};

/// No more names than these are looked through: this is for lists that a person can read.
const MOST: usize = 256;

/// The name of a kind that was probably meant.
pub(super) const fn near<'a>(scene: &Scene<'a>, names: Names, name: &str) -> Option<&'a str> {
    let mut best = None;
    let mut most = LIKELY;
    let mut i = 0;
    while i < scene.len(names) && i < MOST {
        if let Some(candidate) = scene.key(names, i) {
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
        fn a_name_is_as_near_as_in_the_rest_of_the_workspace(name in "[a-c_]{1,6}", other in "[a-cA-C_]{1,6}") {
            let tools = [&*other];
            let scene = Scene { tools: Some(&tools), ..Scene::EMPTY };
            prop_assert_eq!(
                near(&scene, Names::Tools, &name),
                skill_core::__private::nearest(&name, [&*other]),
            );
        }
    }
}
