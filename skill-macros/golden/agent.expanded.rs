/// Keeps a library.
#[derive(Debug, PartialEq)]
pub(crate) struct Librarian {
    parts: ::skill_agent::core::__private::AgentParts<LibrarianState>,
}
///The base fields of the state of [`Librarian`].
#[derive(Debug, PartialEq)]
pub(crate) struct LibrarianBase {
    /// Whether it is open.
    pub(crate) open: bool,
    pub(crate) count: u32,
}
///The state of [`Librarian`]: its base fields, and each skill.
#[derive(Debug, PartialEq)]
pub(crate) struct LibrarianState {
    base: LibrarianBase,
    ///The state of the skill `Shelf`.
    pub(crate) shelf: Shelf,
    ///The state of the skill `Shelf`.
    pub(crate) attic: Shelf,
    #[cfg(feature = "ladder")]
    ///The state of the skill `Ladder`.
    pub(crate) ladder: Ladder,
    /// The skills that are mounted at run time.
    pub(crate) skills: ::skill_agent::core::__private::Mounted,
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
    impl __p::ArgumentAt<0usize> for LibrarianBase {
        type Type = bool;
    }
    impl __p::ArgumentAt<1usize> for LibrarianBase {
        type Type = u32;
    }
    fn __default_0() -> bool {
        true
    }
    fn __default_1() -> u32 {
        <u32 as __p::Default>::default()
    }
    impl __p::ArgumentList for LibrarianBase {
        const STRUCT: &'static str = "LibrarianBase";
        const DESCRIPTION: &'static str = "Keeps a library.";
        const NAMES: &'static [&'static str] = &["open", "visitors"];
        const ARGS: &'static [__p::Arg] = &[
            __p::Arg::of::<Self, 0>("Whether it is open.")
                .default(|| __p::value::<Self, 0>(__default_0())),
            __p::Arg::of::<Self, 1>("").default(|| __p::value::<Self, 1>(__default_1())),
        ];
        type Slots = (__p::ArgumentSlot<bool>, __p::ArgumentSlot<u32>);
        #[inline]
        fn slots() -> <Self as __p::ArgumentList>::Slots {
            (__p::None, __p::None)
        }
        #[inline]
        fn place(name: &str) -> __p::Option<usize> {
            match name {
                "open" => __p::Some(0),
                "visitors" => __p::Some(1),
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
                open: match slots.0 {
                    __p::Some(value) => value,
                    __p::None => __default_0(),
                },
                count: match slots.1 {
                    __p::Some(value) => value,
                    __p::None => __default_1(),
                },
            })
        }
        fn write<W: __p::serde::ser::SerializeStruct>(
            &self,
            out: &mut W,
        ) -> __p::Result<(), W::Error> {
            __p::write_argument::<Self, 0, W>(&self.open, out)?;
            __p::write_argument::<Self, 1, W>(&self.count, out)?;
            __p::Ok(())
        }
    }
    impl __p::serde::Serialize for LibrarianBase {
        fn serialize<S: __p::serde::Serializer>(
            &self,
            serializer: S,
        ) -> __p::Result<S::Ok, S::Error> {
            __p::write_arguments(self, serializer)
        }
    }
    impl<'de> __p::serde::Deserialize<'de> for LibrarianBase {
        fn deserialize<D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            __p::read_arguments(deserializer)
        }
    }
    impl __p::schemars::JsonSchema for LibrarianBase {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::Cow::Borrowed("LibrarianBase")
        }
        fn json_schema(
            generator: &mut __p::schemars::SchemaGenerator,
        ) -> __p::schemars::Schema {
            __p::arguments_schema::<Self>(generator)
        }
    }
    impl __p::Default for LibrarianBase {
        fn default() -> Self {
            Self {
                open: __default_0(),
                count: __default_1(),
            }
        }
    }
    impl __p::Clone for LibrarianBase {
        fn clone(&self) -> Self {
            Self {
                open: __p::Clone::clone(&self.open),
                count: __p::Clone::clone(&self.count),
            }
        }
    }
    static __LIST: [__p::ActionEntry<LibrarianBase>; 1usize] = [
        __p::ActionEntry::<LibrarianBase>::of::<Open>(),
    ];
    const __ENTRIES: &[__p::ActionEntry<LibrarianBase>] = &__LIST;
    const __SPECS: &[__p::ActionSpec] = &[__ENTRIES[0usize].spec()];
    const __LISTED: &[u32] = &__p::listed::<{ __p::capacity(1usize) }>(__SPECS);
    const _: () = __p::report_skill::<
        LibrarianBase,
        { __p::capacity(1usize) },
        { __p::route_room::<LibrarianBase>() },
    >();
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_json_schema::<LibrarianBase>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_json_schema::<LibrarianBase>)
    }
    impl __p::Skill for LibrarianBase {
        type Config = Rules;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("librarian")
            .type_path(__p::concat!(__p::module_path!(), "::Librarian"))
            .actions(__SPECS)
            .__listed(__LISTED)
            .schemas(__state_schema, __config_schema)
            .config_secrets({
                use __p::probe::AssumeUnsafe as _;
                __p::probe::Probe::<<Self as __p::Skill>::Config>::SECRETS
            })
            .__constraints({
                use __p::probe::AssumeUnsafe as _;
                __p::probe::Probe::<<Self as __p::Skill>::Config>::CONSTRAINTS
            })
            .__provenance(__p::Provenance::Agent);
        const ACTIONS: &'static [__p::ActionEntry<Self>] = __ENTRIES;
        const HOOKS: __p::Option<__p::HookEntry<Self>> = __p::Some(
            __p::HookEntry::<Self>::of(),
        );
    }
    impl __p::SkillOf<Librarian> for LibrarianBase {
        fn of(state: &LibrarianState) -> &Self {
            &state.base
        }
        fn of_mut(state: &mut LibrarianState) -> &mut Self {
            &mut state.base
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
        fn configure(__config: &mut Self::Config) {
            #[allow(unused_imports)]
            use __p::SetFields as _;
            let __config = <Self::Config>::__set::<Self>(__config);
            {
                __config.quiet = true;
            }
        }
    }
    type __Actions0 = (Open,);
    impl<__R: __p::Resources> __p::SkillRunsWith<__R> for LibrarianBase
    where
        __Actions0: __p::RunWith<LibrarianBase, __R>,
    {
        const ASYNC_ACTIONS: &'static [&'static [__p::Option<
            __p::AsyncEntry<Self, __R>,
        >]] = &[<__Actions0 as __p::RunWith<Self, __R>>::ASYNC_ACTIONS];
    }
    fn __fresh(env: &__p::AgentEnv) -> LibrarianState {
        LibrarianState {
            base: __p::init::<Librarian, LibrarianBase, 0>(env),
            shelf: __p::init::<Librarian, Shelf, 0usize>(env),
            attic: __p::init::<Librarian, Shelf, 1usize>(env),
            #[cfg(feature = "ladder")]
            ladder: __p::init::<Librarian, Ladder, 0usize>(env),
            skills: __p::Mounted::__of_agent::<Librarian>(),
        }
    }
    impl __p::Clone for LibrarianState {
        fn clone(&self) -> Self {
            Self {
                base: __p::duplicate::<Librarian, LibrarianBase, 0>(&self.base),
                shelf: __p::duplicate::<Librarian, Shelf, 0usize>(&self.shelf),
                attic: __p::duplicate::<Librarian, Shelf, 1usize>(&self.attic),
                #[cfg(feature = "ladder")]
                ladder: __p::duplicate::<Librarian, Ladder, 0usize>(&self.ladder),
                skills: __p::Clone::clone(&self.skills),
            }
        }
    }
    impl __p::Deref for LibrarianState {
        type Target = LibrarianBase;
        fn deref(&self) -> &LibrarianBase {
            &self.base
        }
    }
    impl __p::DerefMut for LibrarianState {
        fn deref_mut(&mut self) -> &mut LibrarianBase {
            &mut self.base
        }
    }
    impl __p::serde::Serialize for LibrarianState {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            serializer: __S,
        ) -> __p::Result<__S::Ok, __S::Error> {
            let mut map = __p::serde::Serializer::serialize_map(serializer, __p::None)?;
            __p::write_base(&self.base, &mut map)?;
            {
                __p::write_skill::<Librarian, Shelf, 0usize, _>(&self.shelf, &mut map)?;
            }
            {
                __p::write_skill::<Librarian, Shelf, 1usize, _>(&self.attic, &mut map)?;
            }
            #[cfg(feature = "ladder")]
            {
                __p::write_skill::<
                    Librarian,
                    Ladder,
                    0usize,
                    _,
                >(&self.ladder, &mut map)?;
            }
            __p::write_mounted(&self.skills, &mut map)?;
            __p::serde::ser::SerializeMap::end(map)
        }
    }
    impl __p::SkillOf<Librarian, 0usize> for Shelf {
        fn of(state: &LibrarianState) -> &Self {
            &state.shelf
        }
        fn of_mut(state: &mut LibrarianState) -> &mut Self {
            &mut state.shelf
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
        fn configure(__config: &mut Self::Config) {
            #[allow(unused_imports)]
            use __p::SetFields as _;
            let __config = <Self::Config>::__set::<Self>(__config);
            {
                __config.room = 40;
            }
        }
    }
    impl __p::SkillOf<Librarian, 1usize> for Shelf {
        const ALIAS: __p::Option<&'static str> = __p::Some("attic");
        fn of(state: &LibrarianState) -> &Self {
            &state.attic
        }
        fn of_mut(state: &mut LibrarianState) -> &mut Self {
            &mut state.attic
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
    }
    #[cfg(feature = "ladder")]
    impl __p::SkillOf<Librarian, 0usize> for Ladder {
        fn of(state: &LibrarianState) -> &Self {
            &state.ladder
        }
        fn of_mut(state: &mut LibrarianState) -> &mut Self {
            &mut state.ladder
        }
        fn cell() -> &'static __p::ConfigCell {
            static CELL: __p::ConfigCell = __p::ConfigCell::new();
            &CELL
        }
    }
    static __PREFIXED_1: [u8; __p::prefixed_length::<Librarian, Shelf, 1usize>()] = __p::prefixed::<
        Librarian,
        Shelf,
        1usize,
        { __p::prefixed_length::<Librarian, Shelf, 1usize>() },
    >();
    impl __p::ListedIn<Librarian> for Kettle {}
    impl __p::ListedIn<Librarian> for Lamp {}
    #[cfg(any(all(feature = "radio")))]
    impl __p::ListedIn<Librarian> for Radio {}
    const _: () = __p::report_literal::<
        Librarian,
        Shelf,
        0usize,
    >(__p::ConfigLiteral::number("room", __p::Number::Integer(40)));
    #[allow(dead_code)]
    impl Librarian {
        ///The skill `Shelf` under the name `attic`.
        pub(crate) fn attic(&mut self) -> __p::Instance<'_, Self, Shelf, 1usize> {
            __p::Instance::__new(self)
        }
    }
    static __WRITTEN: &[__p::SkillSpec] = &[
        __p::listed_spec::<Librarian, LibrarianBase, 0>(""),
        __p::listed_spec::<Librarian, Shelf, 0usize>(""),
        __p::listed_spec::<Librarian, Shelf, 1usize>(__p::text(&__PREFIXED_1)),
        #[cfg(feature = "ladder")]
        __p::listed_spec::<Librarian, Ladder, 0usize>(""),
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
    static __SLOTS: &[__p::Slot<Librarian>] = &[
        __p::slot::<Librarian, LibrarianBase, 0>(),
        __p::slot::<Librarian, Shelf, 0usize>(),
        __p::slot::<Librarian, Shelf, 1usize>(),
        #[cfg(feature = "ladder")]
        __p::slot::<Librarian, Ladder, 0usize>(),
    ];
    static __STORAGE: __p::TableStorage<
        { __p::action_count(__SKILLS) },
        { __p::tool_count(__SKILLS) },
        { __p::capacity(__p::action_count(__SKILLS)) },
    > = __p::TableStorage::new(__SKILLS);
    static __SCHEMA: __p::OnceLock<__p::schemars::Schema> = __p::OnceLock::new();
    static __TABLES: __p::AgentTables = __STORAGE
        .tables(__SKILLS, &["open", "visitors"], &__SCHEMA)
        .mountable(&__MOUNTABLE_SPECS);
    static __CHECKED: __p::CheckedSkills<
        { __TABLES.members() },
        { __p::route_capacity(__SKILLS) },
    > = __p::examine::<_, { __p::capacity(__TABLES.members()) }, _>(&__TABLES);
    const _: () = __p::report(
        &__TABLES,
        &__CHECKED,
        __p::index_of::<Librarian, Shelf, 0usize>(__SKILLS),
    );
    const _: () = __p::report(
        &__TABLES,
        &__CHECKED,
        __p::index_of::<Librarian, Shelf, 1usize>(__SKILLS),
    );
    #[cfg(feature = "ladder")]
    const _: () = __p::report(
        &__TABLES,
        &__CHECKED,
        __p::index_of::<Librarian, Ladder, 0usize>(__SKILLS),
    );
    const _: () = __p::report_data_flow(&__TABLES);
    static __MOUNTABLE: &[__p::Mountable] = &[
        __p::Mountable::of::<Lamp>(),
        #[cfg(feature = "radio")]
        __p::Mountable::of::<Radio>(),
        __p::Mountable::of::<Kettle>(),
    ];
    static __MOUNTABLE_SPECS: [&__p::SkillSpec; __MOUNTABLE.len()] = __p::mountable_specs(
        __MOUNTABLE,
    );
    const _: () = __p::report(&__TABLES, &__CHECKED, __SKILLS.len() + 0usize);
    #[cfg(feature = "radio")]
    const _: () = __p::report(&__TABLES, &__CHECKED, __SKILLS.len() + 1usize);
    const _: () = __p::report(
        &__TABLES,
        &__CHECKED,
        __SKILLS.len() + 1usize + __p::cfg!(all(feature = "radio")) as usize,
    );
    #[allow(dead_code)]
    impl Librarian {
        /// The skills that are mounted.
        pub(crate) fn mounted(&self) -> &__p::Mounted {
            &self.parts.split().0.skills
        }
        /// The skills that are mounted, to mount and unmount.
        pub(crate) fn mounted_mut(&mut self) -> &mut __p::Mounted {
            &mut self.parts.split_mut().0.skills
        }
    }
    impl __p::Agent for Librarian {
        type State = LibrarianState;
        type Base = LibrarianBase;
        const SPEC: __p::AgentSpec = __p::AgentSpec::new("librarian")
            .type_path(__p::concat!(__p::module_path!(), "::Librarian"))
            .description("Keeps a library.")
            .version("0.1.0")
            .category("home")
            .tags(&["books"]);
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
        fn __parts(&self) -> (&LibrarianState, &__p::AgentEnv) {
            self.parts.split()
        }
        fn __parts_mut(&mut self) -> (&mut LibrarianState, &mut __p::AgentEnv) {
            self.parts.split_mut()
        }
        fn __mounted(state: &LibrarianState) -> __p::Option<&__p::Mounted> {
            __p::Some(&state.skills)
        }
        fn __mounted_mut(state: &mut LibrarianState) -> __p::Option<&mut __p::Mounted> {
            __p::Some(&mut state.skills)
        }
        fn __mountable() -> __p::Option<&'static [__p::Mountable]> {
            __p::Some(__MOUNTABLE)
        }
    }
    impl __p::Clone for Librarian {
        fn clone(&self) -> Self {
            Self {
                parts: __p::Clone::clone(&self.parts),
            }
        }
    }
    impl __p::Default for Librarian {
        fn default() -> Self {
            <Self as __p::Agent>::new()
        }
    }
    #[cfg(feature = "ladder")]
    type __Skill2 = __p::SlotAt<Ladder, 0usize>;
    #[cfg(not(all(feature = "ladder")))]
    type __Skill2 = __p::Absent;
    type __Skills0 = (
        __p::SlotAt<LibrarianBase, 0>,
        __p::SlotAt<Shelf, 0usize>,
        __p::SlotAt<Shelf, 1usize>,
        __Skill2,
    );
    impl<__R: __p::Resources> __p::AgentRunsWith<__R> for Librarian
    where
        __Skills0: __p::SlotsRunWith<Librarian, __R>,
    {
        fn __async_actions() -> &'static [&'static [__p::Option<
            __p::SlotAsyncActions<Self, __R>,
        >]] {
            const { &[<__Skills0 as __p::SlotsRunWith<Self, __R>>::ASYNC_ACTIONS] }
        }
    }
};
