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
    /// The text on its back.
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
        mut limit_use: __p::LimitUse<'_, String>,
    ) -> __p::Result<(), __p::String> {
        __p::limit_length::<
            String,
            _,
        >(
            &mut limit_use,
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
        let _ = __limits_0(__p::LimitUse::Describe(schema));
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
    fn __limits_1(
        mut limit_use: __p::LimitUse<'_, u32>,
    ) -> __p::Result<(), __p::String> {
        __p::limit_range::<
            u32,
            _,
        >(
            &mut limit_use,
            {
                let end: <u32 as ::skill_agent::core::bounds::Ranged>::Number = 0;
                end
            }..{
                let end: <u32 as ::skill_agent::core::bounds::Ranged>::Number = 10;
                end
            },
        )?;
        __p::Ok(())
    }
    fn __refine_1(schema: &mut __p::schemars::Schema) {
        let _ = __limits_1(__p::LimitUse::Describe(schema));
    }
    fn __limits_2(
        mut limit_use: __p::LimitUse<'_, Option<String>>,
    ) -> __p::Result<(), __p::String> {
        static __PATTERN_2: __p::Pattern = __p::Pattern::new("^[a-z]+$");
        __p::limit_pattern::<Option<String>>(&mut limit_use, &__PATTERN_2)?;
        __p::Ok(())
    }
    fn __refine_2(schema: &mut __p::schemars::Schema) {
        let _ = __limits_2(__p::LimitUse::Describe(schema));
    }
    impl __p::ArgumentList for Put {
        const STRUCT: &'static str = "Put";
        const DESCRIPTION: &'static str = "Put a book on the shelf.";
        const NAMES: &'static [&'static str] = &["title", "at", "mark"];
        const ARGS: &'static [__p::Arg] = &[
            __p::Arg::of::<Self, 0>("The text on its back.").refine(__refine_0),
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
            .routes(__ROUTES)
            .__arguments(<Put as __p::ArgumentList>::NAMES);
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
pub fn count(shelf: &Shelf, author: String, is_exact: bool) -> io::Result<usize> {
    Ok(0)
}
/// Count the books of an author, by a name that serde reads.
pub struct Count {
    ///The argument `author`.
    pub author: String,
    ///The argument `isExact`.
    pub is_exact: bool,
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
        #[serde(rename = "isExact")]
        #[serde(default = "__default_1")]
        is_exact: bool,
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
            .internal()
            .__arguments(&["author", "isExact"])
            .__aliases(&["writer"]);
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
            __p::probe::ResultParts::into_result(
                count(__skill, self.author, self.is_exact),
            )
        }
    }
    const _: () = __p::report_unlisted::<Count>();
};
