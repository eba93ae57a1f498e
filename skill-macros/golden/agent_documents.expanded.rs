pub struct Clerk {
    parts: ::skill_agent::core::__private::AgentParts<ClerkState>,
}
///The base of [`Clerk`], which has no base fields. To implement `Hooks` for it, write `hooks` in `agent!`.
pub type ClerkBase = ::skill_agent::core::__private::BaseWithoutHooks<Clerk>;
///The state of [`Clerk`]: its base fields, and each skill.
pub struct ClerkState {
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
    fn __fresh(env: &__p::AgentEnv) -> ClerkState {
        ClerkState {
            desk: __p::init::<Clerk, Desk, 0usize>(env),
        }
    }
    impl __p::Clone for ClerkState {
        fn clone(&self) -> Self {
            Self {
                desk: __p::duplicate::<Clerk, Desk, 0usize>(&self.desk),
            }
        }
    }
    impl __p::serde::Serialize for ClerkState {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            serializer: __S,
        ) -> __p::Result<__S::Ok, __S::Error> {
            let mut map = __p::serde::Serializer::serialize_map(serializer, __p::None)?;
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
    static __WRITTEN: &[__p::SkillSpec] = &[
        __p::listed_spec::<Clerk, ClerkBase, 0>(""),
        __p::listed_spec::<Clerk, Desk, 0usize>(""),
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
    static __SLOTS: &[__p::Slot<Clerk>] = &[
        __p::slot::<Clerk, ClerkBase, 0>(),
        __p::slot::<Clerk, Desk, 0usize>(),
    ];
    static __STORAGE: __p::TableStorage<
        { __p::action_count(__SKILLS) },
        { __p::tool_count(__SKILLS) },
        { __p::capacity(__p::action_count(__SKILLS)) },
    > = __p::TableStorage::new(__SKILLS);
    static __SCHEMA: __p::OnceLock<__p::schemars::Schema> = __p::OnceLock::new();
    static __TABLES: __p::AgentTables = __STORAGE
        .tables(__SKILLS, &[], &__SCHEMA)
        .documents(&__DOCUMENTS);
    static __CHECKED: __p::CheckedSkills<
        { __TABLES.members() },
        { __p::route_capacity(__SKILLS) },
    > = __p::examine::<_, { __p::capacity(__TABLES.members()) }, _>(&__TABLES);
    const _: () = __p::report(&__TABLES, &__CHECKED, 1usize);
    const _: () = __p::report_data_flow(&__TABLES);
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
    static __TOOL_NAMES: [&str; __TABLES.tools().len()] = __m::tool_names(
        __TABLES.tools(),
    );
    static __CHECK_INPUT: __m::CheckInput<'static> = __m::CheckInput::new(
        &__LOCATED_DOCS,
        &__TOOL_NAMES,
        __TABLES.actions(),
        __TABLES.listed_skills(),
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
    type __Skills0 = (__p::NoActions, __p::SlotAt<Desk, 0usize>);
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
