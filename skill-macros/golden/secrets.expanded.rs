/// Sends mail.
pub struct Mail {
    pub sent: u32,
    pub session_token: String,
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
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_json_schema::<Mail>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_json_schema::<Mail>)
    }
    static __VTABLE: __p::SkillVtable = __p::SkillVtable::of::<Mail>();
    impl __p::Skill for Mail {
        type Config = MailConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("mail")
            .type_path(__p::concat!(__p::module_path!(), "::Mail"))
            .state_key("mail")
            .description("Sends mail.")
            .schemas(__state_schema, __config_schema)
            .state_secrets(&["sessionToken"])
            .config_secrets({
                use __p::probe::AssumeUnsafe as _;
                __p::probe::Probe::<<Self as __p::Skill>::Config>::SECRETS
            })
            .__constraints({
                use __p::probe::AssumeUnsafe as _;
                __p::probe::Probe::<<Self as __p::Skill>::Config>::CONSTRAINTS
            })
            .__provenance(__p::Provenance::Derive);
        const __VTABLE: &'static __p::SkillVtable = &__VTABLE;
    }
    #[automatically_derived]
    impl __p::fmt::Debug for Mail {
        fn fmt(&self, f: &mut __p::fmt::Formatter<'_>) -> __p::fmt::Result {
            __p::fmt::Formatter::debug_struct(f, "Mail")
                .field("sent", &self.sent)
                .field("session_token", &__p::Masked)
                .finish()
        }
    }
    impl __p::Hooks for Mail {}
    impl<__R: __p::Resources> __p::SkillRunsWith<__R> for Mail {}
};
pub struct MailConfig {
    pub key: String,
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
    impl __p::Default for MailConfig {
        fn default() -> Self {
            Self { key: "none".to_owned() }
        }
    }
    #[automatically_derived]
    impl __p::fmt::Debug for MailConfig {
        fn fmt(&self, f: &mut __p::fmt::Formatter<'_>) -> __p::fmt::Result {
            __p::fmt::Formatter::debug_struct(f, "MailConfig")
                .field("key", &__p::Masked)
                .finish()
        }
    }
    impl __p::probe::SecretPaths for MailConfig {
        const PATHS: &'static [&'static str] = &["key", "[\"api.key\"]"];
        const FIELDS: &'static [&'static str] = &["key"];
    }
};
#[derive(Debug)]
pub struct Clerk {
    parts: ::skill_agent::core::__private::AgentParts<ClerkState>,
}
///The base fields of the state of [`Clerk`].
pub struct ClerkBase {
    pub badge: String,
}
///The state of [`Clerk`]: its base fields, and each skill.
#[derive(Debug)]
pub struct ClerkState {
    base: ClerkBase,
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
    impl __p::ArgumentAt<0usize> for ClerkBase {
        type Type = String;
    }
    fn __default_0() -> String {
        String::new()
    }
    impl __p::ArgumentList for ClerkBase {
        const STRUCT: &'static str = "ClerkBase";
        const DESCRIPTION: &'static str = "";
        const NAMES: &'static [&'static str] = &["badge"];
        const ARGS: &'static [__p::Arg] = &[
            __p::Arg::of::<Self, 0>("").default(|| __p::value::<Self, 0>(__default_0())),
        ];
        type Slots = (__p::ArgumentSlot<String>,);
        #[inline]
        fn slots() -> <Self as __p::ArgumentList>::Slots {
            (__p::None,)
        }
        #[inline]
        fn place(name: &str) -> __p::Option<usize> {
            match name {
                "badge" => __p::Some(0),
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
                _ => __p::Ok(()),
            }
        }
        #[inline]
        fn build<E: __p::serde::de::Error>(
            slots: <Self as __p::ArgumentList>::Slots,
        ) -> __p::Result<Self, E> {
            __p::Ok(Self {
                badge: match slots.0 {
                    __p::Some(value) => value,
                    __p::None => __default_0(),
                },
            })
        }
        fn write<W: __p::serde::ser::SerializeStruct>(
            &self,
            out: &mut W,
        ) -> __p::Result<(), W::Error> {
            __p::write_argument::<Self, 0, W>(&self.badge, out)?;
            __p::Ok(())
        }
    }
    impl __p::serde::Serialize for ClerkBase {
        fn serialize<S: __p::serde::Serializer>(
            &self,
            serializer: S,
        ) -> __p::Result<S::Ok, S::Error> {
            __p::write_arguments(self, serializer)
        }
    }
    impl<'de> __p::serde::Deserialize<'de> for ClerkBase {
        fn deserialize<D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            __p::read_arguments(deserializer)
        }
    }
    impl __p::schemars::JsonSchema for ClerkBase {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::Cow::Borrowed("ClerkBase")
        }
        fn json_schema(
            generator: &mut __p::schemars::SchemaGenerator,
        ) -> __p::schemars::Schema {
            __p::arguments_schema::<Self>(generator)
        }
    }
    impl __p::Default for ClerkBase {
        fn default() -> Self {
            Self { badge: __default_0() }
        }
    }
    impl __p::Clone for ClerkBase {
        fn clone(&self) -> Self {
            Self {
                badge: __p::Clone::clone(&self.badge),
            }
        }
    }
    #[automatically_derived]
    impl __p::fmt::Debug for ClerkBase {
        fn fmt(&self, f: &mut __p::fmt::Formatter<'_>) -> __p::fmt::Result {
            __p::fmt::Formatter::debug_struct(f, "ClerkBase")
                .field("badge", &__p::Masked)
                .finish()
        }
    }
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_json_schema::<ClerkBase>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_json_schema::<ClerkBase>)
    }
    impl __p::Skill for ClerkBase {
        type Config = __p::NoConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("clerk")
            .type_path(__p::concat!(__p::module_path!(), "::Clerk"))
            .schemas(__state_schema, __config_schema)
            .state_secrets(&["badge"])
            .__provenance(__p::Provenance::Agent);
    }
    impl __p::Hooks for ClerkBase {}
    impl __p::SkillOf<Clerk> for ClerkBase {
        fn of(state: &ClerkState) -> &Self {
            &state.base
        }
        fn of_mut(state: &mut ClerkState) -> &mut Self {
            &mut state.base
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
    }
    impl<__R: __p::Resources> __p::SkillRunsWith<__R> for ClerkBase {}
    fn __fresh(env: &__p::AgentEnv) -> ClerkState {
        ClerkState {
            base: __p::init::<Clerk, ClerkBase, 0>(env),
        }
    }
    impl __p::Clone for ClerkState {
        fn clone(&self) -> Self {
            Self {
                base: __p::duplicate::<Clerk, ClerkBase, 0>(&self.base),
            }
        }
    }
    impl __p::Deref for ClerkState {
        type Target = ClerkBase;
        fn deref(&self) -> &ClerkBase {
            &self.base
        }
    }
    impl __p::DerefMut for ClerkState {
        fn deref_mut(&mut self) -> &mut ClerkBase {
            &mut self.base
        }
    }
    impl __p::serde::Serialize for ClerkState {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            serializer: __S,
        ) -> __p::Result<__S::Ok, __S::Error> {
            let mut map = __p::serde::Serializer::serialize_map(serializer, __p::None)?;
            __p::write_base(&self.base, &mut map)?;
            __p::serde::ser::SerializeMap::end(map)
        }
    }
    static __WRITTEN: &[__p::SkillSpec] = &[__p::listed_spec::<Clerk, ClerkBase, 0>("")];
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
    static __SLOTS: &[__p::Slot<Clerk>] = &[__p::slot::<Clerk, ClerkBase, 0>()];
    static __STORAGE: __p::TableStorage<
        { __p::action_count(__SKILLS) },
        { __p::tool_count(__SKILLS) },
        { __p::capacity(__p::action_count(__SKILLS)) },
    > = __p::TableStorage::new(__SKILLS);
    static __SCHEMA: __p::OnceLock<__p::schemars::Schema> = __p::OnceLock::new();
    static __TABLES: __p::AgentTables = __STORAGE
        .tables(__SKILLS, &["badge"], &__SCHEMA);
    static __CHECKED: __p::CheckedSkills<
        { __TABLES.members() },
        { __p::route_capacity(__SKILLS) },
    > = __p::examine::<_, { __p::capacity(__TABLES.members()) }, _>(&__TABLES);
    const _: () = __p::report_data_flow(&__TABLES);
    impl __p::Agent for Clerk {
        type State = ClerkState;
        type Base = ClerkBase;
        const SPEC: __p::AgentSpec = __p::AgentSpec::new("clerk")
            .type_path(__p::concat!(__p::module_path!(), "::Clerk"));
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
        fn __parts(&self) -> (&ClerkState, &__p::AgentEnv) {
            self.parts.split()
        }
        fn __parts_mut(&mut self) -> (&mut ClerkState, &mut __p::AgentEnv) {
            self.parts.split_mut()
        }
    }
    impl __p::Clone for Clerk {
        fn clone(&self) -> Self {
            Self {
                parts: __p::Clone::clone(&self.parts),
            }
        }
    }
    impl __p::Default for Clerk {
        fn default() -> Self {
            <Self as __p::Agent>::new()
        }
    }
    type __Skills0 = (__p::SlotAt<ClerkBase, 0>,);
    impl<__R: __p::Resources> __p::AgentRunsWith<__R> for Clerk
    where
        __Skills0: __p::SlotsRunWith<Clerk, __R>,
    {
        fn __async_actions() -> &'static [&'static [__p::Option<
            __p::SlotAsyncActions<Self, __R>,
        >]] {
            const { &[<__Skills0 as __p::SlotsRunWith<Self, __R>>::ASYNC_ACTIONS] }
        }
    }
};
