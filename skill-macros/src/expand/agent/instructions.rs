//! Generates the skills' instructions, with tool names in place of references. Only the agent knows the tool names.

use crate::validate::agent::Agent;
use proc_macro2::TokenStream;
use quote::quote;

/// Generates `__SKILLS`: the specs in `__WRITTEN`, with rendered instructions.
pub(super) fn expand(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    let sizes = quote!({ 2 * __WRITTEN.len() }, { #p::capacity(2 * __WRITTEN.len()) });
    quote! {
        static __INSTRUCTIONS: #p::RenderedInstructions<
            { __WRITTEN.len() },
            { #p::instructions_length::<#sizes>(__WRITTEN) },
        > = #p::RenderedInstructions::new::<#sizes>(__WRITTEN);
        static __SKILLS: &[#p::SkillSpec] = &__INSTRUCTIONS.specs(__WRITTEN);
    }
}
