//! The instructions of mounted skills, with tool names in place of references.

use super::{Entry, MountError, Mounted};
use crate::SkillSpec;
use crate::composition::{ConstMessage, nearest, reference, rendered, requires};
use crate::mounted::rules::entry_meta::EntryMeta;

impl Mounted {
    /// Returns a mounted skill's instructions, with the tool names of this agent in place of references: `{Record}` becomes
    /// `left_record` if the agent lists the required skill as `left`. [`spec`](Self::spec) has the original instructions.
    ///
    /// ```
    /// # #[cfg(feature = "macros")] {
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_core::{Mounted, Skill, action};
    /// # use serde_json::json;
    /// /// Counts.
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[serde(default)]
    /// #[skill(name = "counter", instructions = "Call `{Increment}` for each.", actions(Increment))]
    /// pub struct Counter {
    ///     count: u32,
    /// }
    ///
    /// /// Add to the counter.
    /// #[action]
    /// pub fn increment(counter: &mut Counter, by: u32) {
    ///     counter.count += by;
    /// }
    ///
    /// let mut skills = Mounted::new();
    /// skills.mount::<Counter>(&json!({}))?;
    /// assert_eq!(skills.instructions("counter").unwrap(), "Call `increment` for each.");
    /// # }
    /// # Ok::<(), skill_core::MountError>(())
    /// ```
    #[must_use]
    pub fn instructions(&self, name: &str) -> Option<String> {
        let spec = self.entries[self.find(name)?].spec()?;
        let others = self.required_by(spec);
        // checked when the skill was mounted
        rendered(spec, &others).unwrap_or_else(|_| spec.instructions.map(str::to_owned))
    }

    /// Checks that each reference in a skill's instructions resolves to exactly one tool.
    pub(super) fn check_references(&self, meta: EntryMeta<'_>) -> Result<(), MountError> {
        match meta {
            EntryMeta::Skill(spec) => check(spec, &self.required_by(spec)),
            EntryMeta::Document(_) => Ok(()),
        }
    }

    /// Checks the references of the mounted skills that require `new`, because a tool of `new` may make one of them ambiguous.
    /// `new` may be mounted already.
    pub(super) fn check_references_to(&self, new: EntryMeta<'_>) -> Result<(), MountError> {
        let EntryMeta::Skill(new) = new else {
            return Ok(());
        };
        let mounted = self.entries.iter().filter_map(Entry::spec);
        for spec in mounted.filter(|spec| requires(spec, new)) {
            let mut others = self.required_by(spec);
            if self.find(new.name).is_none() {
                others.push(*new);
            }
            check(spec, &others)?;
        }
        Ok(())
    }

    /// Returns the skills that a skill requires, if its instructions have references.
    fn required_by(&self, spec: &SkillSpec) -> Vec<SkillSpec> {
        if !spec.has_references() || spec.instructions.is_none() {
            return Vec::new();
        }
        let mounted = self.entries.iter().filter_map(Entry::spec);
        let all = self.host.skills().chain(mounted);
        all.filter(|other| requires(spec, other)).copied().collect()
    }
}

fn check(spec: &'static SkillSpec, others: &[SkillSpec]) -> Result<(), MountError> {
    let Err((name, _)) = rendered(spec, others) else {
        return Ok(());
    };
    let reason = reference(ConstMessage::new(), spec, others, name);
    Err(MountError::UnresolvedReference {
        skill: spec.name.into(),
        reference: name.into(),
        suggestion: nearest(spec, others, name).map(|near| near.to_owned().into()),
        reason: reason.as_str().to_owned(),
    })
}
