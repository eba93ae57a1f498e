//! The items that generated code uses. They are not part of the public API and may change in any release.

pub use crate::action::{ConditionResult, When};
pub use crate::agent::{
    Absent, AgentParts, AgentRunsWith, BaseWithoutHooks, Instance, NoActions, Slot,
    SlotAsyncActions, SlotAt, SlotsRunWith, duplicate, index_of, init, listed_spec, prefixed,
    prefixed_length, slot, text, write_base, write_mounted, write_skill,
};
pub use crate::arguments::{
    Arg, ArgumentAt, ArgumentList, Checked, LimitUse, RegexPattern as Pattern,
    Slot as ArgumentSlot, Unchecked, Wire, arguments_schema, check_argument, describe_arguments,
    examples, field, limit_length, limit_pattern, limit_range, need, read_arguments, read_wire,
    refine_property, report_whole_signal, value, write_argument, write_arguments,
};
pub use crate::async_action::{
    Async, AsyncAction, AsyncEntry, NeedsServer, Provide, Resources, RunWith, RunsWith,
    SkillRunsWith, report_resources,
};
pub use crate::bounds::{Answer, Argument, Configuration};
pub use crate::composition::{
    AgentTables, CheckedSkills, ConfigLiteral, DocumentTable, RenderedInstructions, TableStorage,
    action_count, examine, handwritten_rules, instructions_length, listed, package_version, report,
    report_argument, report_data_flow, report_literal, report_own_action, report_references,
    report_skill, report_unlisted, report_unneeded_data_flow, route_capacity, route_room,
    tool_count,
};
pub use crate::context::{AgentEnv, ConfigCell};
// for `skill-agent`, which checks documents against agents as this crate checks skills
pub use crate::composition::{ConstMessage, has_stub};
pub use skill_agent_grammar::names::{self, capacity};
pub use skill_agent_grammar::{
    LIKELY, compatible, contains, is_argument_name, is_higher, is_name, is_pattern, is_requirement,
    is_reserved_state_key, is_tool_name, is_version, likeness, nearest, nearest_within, same,
    satisfies, short, split,
};
// for the process layer, which shares this crate's JSON limits
pub use crate::bounds::{ActionOf, ListedIn, RunsOn, SkillOf};
pub use crate::mounted::mountable_specs;
pub use crate::probe;
pub use crate::skill::{
    ConfigFields, SetFields, Skill, SkillVtable, config_json_schema, fresh, report_toolset,
    state_json_schema,
};
pub use crate::spec::Masked;
pub use crate::spec::{
    Bounds, Constraints, FieldConstraints, Hint, Number, Provenance, ScheduleSpec, Schemas,
    TriggerSpec, report_schedule,
};
pub use crate::{
    Action, ActionEntry, ActionSpec, Agent, AgentSpec, Context, Hints, HookEntry, Hooks, Mountable,
    Mounted, NoConfig, Outcome, Pure, PureAction, Route, SkillSpec, Stamp, Tool,
};
pub use core::clone::Clone;
pub use core::convert::Infallible;
pub use core::default::Default;
pub use core::marker::{Send, Sync};
pub use core::mem::swap;
pub use core::ops::{Deref, DerefMut};
pub use core::option::Option::{self, None, Some};
pub use core::primitive::{f64, i128, str};
pub use core::result::Result::{self, Err, Ok};
pub use core::{cfg, concat, fmt, include_bytes, module_path, option_env};
pub use schemars;
pub use serde;
pub use serde_json;
pub use skill_agent_schema::read_document;
pub use std::borrow::Cow;
pub use std::boxed::Box;
pub use std::string::String;
pub use std::sync::OnceLock;
pub use std::vec::Vec;

/// Trims the whitespace around a doc comment that rustc has assembled from macros.
pub const fn trimmed(text: &'static str) -> &'static str {
    text.trim_ascii()
}
