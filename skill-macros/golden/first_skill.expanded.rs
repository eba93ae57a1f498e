/// Basic arithmetic.
pub struct Calculator {
    pub last_result: f64,
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    deprecated,
    non_snake_case,
    non_upper_case_globals,
    unused_qualifications,
    unused_variables,
)]
const _: () = {
    use ::skill_agent::core::__private as __p;
    static __LIST: [__p::ActionEntry<Calculator>; 1usize] = [
        __p::ActionEntry::<Calculator>::of::<Add>(),
    ];
    const __ENTRIES: &[__p::ActionEntry<Calculator>] = &__LIST;
    const __SPECS: &[__p::ActionSpec] = &[__ENTRIES[0usize].spec()];
    const __LISTED: &[u32] = &__p::listed::<{ __p::capacity(1usize) }>(__SPECS);
    const _: () = __p::report_skill::<
        Calculator,
        { __p::capacity(1usize) },
        { __p::route_room::<Calculator>() },
    >();
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_json_schema::<Calculator>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_json_schema::<Calculator>)
    }
    static __VTABLE: __p::SkillVtable = __p::SkillVtable::without_config::<Calculator>();
    impl __p::Skill for Calculator {
        type Config = __p::NoConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("calculator")
            .type_path(__p::concat!(__p::module_path!(), "::Calculator"))
            .state_key("calculator")
            .description("Basic arithmetic.")
            .actions(__SPECS)
            .__listed(__LISTED)
            .schemas(__state_schema, __config_schema)
            .__provenance(__p::Provenance::Derive);
        const __VTABLE: &'static __p::SkillVtable = &__VTABLE;
        const ACTIONS: &'static [__p::ActionEntry<Self>] = __ENTRIES;
        fn init(__config: &Self::Config) -> Self {
            Self { last_result: 0.0 }
        }
    }
    impl __p::Default for Calculator {
        fn default() -> Self {
            __p::fresh::<Self>()
        }
    }
    impl __p::Hooks for Calculator {}
    type __Actions0 = (Add,);
    impl<__R: __p::Resources> __p::SkillRunsWith<__R> for Calculator
    where
        __Actions0: __p::RunWith<Calculator, __R>,
    {
        const ASYNC_ACTIONS: &'static [&'static [__p::Option<
            __p::AsyncEntry<Self, __R>,
        >]] = &[<__Actions0 as __p::RunWith<Self, __R>>::ASYNC_ACTIONS];
    }
};
/// Add two numbers.
pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}
/// Add two numbers.
pub struct Add {
    ///The argument `a`.
    pub a: f64,
    ///The argument `b`.
    pub b: f64,
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    deprecated,
    non_snake_case,
    non_upper_case_globals,
    unused_qualifications,
    unused_variables,
)]
const _: () = {
    use ::skill_agent::core::__private as __p;
    impl __p::ArgumentAt<0usize> for Add {
        type Type = f64;
    }
    impl __p::ArgumentAt<1usize> for Add {
        type Type = f64;
    }
    impl __p::ArgumentList for Add {
        const STRUCT: &'static str = "Add";
        const DESCRIPTION: &'static str = "Add two numbers.";
        const NAMES: &'static [&'static str] = &["a", "b"];
        const ARGS: &'static [__p::Arg] = &[
            __p::Arg::of::<Self, 0>(""),
            __p::Arg::of::<Self, 1>(""),
        ];
        type Slots = (__p::ArgumentSlot<f64>, __p::ArgumentSlot<f64>);
        #[inline]
        fn slots() -> <Self as __p::ArgumentList>::Slots {
            (__p::None, __p::None)
        }
        #[inline]
        fn place(name: &str) -> __p::Option<usize> {
            match name {
                "a" => __p::Some(0),
                "b" => __p::Some(1),
                _ => __p::None,
            }
        }
        #[inline]
        fn fill<'de, M: __p::serde::de::MapAccess<'de>>(
            slots: &mut <Self as __p::ArgumentList>::Slots,
            index: usize,
            map: &mut M,
        ) -> __p::Result<(), M::Error> {
            match index {
                0 => __p::field::<Self, 0, M>(&mut slots.0, __p::Unchecked, map),
                1 => __p::field::<Self, 1, M>(&mut slots.1, __p::Unchecked, map),
                _ => __p::Ok(()),
            }
        }
        #[inline]
        fn build<E: __p::serde::de::Error>(
            slots: <Self as __p::ArgumentList>::Slots,
        ) -> __p::Result<Self, E> {
            __p::Ok(Self {
                a: __p::need::<Self, 0, E>(slots.0)?,
                b: __p::need::<Self, 1, E>(slots.1)?,
            })
        }
        fn write<W: __p::serde::ser::SerializeStruct>(
            &self,
            out: &mut W,
        ) -> __p::Result<(), W::Error> {
            __p::write_argument::<Self, 0, W>(&self.a, out)?;
            __p::write_argument::<Self, 1, W>(&self.b, out)?;
            __p::Ok(())
        }
    }
    impl __p::serde::Serialize for Add {
        fn serialize<S: __p::serde::Serializer>(
            &self,
            serializer: S,
        ) -> __p::Result<S::Ok, S::Error> {
            __p::write_arguments(self, serializer)
        }
    }
    impl<'de> __p::serde::Deserialize<'de> for Add {
        fn deserialize<D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            __p::read_arguments(deserializer)
        }
    }
    impl __p::schemars::JsonSchema for Add {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::Cow::Borrowed("Add")
        }
        fn json_schema(
            generator: &mut __p::schemars::SchemaGenerator,
        ) -> __p::schemars::Schema {
            __p::arguments_schema::<Self>(generator)
        }
    }
    impl __p::Action for Add {
        type Skill = Calculator;
        type Output = f64;
        type Error = __p::Infallible;
        type Kind = __p::Pure;
        const SPEC: __p::ActionSpec = __p::ActionSpec::of::<
            Add,
        >("add", "Add two numbers.")
            .type_path(__p::concat!(__p::module_path!(), "::Add"))
            .__arguments(<Add as __p::ArgumentList>::NAMES);
        const CHANGES: bool = true;
        const FALLIBLE: bool = false;
        const JSON_SAFE: bool = {
            use __p::probe::AssumeUnsafe as _;
            __p::probe::Probe::<f64>::IS_JSON_SAFE
        };
        fn schemas() -> &'static __p::Schemas {
            static SCHEMAS: __p::Schemas = __p::Schemas::of::<Add>();
            &SCHEMAS
        }
    }
    impl __p::PureAction for Add {
        const TAKES_CONTEXT: bool = false;
        #[inline]
        fn run(
            self,
            __skill: &mut Calculator,
            __cx: &mut __p::Context<Calculator>,
        ) -> __p::Result<Self::Output, Self::Error> {
            __p::Ok(add(__skill, self.a, self.b))
        }
    }
    const _: () = __p::report_unlisted::<Add>();
};
pub struct MathAgent {
    parts: ::skill_agent::core::__private::AgentParts<MathAgentState>,
}
///The base of [`MathAgent`], which has no base fields. To implement `Hooks` for it, write `hooks` in `agent!`.
pub type MathAgentBase = ::skill_agent::core::__private::BaseWithoutHooks<MathAgent>;
///The state of [`MathAgent`]: its base fields, and each skill.
pub struct MathAgentState {
    ///The state of the skill `Calculator`.
    pub calculator: Calculator,
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    deprecated,
    non_snake_case,
    non_upper_case_globals,
    unused_qualifications,
    unused_variables,
)]
const _: () = {
    use ::skill_agent::core::__private as __p;
    fn __fresh(env: &__p::AgentEnv) -> MathAgentState {
        MathAgentState {
            calculator: __p::init::<MathAgent, Calculator, 0usize>(env),
        }
    }
    impl __p::Clone for MathAgentState {
        fn clone(&self) -> Self {
            Self {
                calculator: __p::duplicate::<
                    MathAgent,
                    Calculator,
                    0usize,
                >(&self.calculator),
            }
        }
    }
    impl __p::serde::Serialize for MathAgentState {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            serializer: __S,
        ) -> __p::Result<__S::Ok, __S::Error> {
            let mut map = __p::serde::Serializer::serialize_map(serializer, __p::None)?;
            {
                __p::write_skill::<
                    MathAgent,
                    Calculator,
                    0usize,
                    _,
                >(&self.calculator, &mut map)?;
            }
            __p::serde::ser::SerializeMap::end(map)
        }
    }
    impl __p::SkillOf<MathAgent, 0usize> for Calculator {
        fn of(state: &MathAgentState) -> &Self {
            &state.calculator
        }
        fn of_mut(state: &mut MathAgentState) -> &mut Self {
            &mut state.calculator
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
    }
    static __WRITTEN: &[__p::SkillSpec] = &[
        __p::listed_spec::<MathAgent, MathAgentBase, 0>(""),
        __p::listed_spec::<MathAgent, Calculator, 0usize>(""),
    ];
    static __INSTRUCTIONS: __p::RenderedInstructions<
        { __WRITTEN.len() },
        {
            __p::instructions_length::<
                { 2 * __WRITTEN.len() },
                { __p::capacity(2 * __WRITTEN.len()) },
            >(__WRITTEN)
        },
    > = __p::RenderedInstructions::new::<
        { 2 * __WRITTEN.len() },
        { __p::capacity(2 * __WRITTEN.len()) },
    >(__WRITTEN);
    static __SKILLS: &[__p::SkillSpec] = &__INSTRUCTIONS.specs(__WRITTEN);
    static __SLOTS: &[__p::Slot<MathAgent>] = &[
        __p::slot::<MathAgent, MathAgentBase, 0>(),
        __p::slot::<MathAgent, Calculator, 0usize>(),
    ];
    static __STORAGE: __p::TableStorage<
        { __p::action_count(__SKILLS) },
        { __p::tool_count(__SKILLS) },
        { __p::capacity(__p::action_count(__SKILLS)) },
    > = __p::TableStorage::new(__SKILLS);
    static __SCHEMA: __p::OnceLock<__p::schemars::Schema> = __p::OnceLock::new();
    static __TABLES: __p::AgentTables = __STORAGE.tables(__SKILLS, &[], &__SCHEMA);
    static __CHECKED: __p::CheckedSkills<
        { __TABLES.members() },
        { __p::route_capacity(__SKILLS) },
    > = __p::examine::<_, { __p::capacity(__TABLES.members()) }, _>(&__TABLES);
    const _: () = __p::report(&__TABLES, &__CHECKED, 1usize);
    const _: () = __p::report_data_flow(&__TABLES);
    impl __p::Agent for MathAgent {
        type State = MathAgentState;
        type Base = MathAgentBase;
        const SPEC: __p::AgentSpec = __p::AgentSpec::new("math_agent")
            .type_path(__p::concat!(__p::module_path!(), "::MathAgent"));
        fn __tables() -> &'static __p::AgentTables {
            &__TABLES
        }
        fn __slots() -> &'static [__p::Slot<Self>] {
            __SLOTS
        }
        fn __from_env(env: __p::AgentEnv) -> Self {
            Self {
                parts: __p::AgentParts::new(__fresh(&env), env),
            }
        }
        fn __parts(&self) -> (&MathAgentState, &__p::AgentEnv) {
            self.parts.split()
        }
        fn __parts_mut(&mut self) -> (&mut MathAgentState, &mut __p::AgentEnv) {
            self.parts.split_mut()
        }
    }
    impl __p::Clone for MathAgent {
        fn clone(&self) -> Self {
            Self {
                parts: __p::Clone::clone(&self.parts),
            }
        }
    }
    impl __p::Default for MathAgent {
        fn default() -> Self {
            <Self as __p::Agent>::new()
        }
    }
    type __Skills0 = (__p::NoActions, __p::SlotAt<Calculator, 0usize>);
    impl<__R: __p::Resources> __p::AgentRunsWith<__R> for MathAgent
    where
        __Skills0: __p::SlotsRunWith<MathAgent, __R>,
    {
        fn __async_actions() -> &'static [&'static [__p::Option<
            __p::SlotAsyncActions<Self, __R>,
        >]] {
            const { &[<__Skills0 as __p::SlotsRunWith<Self, __R>>::ASYNC_ACTIONS] }
        }
    }
};
