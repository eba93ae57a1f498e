//! Tests that the option `manifest` names the missing feature `manifest`.

use crate::paths::Root;
use crate::pipeline;
use quote::quote;

#[test]
fn manifest_names_the_feature_that_it_needs() {
    let skill = quote! {
        #[skill(manifest = "skills/review/SKILL.md")]
        struct Review {}
    };
    for (root, feature) in [
        (Root::Core, "the feature `manifest` of `skill-agent-core`"),
        (Root::Agent, "the feature `manifest` of `skill-agent`"),
    ] {
        let code = pipeline::skill(skill.clone(), root).to_string();
        assert!(code.contains(feature), "{code}");
        assert_eq!(code.matches("compile_error").count(), 1, "{code}");
    }
}
