//! What generated code names. Not part of the API: it may change with any release.

pub use crate::agent::{
    Anatomy, ConfigCell, Instance, Shell, Slot, base_slot, duplicate, init, slot, write_base,
    write_mounted, write_skill,
};
pub use crate::arguments::{
    Arg, ArgumentAt, ArgumentList, Checked, Limiting, Pattern, Slot as ArgumentSlot, Unchecked,
    Wire, arguments_schema, check_argument, examples, field, limit_length, limit_pattern,
    limit_range, need, read_arguments, read_wire, refine_property, value, write_argument,
    write_arguments,
};
pub use crate::compose::{
    Beside, Flags, action_count, actions, addresses, capacity, examine, examine_mountable,
    index_of, listed, mounted, prefixed, prefixed_length, route_capacity, route_room, skill_specs,
    table, tell, tell_mountable, tell_own, tell_skill, text, tool_count, tools,
};
pub use crate::data::{ActionArguments, ActionError, Answer, Argument, SkillConfig, SkillState};
pub use crate::effectful::{
    Absent, AgentRunsWith, At, Effectful, EffectfulAction, JobEntry, NeedsServer, Provide,
    Resources, RunWith, RunsWith, SkillRunsWith, SlotJobs, SlotsRunWith, tell_resources,
};
// for `skill-agent`, which checks documents against agents as this crate checks skills
pub use crate::compose::{EMPTY, Text as Sentence, same, satisfied, short, split};
// for the process layer, so that the workspace has one "did you mean" and one way to read JSON from outside
pub use crate::json::{nearest, read_document};
pub use crate::mounted::DocumentTable;
pub use crate::probe;
pub use crate::skill::{Skill, StateData, config_document, fresh, state_document, tell_toolset};
pub use crate::spec::Maker;
pub use crate::{
    Action, ActionEntry, ActionOf, ActionSpec, Agent, AgentSpec, Context, Hints, HookEntry, Hooks,
    Mountable, Mounted, NoConfig, Outcome, Pure, PureAction, Route, RunsOn, Schemas, SkillOf,
    SkillSpec, Stamp, Tool, TriggerSpec,
};
pub use core::clone::Clone;
pub use core::convert::Infallible;
pub use core::default::Default;
pub use core::marker::{Send, Sync};
pub use core::ops::{Deref, DerefMut, RangeBounds};
pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{self, Err, Ok};
pub use core::{cfg, concat, include_bytes, module_path};
pub use schemars;
pub use serde;
pub use serde_json;
pub use std::borrow::Cow;
pub use std::boxed::Box;
pub use std::string::String;
pub use std::sync::OnceLock;
pub use std::vec::Vec;
