pub struct Clerk {
    state: ClerkState,
    shell: ::skill_agent::core::__private::AgentEnv,
}
///The base fields of the state of [`Clerk`].
pub struct ClerkBase {}
///The state of [`Clerk`]: its base fields, and each skill.
pub struct ClerkState {
    base: ClerkBase,
    ///The state of the skill `Desk`.
    pub desk: Desk,
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
    impl __p::ArgumentList for ClerkBase {
        const STRUCT: &'static str = "ClerkBase";
        const DESCRIPTION: &'static str = "";
        const NAMES: &'static [&'static str] = &[];
        const ARGS: &'static [__p::Arg] = &[];
        type Slots = ();
        #[inline]
        fn slots() -> <Self as __p::ArgumentList>::Slots {
            ()
        }
        #[inline]
        fn place(name: &str) -> __p::Option<usize> {
            match name {
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
                _ => __p::Ok(()),
            }
        }
        #[inline]
        fn build<E: __p::serde::de::Error>(
            slots: <Self as __p::ArgumentList>::Slots,
        ) -> __p::Result<Self, E> {
            __p::Ok(Self {})
        }
        fn write<W: __p::serde::ser::SerializeStruct>(
            &self,
            out: &mut W,
        ) -> __p::Result<(), W::Error> {
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
            Self {}
        }
    }
    impl __p::Clone for ClerkBase {
        fn clone(&self) -> Self {
            Self {}
        }
    }
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_document::<ClerkBase>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_document::<ClerkBase>)
    }
    impl __p::Skill for ClerkBase {
        type Config = __p::NoConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("clerk")
            .type_path(__p::concat!(__p::module_path!(), "::Clerk"))
            .schemas(__state_schema, __config_schema)
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
    fn __fresh(shell: &__p::AgentEnv) -> ClerkState {
        ClerkState {
            base: __p::init::<Clerk, ClerkBase, 0>(shell),
            desk: __p::init::<Clerk, Desk, 0usize>(shell),
        }
    }
    impl __p::Clone for ClerkState {
        fn clone(&self) -> Self {
            Self {
                base: __p::duplicate::<Clerk, ClerkBase, 0>(&self.base),
                desk: __p::duplicate::<Clerk, Desk, 0usize>(&self.desk),
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
            {
                __p::write_skill::<Clerk, Desk, 0usize, _>(&self.desk, &mut map)?;
            }
            __p::serde::ser::SerializeMap::end(map)
        }
    }
    impl __p::SkillOf<Clerk, 0usize> for Desk {
        fn of(state: &ClerkState) -> &Self {
            &state.desk
        }
        fn of_mut(state: &mut ClerkState) -> &mut Self {
            &mut state.desk
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
    }
    static __SKILLS: &[__p::SkillSpec] = &[
        __p::listed_spec::<Clerk, ClerkBase, 0>(""),
        __p::listed_spec::<Clerk, Desk, 0usize>(""),
    ];
    static __SLOTS: &[__p::SlotVtable<Clerk>] = &[
        __p::base_slot::<Clerk, ClerkBase>(),
        __p::slot::<Clerk, Desk, 0usize>(),
    ];
    static __ACTIONS: [__p::ActionSpec; __p::action_count(__SKILLS)] = __p::actions(
        __SKILLS,
    );
    static __ADDRESSES: [(u32, u32); __p::action_count(__SKILLS)] = __p::addresses(
        __SKILLS,
    );
    static __TOOLS: [__p::Tool<'static>; __p::tool_count(&__ACTIONS)] = __p::tools(
        &__ACTIONS,
    );
    static __TABLE: [u32; __p::capacity(__p::action_count(__SKILLS))] = __p::table(
        &__ACTIONS,
    );
    static __BASE: &[&str] = &[];
    static __FLAGS: [__p::Flags; __SKILLS.len()] = __p::examine::<
        { __SKILLS.len() },
        { __p::capacity(2 * __SKILLS.len()) },
        { __p::capacity(__p::action_count(__SKILLS)) },
        { __p::route_capacity(__SKILLS) },
    >(__SKILLS, &__ACTIONS, __BASE);
    const _: () = __p::report(__SKILLS, &__ACTIONS, &__FLAGS, __BASE, 1usize);
    static __TABLES: __p::AgentTables<Clerk> = __p::AgentTables::new(
        __SKILLS,
        &__ACTIONS,
        &__ADDRESSES,
        &__TOOLS,
        &__TABLE,
        __SLOTS,
        __BASE,
    );
    use ::skill_agent::manifest::__private as __m;
    static __DOCUMENT_0: &__m::SkillDoc = &PLAN;
    #[cfg(feature = "handbook")]
    static __DOCUMENT_1: &__m::SkillDoc = &handbook::GREETING;
    static __DOCUMENT_2: &[__m::SkillDoc] = &FOLDER;
    static __DOCUMENT_LIST: &[__m::ListedDocs<'static>] = &[
        __m::ListedDocs::one("PLAN", __DOCUMENT_0),
        #[cfg(feature = "handbook")]
        __m::ListedDocs::one("handbook::GREETING", __DOCUMENT_1),
        __m::ListedDocs::all("..FOLDER", __DOCUMENT_2),
    ];
    static __DOCUMENTS: __m::AgentDocuments = __m::AgentDocuments::new(
        __DOCUMENT_LIST,
        true,
    );
    static __LOCATED_DOCS: [__m::LocatedDoc<
        'static,
    >; __m::count_docs(__DOCUMENT_LIST)] = __m::located_docs(__DOCUMENT_LIST);
    static __TOOL_NAMES: [&str; __TOOLS.len()] = __m::tool_names(&__TOOLS);
    static __CHECK_INPUT: __m::CheckInput<'static> = __m::CheckInput::new(
        &__LOCATED_DOCS,
        &__TOOL_NAMES,
        &__ACTIONS,
        __p::skill_specs(__SKILLS),
        &[],
    );
    #[allow(long_running_const_eval)]
    static __CHECKED_DOCS: __m::CheckedDocs<
        { __LOCATED_DOCS.len() },
        { __CHECK_INPUT.room() },
    > = __m::check_const(&__CHECK_INPUT);
    #[allow(long_running_const_eval)]
    const _: () = __m::report_entry(
        __DOCUMENT_LIST,
        &__CHECK_INPUT,
        &__CHECKED_DOCS,
        0usize,
    );
    #[cfg(feature = "handbook")]
    #[allow(long_running_const_eval)]
    const _: () = __m::report_entry(
        __DOCUMENT_LIST,
        &__CHECK_INPUT,
        &__CHECKED_DOCS,
        1usize,
    );
    #[allow(long_running_const_eval)]
    const _: () = __m::report_entry(
        __DOCUMENT_LIST,
        &__CHECK_INPUT,
        &__CHECKED_DOCS,
        1usize + __p::cfg!(all(feature = "handbook")) as usize,
    );
    const _: () = __m::report_allow_skills(&__CHECK_INPUT);
    impl __p::Agent for Clerk {
        type State = ClerkState;
        type Base = ClerkBase;
        const SPEC: __p::AgentSpec = __p::AgentSpec::new("clerk")
            .type_path(__p::concat!(__p::module_path!(), "::Clerk"));
        fn __tables() -> &'static __p::AgentTables<Self> {
            &__TABLES
        }
        fn __from_env(shell: __p::AgentEnv) -> Self {
            Self {
                state: __fresh(&shell),
                shell,
            }
        }
        fn __parts(&self) -> (&ClerkState, &__p::AgentEnv) {
            (&self.state, &self.shell)
        }
        fn __parts_mut(&mut self) -> (&mut ClerkState, &mut __p::AgentEnv) {
            (&mut self.state, &mut self.shell)
        }
        fn __documents() -> __p::Option<&'static dyn __p::DocumentTable> {
            __p::Some(&__DOCUMENTS)
        }
    }
    impl __p::Clone for Clerk {
        fn clone(&self) -> Self {
            Self {
                state: __p::Clone::clone(&self.state),
                shell: __p::Clone::clone(&self.shell),
            }
        }
    }
    impl __p::Default for Clerk {
        fn default() -> Self {
            <Self as __p::Agent>::new()
        }
    }
    type __Skills0 = (__p::At<ClerkBase, 0>, __p::At<Desk, 0usize>);
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
