/// Everything a document may say.
static GREETING: SkillDoc = {
    use ::skill_agent::manifest::__private as __p;
    const _: &[u8] = __p::include_bytes!(
        "/golden/documents/greeting/SKILL.md"
    );
    const _: () = {
        use ::skill_agent::core::__private as __p;
        const _: () = __p::report_toolset::<tools::HelloToolset>();
    };
    __p::Embedded {
        id: "greeting",
        name: "greeting",
        description: "Greets people. Says goodbye too.",
        brief_description: "Greets people",
        version: __p::Some("1.2.0"),
        license: __p::Some("MIT"),
        compatibility: __p::Some("any"),
        metadata: const {
            &[
                (__p::text("author"), __p::text("us")),
                (__p::text("stars"), __p::text("5")),
            ]
        },
        allowed_tools: __p::Some(const { &[__p::text("Read"), __p::text("Grep")] }),
        toolsets: const { &[__p::text("toolsets/index:HelloToolset")] },
        scripts: __p::Some(const { &[__p::text("scripts/wave.sh")] }),
        keywords: const { &[__p::text("hello"), __p::text("good morning")] },
        verbs: const { &[__p::text("greet")] },
        patterns: const { &[__p::text("greet\\s+\\w+")] },
        paths: const { &[__p::text("greetings/**"), __p::text("*.{txt,md}")] },
        default_enabled: false,
        requires: const { &[__p::text("clock@^1")] },
        user_invocable: false,
        argument_hint: __p::Some("[name]"),
        argument_placeholders: true,
        body: "# Greeting\n\nSay \"hello\".",
        body_offset: 464usize,
        ..__p::Embedded::EMPTY
    }
        .doc()
};
/// A folder of documents.
static FOLDER: &[SkillDoc] = {
    use ::skill_agent::manifest::__private as __p;
    const _: &[u8] = __p::include_bytes!(
        "/golden/documents/compile/SKILL.md"
    );
    const _: &[u8] = __p::include_bytes!(
        "/golden/documents/greeting/SKILL.md"
    );
    static __DOCUMENTS: [__p::SkillDoc; 2usize] = [
        __p::Embedded {
            id: "compile",
            name: "compile",
            brief_description: "Compile a plan",
            summary: "Compile a plan.",
            invocation_mode: __p::ToolDispatch,
            command: __p::Some("compile"),
            command_tool: __p::Some("compile_plan"),
            requires_tools: const { &[__p::text("read"), __p::text("write")] },
            os: const { &[__p::text("linux")] },
            env: const { &[__p::text("HOME")] },
            binaries: const { &[__p::text("git")] },
            body: "# Compile",
            body_offset: 197usize,
            ..__p::Embedded::EMPTY
        }
            .doc(),
        __p::Embedded {
            id: "greeting",
            name: "greeting",
            body: "# Greeting\n\nSay \"hello\".",
            body_offset: 464usize,
            ..__p::Embedded::EMPTY
        }
            .doc(),
    ];
    &__DOCUMENTS
};
/// Greets as its document says.
pub struct Greeting {}
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
        SCHEMA.get_or_init(__p::state_json_schema::<Greeting>)
    }
    fn __config_schema() -> &'static __p::serde_json::Value {
        static SCHEMA: __p::OnceLock<__p::serde_json::Value> = __p::OnceLock::new();
        SCHEMA.get_or_init(__p::config_json_schema::<Greeting>)
    }
    static __VTABLE: __p::SkillVtable = __p::SkillVtable::without_config::<Greeting>();
    impl __p::Skill for Greeting {
        type Config = __p::NoConfig;
        const SPEC: __p::SkillSpec = __p::SkillSpec::new("greeting")
            .type_path(__p::concat!(__p::module_path!(), "::Greeting"))
            .state_key("greeting")
            .description("Greets people. Says goodbye too.")
            .version("1.2.0")
            .instructions("# Greeting\n\nSay \"hello\".")
            .__without_references()
            .requires(&["bell", "clock@^1"])
            .triggers(
                __p::TriggerSpec::new()
                    .keywords(&["hello", "good morning"])
                    .verbs(&["greet"])
                    .patterns(&["greet\\s+\\w+"])
                    .paths(&["greetings/**", "*.{txt,md}"]),
            )
            .__joined()
            .schemas(__state_schema, __config_schema)
            .__provenance(__p::Provenance::Derive);
        const __VTABLE: &'static __p::SkillVtable = &__VTABLE;
    }
    impl __p::Hooks for Greeting {}
    impl<__R: __p::Resources> __p::SkillRunsWith<__R> for Greeting {}
    const _: &[u8] = __p::include_bytes!(
        "/golden/documents/greeting/SKILL.md"
    );
};
