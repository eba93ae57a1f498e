/// Everything a skill may say.
pub struct Shelf {
    pub room: u32,
    pub titles: Vec<String>,
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
    static __LIST: [__p::ActionEntry<Shelf>; 2usize] = [
        __p::ActionEntry::<Shelf>::of::<Put>(),
        __p::ActionEntry::<Shelf>::of::<Order>(),
    ];
    const __ENTRIES: &[__p::ActionEntry<Shelf>] = &__LIST;
    const __SPECS: &[__p::ActionSpec] = &[
        __ENTRIES[0usize].spec(),
        __ENTRIES[1usize].spec(),
    ];
    const __LISTED: &[u32] = &__p::listed::<8usize>(__SPECS);
    const _: () = __p::report_skill::<Shelf, 8usize, { __p::route_room::<Shelf>() }>();
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_document::<Shelf>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_document::<Shelf>)
    }
    static __DATA: __p::StateData<Shelf> = __p::StateData::<Shelf>::of();
    impl __p::Skill for Shelf {
        type Config = ShelfConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("shelf")
            .type_path(__p::concat!(__p::module_path!(), "::Shelf"))
            .state_key("books")
            .title("Shelf")
            .description("Everything a skill may say.")
            .category("home")
            .version("1.2.0")
            .instructions("Put books back.")
            .tags(&["paper"])
            .signals(&["book.*"])
            .requires(&["ladder@^1"])
            .actions(__SPECS)
            .__listed(__LISTED)
            .schemas(__state_schema, __config_schema)
            .__provenance(__p::Provenance::Derive);
        const __DATA: &'static __p::StateData<Self> = &__DATA;
        const ACTIONS: &'static [__p::ActionEntry<Self>] = __ENTRIES;
        const HOOKS: __p::Option<__p::HookEntry<Self>> = __p::Some(
            __p::HookEntry::<Self>::of(),
        );
        fn init(__config: &Self::Config) -> Self {
            Self {
                room: {
                    let value: &u32 = &__config.room;
                    __p::Clone::clone(value)
                },
                titles: __p::Default::default(),
            }
        }
    }
    impl __p::Default for Shelf {
        fn default() -> Self {
            __p::fresh::<Self>()
        }
    }
    type __Actions0 = (Put, Order);
    impl<__R: __p::Resources> __p::SkillRunsWith<__R> for Shelf
    where
        __Actions0: __p::RunWith<Shelf, __R>,
    {
        const ASYNC_ACTIONS: &'static [&'static [__p::Option<
            __p::AsyncEntry<Self, __R>,
        >]] = &[<__Actions0 as __p::RunWith<Self, __R>>::ASYNC_ACTIONS];
    }
};
/// Put a book on the shelf.
pub fn put(
    shelf: &mut Shelf,
    cx: &mut Context<Shelf>,
    title: String,
    place: u32,
    mark: Option<String>,
) -> Result<(), ShelfFull> {
    Ok(())
}
/// Put a book on the shelf.
#[derive(Debug)]
pub struct Put {
    /// What is on its back.
    pub title: String,
    ///The argument `at`.
    pub place: u32,
    ///The argument `mark`.
    pub mark: Option<String>,
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
    impl __p::ArgumentAt<0usize> for Put {
        type Type = String;
    }
    impl __p::ArgumentAt<1usize> for Put {
        type Type = u32;
    }
    impl __p::ArgumentAt<2usize> for Put {
        type Type = Option<String>;
    }
    fn __limits_0(
        mut limiting: __p::Limiting<'_, String>,
    ) -> __p::Result<(), __p::String> {
        __p::limit_length::<
            String,
            _,
        >(
            &mut limiting,
            {
                let end: usize = 1;
                end
            }..={
                let end: usize = 80;
                end
            },
        )?;
        __p::Ok(())
    }
    fn __refine_0(schema: &mut __p::schemars::Schema) {
        let _ = __limits_0(__p::Limiting::Describe(schema));
        __p::examples(
            schema,
            <[__p::serde_json::Value]>::into_vec(
                __p::Box::new([
                    __p::value::<
                        Put,
                        0,
                    >({
                        let value: String = "Emma".to_owned();
                        value
                    }),
                ]),
            ),
        );
    }
    fn __default_1() -> u32 {
        3
    }
    fn __limits_1(mut limiting: __p::Limiting<'_, u32>) -> __p::Result<(), __p::String> {
        __p::limit_range::<
            u32,
            _,
        >(
            &mut limiting,
            {
                let end: <u32 as ::skill_agent::core::Ranged>::Number = 0;
                end
            }..{
                let end: <u32 as ::skill_agent::core::Ranged>::Number = 10;
                end
            },
        )?;
        __p::Ok(())
    }
    fn __refine_1(schema: &mut __p::schemars::Schema) {
        let _ = __limits_1(__p::Limiting::Describe(schema));
    }
    fn __limits_2(
        mut limiting: __p::Limiting<'_, Option<String>>,
    ) -> __p::Result<(), __p::String> {
        static __PATTERN_2: __p::Pattern = __p::Pattern::new("^[a-z]+$");
        __p::limit_pattern::<Option<String>>(&mut limiting, &__PATTERN_2)?;
        __p::Ok(())
    }
    fn __refine_2(schema: &mut __p::schemars::Schema) {
        let _ = __limits_2(__p::Limiting::Describe(schema));
    }
    impl __p::ArgumentList for Put {
        const STRUCT: &'static str = "Put";
        const DESCRIPTION: &'static str = "Put a book on the shelf.";
        const NAMES: &'static [&'static str] = &["title", "at", "mark"];
        const ARGS: &'static [__p::Arg] = &[
            __p::Arg::of::<Self, 0>("What is on its back.").refine(__refine_0),
            __p::Arg::of::<Self, 1>("")
                .default(|| __p::value::<Self, 1>(__default_1()))
                .refine(__refine_1),
            __p::Arg::of::<Self, 2>("").refine(__refine_2),
        ];
        type Slots = (
            __p::ArgumentSlot<String>,
            __p::ArgumentSlot<u32>,
            __p::ArgumentSlot<Option<String>>,
        );
        #[inline]
        fn slots() -> <Self as __p::ArgumentList>::Slots {
            (__p::None, __p::None, __p::None)
        }
        #[inline]
        fn place(name: &str) -> __p::Option<usize> {
            match name {
                "title" => __p::Some(0),
                "at" => __p::Some(1),
                "mark" => __p::Some(2),
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
                0 => {
                    __p::field::<Self, 0, M>(&mut slots.0, __p::Checked(__limits_0), map)
                }
                1 => {
                    __p::field::<Self, 1, M>(&mut slots.1, __p::Checked(__limits_1), map)
                }
                2 => {
                    __p::field::<Self, 2, M>(&mut slots.2, __p::Checked(__limits_2), map)
                }
                _ => __p::Ok(()),
            }
        }
        #[inline]
        fn build<E: __p::serde::de::Error>(
            slots: <Self as __p::ArgumentList>::Slots,
        ) -> __p::Result<Self, E> {
            __p::Ok(Self {
                title: __p::need::<Self, 0, E>(slots.0)?,
                place: match slots.1 {
                    __p::Some(value) => value,
                    __p::None => __default_1(),
                },
                mark: __p::need::<Self, 2, E>(slots.2)?,
            })
        }
        fn write<W: __p::serde::ser::SerializeStruct>(
            &self,
            out: &mut W,
        ) -> __p::Result<(), W::Error> {
            __p::write_argument::<Self, 0, W>(&self.title, out)?;
            __p::write_argument::<Self, 1, W>(&self.place, out)?;
            __p::write_argument::<Self, 2, W>(&self.mark, out)?;
            __p::Ok(())
        }
    }
    impl __p::serde::Serialize for Put {
        fn serialize<S: __p::serde::Serializer>(
            &self,
            serializer: S,
        ) -> __p::Result<S::Ok, S::Error> {
            __p::write_arguments(self, serializer)
        }
    }
    impl<'de> __p::serde::Deserialize<'de> for Put {
        fn deserialize<D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            __p::read_arguments(deserializer)
        }
    }
    impl __p::schemars::JsonSchema for Put {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::Cow::Borrowed("Put")
        }
        fn json_schema(
            generator: &mut __p::schemars::SchemaGenerator,
        ) -> __p::schemars::Schema {
            __p::arguments_schema::<Self>(generator)
        }
    }
    const __ROUTES: &[__p::Route] = &[
        __p::Route::new("book.put").priority(5i8),
        __p::Route::new("book.returned").priority(5i8),
    ];
    impl __p::Action for Put {
        type Skill = Shelf;
        type Output = ();
        type Error = ShelfFull;
        type Kind = __p::Pure;
        const SPEC: __p::ActionSpec = __p::ActionSpec::of::<
            Put,
        >("put_book", "Put a book on the shelf.")
            .type_path(__p::concat!(__p::module_path!(), "::Put"))
            .title("Put")
            .hints(__p::Hints::NONE.idempotent())
            .routes(__ROUTES);
        const CHANGES: bool = true;
        const FALLIBLE: bool = true;
        const JSON_SAFE: bool = {
            use __p::probe::AssumeUnsafe as _;
            __p::probe::Probe::<()>::IS_JSON_SAFE
        };
        fn schemas() -> &'static __p::Schemas {
            static SCHEMAS: __p::Schemas = __p::Schemas::of::<Put>();
            &SCHEMAS
        }
    }
    impl __p::PureAction for Put {
        const TAKES_CONTEXT: bool = true;
        #[inline]
        fn run(
            self,
            __skill: &mut Shelf,
            __cx: &mut __p::Context<Shelf>,
        ) -> __p::Result<Self::Output, Self::Error> {
            __p::probe::ResultParts::into_result(
                put(__skill, __cx, self.title, self.place, self.mark),
            )
        }
    }
    const _: () = __p::report_unlisted::<Put>();
};
/// Count the books of an author, by a name that serde reads.
pub fn count(shelf: &Shelf, author: String, exact: bool) -> io::Result<usize> {
    Ok(0)
}
/// Count the books of an author, by a name that serde reads.
pub struct Count {
    ///The argument `author`.
    pub author: String,
    ///The argument `exact`.
    pub exact: bool,
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
    impl __p::ArgumentAt<0usize> for Count {
        type Type = String;
    }
    impl __p::ArgumentAt<1usize> for Count {
        type Type = bool;
    }
    fn __default_1() -> bool {
        <bool as __p::Default>::default()
    }
    ///Count the books of an author, by a name that serde reads.
    #[derive(__p::serde::Serialize, __p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(
        crate = "::skill_agent::core::__private::serde",
        remote = "Count",
        deny_unknown_fields
    )]
    #[schemars(crate = "::skill_agent::core::__private::schemars")]
    struct __Wire {
        #[serde(alias = "writer")]
        author: String,
        #[serde(default = "__default_1")]
        exact: bool,
    }
    impl __p::serde::Serialize for Count {
        fn serialize<S: __p::serde::Serializer>(
            &self,
            serializer: S,
        ) -> __p::Result<S::Ok, S::Error> {
            __Wire::serialize(self, serializer)
        }
    }
    impl __p::Wire for Count {
        fn read_wire<'de, D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            __Wire::deserialize(deserializer)
        }
    }
    impl<'de> __p::serde::Deserialize<'de> for Count {
        fn deserialize<D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            let action: Self = __p::read_wire(deserializer)?;
            __p::Ok(action)
        }
    }
    impl __p::schemars::JsonSchema for Count {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::Cow::Borrowed("Count")
        }
        fn json_schema(
            generator: &mut __p::schemars::SchemaGenerator,
        ) -> __p::schemars::Schema {
            let mut schema = <__Wire as __p::schemars::JsonSchema>::json_schema(
                generator,
            );
            schema
        }
    }
    impl __p::Action for Count {
        type Skill = Shelf;
        type Output = <io::Result<usize> as __p::probe::ResultParts>::Ok;
        type Error = <io::Result<usize> as __p::probe::ResultParts>::Err;
        type Kind = __p::Pure;
        const SPEC: __p::ActionSpec = __p::ActionSpec::of::<
            Count,
        >("count", "Count the books of an author, by a name that serde reads.")
            .type_path(__p::concat!(__p::module_path!(), "::Count"))
            .hints(__p::Hints::NONE.read_only())
            .internal();
        const CHANGES: bool = false;
        const FALLIBLE: bool = true;
        const JSON_SAFE: bool = {
            use __p::probe::AssumeUnsafe as _;
            __p::probe::Probe::<
                <io::Result<usize> as __p::probe::ResultParts>::Ok,
            >::IS_JSON_SAFE
        };
        fn schemas() -> &'static __p::Schemas {
            static SCHEMAS: __p::Schemas = __p::Schemas::of::<Count>();
            &SCHEMAS
        }
    }
    impl __p::PureAction for Count {
        const TAKES_CONTEXT: bool = false;
        #[inline]
        fn run(
            self,
            __skill: &mut Shelf,
            __cx: &mut __p::Context<Shelf>,
        ) -> __p::Result<Self::Output, Self::Error> {
            __p::probe::ResultParts::into_result(count(__skill, self.author, self.exact))
        }
    }
    const _: () = __p::report_unlisted::<Count>();
};
/// Keeps a library.
#[derive(Debug, PartialEq)]
pub(crate) struct Librarian {
    state: LibrarianState,
    shell: ::skill_agent::core::__private::AgentEnv,
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
    const __LISTED: &[u32] = &__p::listed::<4usize>(__SPECS);
    const _: () = __p::report_skill::<
        LibrarianBase,
        4usize,
        { __p::route_room::<LibrarianBase>() },
    >();
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_document::<LibrarianBase>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_document::<LibrarianBase>)
    }
    impl __p::Skill for LibrarianBase {
        type Config = Rules;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("librarian")
            .type_path(__p::concat!(__p::module_path!(), "::Librarian"))
            .actions(__SPECS)
            .__listed(__LISTED)
            .schemas(__state_schema, __config_schema)
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
    fn __fresh(shell: &__p::AgentEnv) -> LibrarianState {
        LibrarianState {
            base: __p::init::<Librarian, LibrarianBase, 0>(shell),
            shelf: __p::init::<Librarian, Shelf, 0usize>(shell),
            attic: __p::init::<Librarian, Shelf, 1usize>(shell),
            #[cfg(feature = "ladder")]
            ladder: __p::init::<Librarian, Ladder, 0usize>(shell),
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
    #[allow(dead_code)]
    impl Librarian {
        ///The skill `Shelf` under the name `attic`.
        pub(crate) fn attic(&mut self) -> __p::Instance<'_, Self, Shelf, 1usize> {
            __p::Instance::__new(self)
        }
    }
    static __SKILLS: &[__p::SkillSpec] = &[
        __p::listed_spec::<Librarian, LibrarianBase, 0>(""),
        __p::listed_spec::<Librarian, Shelf, 0usize>(""),
        __p::listed_spec::<Librarian, Shelf, 1usize>(__p::text(&__PREFIXED_1)),
        #[cfg(feature = "ladder")]
        __p::listed_spec::<Librarian, Ladder, 0usize>(""),
    ];
    static __SLOTS: &[__p::SlotVtable<Librarian>] = &[
        __p::base_slot::<Librarian, LibrarianBase>(),
        __p::slot::<Librarian, Shelf, 0usize>(),
        __p::slot::<Librarian, Shelf, 1usize>(),
        #[cfg(feature = "ladder")]
        __p::slot::<Librarian, Ladder, 0usize>(),
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
    static __BASE: &[&str] = &["open", "visitors"];
    static __FLAGS: [__p::Flags; __SKILLS.len()] = __p::examine::<
        { __SKILLS.len() },
        { __p::capacity(2 * __SKILLS.len()) },
        { __p::capacity(__p::action_count(__SKILLS)) },
        { __p::route_capacity(__SKILLS) },
    >(__SKILLS, &__ACTIONS, __BASE);
    const _: () = __p::report(
        __SKILLS,
        &__ACTIONS,
        &__FLAGS,
        __BASE,
        __p::index_of::<Librarian, Shelf, 0usize>(__SKILLS),
    );
    const _: () = __p::report(
        __SKILLS,
        &__ACTIONS,
        &__FLAGS,
        __BASE,
        __p::index_of::<Librarian, Shelf, 1usize>(__SKILLS),
    );
    #[cfg(feature = "ladder")]
    const _: () = __p::report(
        __SKILLS,
        &__ACTIONS,
        &__FLAGS,
        __BASE,
        __p::index_of::<Librarian, Ladder, 0usize>(__SKILLS),
    );
    static __TABLES: __p::AgentTables<Librarian> = __p::AgentTables::new(
        __SKILLS,
        &__ACTIONS,
        &__ADDRESSES,
        &__TOOLS,
        &__TABLE,
        __SLOTS,
        __BASE,
    );
    static __MOUNTABLE: &[__p::Mountable] = &[
        __p::Mountable::of::<Lamp>(),
        #[cfg(feature = "radio")]
        __p::Mountable::of::<Radio>(),
        __p::Mountable::of::<Kettle>(),
    ];
    static __BESIDE: __p::Existing = __p::Existing::new(
        __SKILLS,
        &__ACTIONS,
        &__TABLE,
        __BASE,
        __MOUNTABLE,
    );
    static __MOUNT_FLAGS: [__p::Flags; __MOUNTABLE.len()] = __p::examine_mountable::<
        { __MOUNTABLE.len() },
        { __p::capacity(__SKILLS.len() + __MOUNTABLE.len()) },
    >(&__BESIDE);
    const _: () = __p::report_mountable(&__BESIDE, &__MOUNT_FLAGS, 0usize);
    #[cfg(feature = "radio")]
    const _: () = __p::report_mountable(&__BESIDE, &__MOUNT_FLAGS, 1usize);
    const _: () = __p::report_mountable(
        &__BESIDE,
        &__MOUNT_FLAGS,
        1usize + __p::cfg!(all(feature = "radio")) as usize,
    );
    #[allow(dead_code)]
    impl Librarian {
        /// The skills that are mounted.
        pub(crate) fn mounted(&self) -> &__p::Mounted {
            &self.state.skills
        }
        /// The skills that are mounted, to mount and unmount.
        pub(crate) fn mounted_mut(&mut self) -> &mut __p::Mounted {
            &mut self.state.skills
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
        fn __tables() -> &'static __p::AgentTables<Self> {
            &__TABLES
        }
        fn __from_env(shell: __p::AgentEnv) -> Self {
            Self {
                state: __fresh(&shell),
                shell,
            }
        }
        fn __parts(&self) -> (&LibrarianState, &__p::AgentEnv) {
            (&self.state, &self.shell)
        }
        fn __parts_mut(&mut self) -> (&mut LibrarianState, &mut __p::AgentEnv) {
            (&mut self.state, &mut self.shell)
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
                state: __p::Clone::clone(&self.state),
                shell: __p::Clone::clone(&self.shell),
            }
        }
    }
    impl __p::Default for Librarian {
        fn default() -> Self {
            <Self as __p::Agent>::new()
        }
    }
    #[cfg(feature = "ladder")]
    type __Skill2 = __p::At<Ladder, 0usize>;
    #[cfg(not(all(feature = "ladder")))]
    type __Skill2 = __p::Absent;
    type __Skills0 = (
        __p::At<LibrarianBase, 0>,
        __p::At<Shelf, 0usize>,
        __p::At<Shelf, 1usize>,
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
/// Order a book from somewhere.
pub async fn order(
    shelf: &Shelf,
    cx: &mut Context<Shelf>,
    shop: &dyn BookShop,
    title: String,
    purse: &Purse,
) -> Result<u32, ShelfFull> {
    Ok(1)
}
/// Order a book from somewhere.
pub struct Order {
    ///The argument `title`.
    pub title: String,
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
    impl __p::ArgumentAt<0usize> for Order {
        type Type = String;
    }
    impl __p::ArgumentList for Order {
        const STRUCT: &'static str = "Order";
        const DESCRIPTION: &'static str = "Order a book from somewhere.";
        const NAMES: &'static [&'static str] = &["title"];
        const ARGS: &'static [__p::Arg] = &[__p::Arg::of::<Self, 0>("")];
        type Slots = (__p::ArgumentSlot<String>,);
        #[inline]
        fn slots() -> <Self as __p::ArgumentList>::Slots {
            (__p::None,)
        }
        #[inline]
        fn place(name: &str) -> __p::Option<usize> {
            match name {
                "title" => __p::Some(0),
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
                title: __p::need::<Self, 0, E>(slots.0)?,
            })
        }
        fn write<W: __p::serde::ser::SerializeStruct>(
            &self,
            out: &mut W,
        ) -> __p::Result<(), W::Error> {
            __p::write_argument::<Self, 0, W>(&self.title, out)?;
            __p::Ok(())
        }
    }
    impl __p::serde::Serialize for Order {
        fn serialize<S: __p::serde::Serializer>(
            &self,
            serializer: S,
        ) -> __p::Result<S::Ok, S::Error> {
            __p::write_arguments(self, serializer)
        }
    }
    impl<'de> __p::serde::Deserialize<'de> for Order {
        fn deserialize<D: __p::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> __p::Result<Self, D::Error> {
            __p::read_arguments(deserializer)
        }
    }
    impl __p::schemars::JsonSchema for Order {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::Cow::Borrowed("Order")
        }
        fn json_schema(
            generator: &mut __p::schemars::SchemaGenerator,
        ) -> __p::schemars::Schema {
            __p::arguments_schema::<Self>(generator)
        }
    }
    impl __p::Action for Order {
        type Skill = Shelf;
        type Output = u32;
        type Error = ShelfFull;
        type Kind = __p::Async;
        const SPEC: __p::ActionSpec = __p::ActionSpec::of::<
            Order,
        >("order", "Order a book from somewhere.")
            .type_path(__p::concat!(__p::module_path!(), "::Order"))
            .hints(__p::Hints::NONE.open_world());
        const CHANGES: bool = false;
        const FALLIBLE: bool = true;
        const JSON_SAFE: bool = {
            use __p::probe::AssumeUnsafe as _;
            __p::probe::Probe::<u32>::IS_JSON_SAFE
        };
        fn schemas() -> &'static __p::Schemas {
            static SCHEMAS: __p::Schemas = __p::Schemas::of::<Order>();
            &SCHEMAS
        }
    }
    type __Resource0 = dyn BookShop;
    type __Resource2 = Purse;
    impl<
        __R: __p::Resources + __p::Provide<__Resource0> + __p::Provide<__Resource2>,
    > __p::AsyncAction<__R> for Order {
        async fn run(
            self,
            __skill: &Shelf,
            __cx: &mut __p::Context<Shelf>,
            __resources: &__R,
        ) -> __p::Result<Self::Output, Self::Error> {
            let __action = self;
            __p::probe::ResultParts::into_result(
                order(
                        __skill,
                        __cx,
                        <__R as __p::Provide<__Resource0>>::provide(__resources),
                        __action.title,
                        <__R as __p::Provide<__Resource2>>::provide(__resources),
                    )
                    .await,
            )
        }
    }
    impl<__G: __p::Agent> __p::RunsOn<__G> for Order
    where
        __G: __p::NeedsServer<Order>,
    {
        type Output = u32;
        type Error = ShelfFull;
        fn __run_on(
            self,
            _: &mut __G,
        ) -> __p::Result<__p::Outcome<Self::Output>, Self::Error> {
            loop {}
        }
        fn __run_stamped(
            self,
            _: &mut __G,
            _: &__p::Stamp,
        ) -> __p::Result<__p::Outcome<Self::Output>, Self::Error> {
            loop {}
        }
    }
    const _: () = __p::report_unlisted::<Order>();
};
pub struct Street {
    pub shop: Box<dyn BookShop>,
    pub purse: Purse,
    pub number: u32,
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
    impl __p::Provide<Box<dyn BookShop>> for Street {
        fn provide(&self) -> &Box<dyn BookShop> {
            &self.shop
        }
    }
    impl __p::Provide<dyn BookShop + 'static> for Street {
        fn provide(&self) -> &(dyn BookShop + 'static) {
            &*self.shop
        }
    }
    impl __p::Provide<Purse> for Street {
        fn provide(&self) -> &Purse {
            &self.purse
        }
    }
    const _: () = __p::report_resources::<Street>();
};
