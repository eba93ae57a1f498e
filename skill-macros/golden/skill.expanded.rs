/// A skill with every option.
pub struct Shelf {
    pub room: u32,
    pub label: String,
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
        __ENTRIES[1usize]
            .spec()
            .title("Purchase")
            .description("Buy a book.")
            .__input(__input_schema_1),
    ];
    const __LISTED: &[u32] = &__p::listed::<{ __p::capacity(2usize) }>(__SPECS);
    const _: () = __p::report_argument(&__ENTRIES[1usize].spec(), "title");
    fn __input_schema_1() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA
            .get_or_init(|| __p::describe_arguments(
                &__ENTRIES[1usize].spec(),
                &[("title", "The title on the cover.")],
            ))
    }
    const _: () = __p::report_skill::<
        Shelf,
        { __p::capacity(2usize) },
        { __p::route_room::<Shelf>() },
    >();
    fn __state_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::state_json_schema::<Shelf>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_json_schema::<Shelf>)
    }
    static __VTABLE: __p::SkillVtable = __p::SkillVtable::of::<Shelf>();
    impl __p::Skill for Shelf {
        type Config = ShelfConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("shelf")
            .type_path(__p::concat!(__p::module_path!(), "::Shelf"))
            .state_key("books")
            .title("Shelf")
            .description("A skill with every option.")
            .category("home")
            .version("1.2.0")
            .instructions("Put books back with `{Put}`.")
            .tags(&["paper"])
            .signals(&["book.*"])
            .requires(&["ladder@^1"])
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
            .__provenance(__p::Provenance::Derive);
        const __VTABLE: &'static __p::SkillVtable = &__VTABLE;
        const ACTIONS: &'static [__p::ActionEntry<Self>] = __ENTRIES;
        const HOOKS: __p::Option<__p::HookEntry<Self>> = __p::Some(
            __p::HookEntry::<Self>::of(),
        );
        const __CONFIG_FIELDS: __p::ConfigFields<Self> = __p::ConfigFields::<
            Self,
        >::kept(&["room"])
            .always(|state, initial| {
                __p::swap(&mut state.label, &mut initial.label);
            });
        fn init(__config: &Self::Config) -> Self {
            Self {
                room: {
                    let value: &u32 = &__config.room;
                    __p::Clone::clone(value)
                },
                label: {
                    let value: &String = &__config.label;
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
    const _: () = {
        use __p::probe::AssumeUnsafe as _;
        __p::probe::report_copy_of_secret(
            __p::probe::Probe::<<Shelf as __p::Skill>::Config>::SECRET_FIELDS,
            "room",
        )
    };
    const _: () = {
        use __p::probe::AssumeUnsafe as _;
        __p::probe::report_copy_of_secret(
            __p::probe::Probe::<<Shelf as __p::Skill>::Config>::SECRET_FIELDS,
            "label",
        )
    };
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
/// A configuration with the defaults of its fields.
pub struct ShelfConfig {
    #[schemars(range(min = 1, max = MOST_BOOKS))]
    pub room: u32,
    #[schemars(length(max = 20))]
    pub label: String,
    pub is_locked: bool,
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
    impl __p::Default for ShelfConfig {
        fn default() -> Self {
            Self {
                room: 40,
                label: __p::Default::default(),
                is_locked: __p::Default::default(),
            }
        }
    }
    impl __p::probe::ConstrainedFields for ShelfConfig {
        const FIELDS: &'static [__p::FieldConstraints] = &[
            __p::FieldConstraints::new(
                "label",
                &[
                    __p::Constraints::NONE
                        .length(__p::Bounds::ALL.high(__p::Number::Integer(20))),
                ],
            ),
            __p::FieldConstraints::new(
                "room",
                &[
                    __p::Constraints::NONE
                        .range(
                            __p::Bounds::ALL
                                .low(__p::Number::Integer(1))
                                .high(
                                    __p::Number::of(
                                        { MOST_BOOKS } as __p::i128,
                                        { MOST_BOOKS } as __p::f64,
                                        "MOST_BOOKS",
                                    ),
                                ),
                        ),
                ],
            ),
        ];
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
            .hints(__p::Hints::NONE.open_world())
            .__arguments(<Order as __p::ArgumentList>::NAMES);
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
            _: __p::Option<&__p::Stamp>,
        ) -> __p::Result<__p::Outcome<Self::Output>, Self::Error> {
            loop {}
        }
    }
    const _: () = __p::report_unlisted::<Order>();
};
pub struct Street {
    pub shop: Box<dyn BookShop>,
    pub purse: Arc<Purse>,
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
    impl __p::Provide<Arc<Purse>> for Street {
        fn provide(&self) -> &Arc<Purse> {
            &self.purse
        }
    }
    impl __p::Provide<Purse> for Street {
        fn provide(&self) -> &Purse {
            &*self.purse
        }
    }
    const _: () = __p::report_resources::<Street>();
};
