//! Skills under an alias (`Calculator as calc`), and several instances of one type.

use crate::common::aliased_calculators::*;
use serde_json::{Value, json};
use skill_agent::core::Stamp;
use skill_agent::prelude::*;
use std::time::{Duration, SystemTime};

#[test]
fn each_instance_has_its_own_state_under_its_name() {
    let mut agent = TwoAliases::new();
    agent.calc().cmd(Add { a: 1.0, b: 2.0 }).unwrap();
    agent.rough().cmd(Add { a: 1.0, b: 2.0 }).unwrap();
    assert_eq!(
        (agent.state().calc.last, agent.state().rough.last),
        (3.0, 30.0)
    );
    assert_eq!(
        (agent.calc().state().last, agent.rough().state().last),
        (3.0, 30.0)
    );
    assert_eq!(
        agent.state_value().unwrap(),
        json!({
            "stats": { "samples": [] },
            "calc": { "scale": 1.0, "last": 3.0 },
            "rough": { "scale": 10.0, "last": 30.0 },
        })
    );
    assert_eq!(
        serde_json::to_value(agent.state()).unwrap(),
        agent.state_value().unwrap()
    );
    let keys: Vec<&str> = TwoAliases::skills()
        .iter()
        .map(|skill| skill.state_key)
        .collect();
    assert_eq!(keys, ["stats", "calc", "rough"]);
}

#[test]
fn an_instance_is_read_by_a_shared_reference() {
    fn read(agent: &TwoAliases) -> (f64, f64) {
        let rough = agent.instance(TwoAliases::rough);
        (rough.state().last, rough.config().scale)
    }
    let mut agent = TwoAliases::new();
    agent.rough().cmd(Add { a: 1.0, b: 2.0 }).unwrap();
    assert_eq!(read(&agent), (30.0, 10.0));
    // the state outlives the accessor
    let state = agent.instance(TwoAliases::calc).state();
    assert_eq!(state.last, 0.0);
}

#[test]
fn the_tool_names_of_an_instance_begin_with_its_alias() {
    let tools: Vec<&str> = TwoAliases::tools().iter().map(|tool| tool.name).collect();
    let of_each = ["add", "announce", "who_am_i"];
    let mut expected = vec!["record".to_owned()];
    for name in ["calc", "rough"] {
        expected.extend(of_each.map(|action| format!("{name}_{action}")));
    }
    assert_eq!(tools, expected);
    let actions: Vec<&str> = TwoAliases::actions()
        .iter()
        .map(|action| action.name)
        .collect();
    assert!(actions.contains(&"rough_reset"), "{actions:?}");

    let mut agent = TwoAliases::new();
    assert_eq!(
        agent
            .call_json("rough_add", r#"{"a":1,"b":1}"#)
            .unwrap()
            .output,
        "20.0"
    );
    assert_eq!(agent.state().calc.last, 0.0);
    assert_eq!(
        agent
            .call_json("add", r#"{"a":1,"b":1}"#)
            .unwrap_err()
            .to_string(),
        "the agent `two_aliases` has no action `add`"
    );
    let error = agent
        .call_json("rough_add", r#"{"a":1}"#)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("the arguments of `rough_add` are wrong"),
        "{error}"
    );
    let error = agent.call_json("calc_reset", "{}").unwrap_err().to_string();
    assert!(
        error.starts_with("the action `calc_reset` is internal"),
        "{error}"
    );
}

#[test]
fn an_instance_keeps_the_metadata_of_its_skill_except_the_name() {
    let [_, calc, rough] = TwoAliases::skills() else {
        panic!("three skills")
    };
    for (skill, name) in [(calc, "calc"), (rough, "rough")] {
        assert_eq!((skill.name, skill.alias_of), (name, Some("calculator")));
        assert_eq!(skill.description, Some("Calculates."));
        assert_eq!(skill.version, Some("1.2.0"));
        assert_eq!(skill.declared_name(), "calculator");
    }
    assert_eq!(TwoAliases::skills()[0].alias_of, None);
    let title = |name| {
        TwoAliases::tools()
            .iter()
            .find(|tool| tool.name == name)
            .unwrap()
            .title
    };
    assert_eq!(
        (title("calc_who_am_i"), title("rough_who_am_i")),
        (Some("Who?"), Some("Who?"))
    );
}

#[test]
fn routes_and_signals_of_an_instance_begin_with_its_alias() {
    let routes = |name: &str| -> Vec<(String, i8)> {
        let routes = TwoAliases::routes().into_iter();
        routes
            .filter(|(_, action)| *action == name)
            .map(|(route, _)| (route.pattern.to_string(), route.priority))
            .collect()
    };
    for name in ["calc", "rough"] {
        let expected = [(format!("{name}.add"), 0), (format!("{name}.*.sum"), 7)];
        assert_eq!(routes(&format!("{name}_add")), expected);
    }
    let skills = TwoAliases::skills().iter();
    let signals: Vec<Vec<String>> = skills
        .map(|skill| {
            skill
                .signals
                .iter()
                .map(|signal| skill.spell(signal))
                .collect()
        })
        .collect();
    let empty: [&str; 0] = [];
    assert_eq!(signals[0], empty);
    assert_eq!(signals[1], ["calc.**", "clock.ticked"]);
    assert_eq!(signals[2], ["rough.**", "clock.ticked"]);
}

#[test]
fn signals_and_instructions_of_an_instance_carry_its_alias() {
    let mut agent = TwoAliases::new();
    agent.rough().cmd(Add { a: 1.0, b: 0.0 }).unwrap();
    let directives = agent.rough().cmd(Announce {}).unwrap().directives;
    let queued: Vec<String> = directives
        .iter()
        .map(|directive| match directive {
            Directive::Emit(signal) => format!("emit {}", signal.ty()),
            Directive::Reply(reply) => format!("reply {}", reply.signal.ty()),
            Directive::Schedule(schedule) => {
                format!("in {:?} {}", schedule.after, schedule.signal.ty())
            }
            Directive::Run(instruction) => format!("run {}", instruction.action),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        queued,
        [
            "emit rough.announced",
            "emit rough",
            "emit calculators.announced",
            "emit clock.asked",
            "reply rough.answer",
            "in 3s rough.tick",
            "run rough_add",
            "run rough_reset",
            "run record",
        ]
    );
    let Directive::Emit(signal) = &directives[0] else {
        unreachable!()
    };
    assert_eq!(
        (signal.data(), &*signal.origin.skill),
        (&json!({ "last": 10.0 }), "rough")
    );

    // a call by name queues the same directives, and the queued instructions can be run
    assert_eq!(
        agent.call_json("rough_announce", "{}").unwrap().directives,
        directives
    );
    let batch: Vec<Instruction> = directives
        .iter()
        .filter_map(|directive| match directive {
            Directive::Run(instruction) => Some(instruction.effect.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(
        agent.run(&batch).unwrap().output,
        [json!(30.0), Value::Null, json!(1)]
    );
}

#[test]
fn a_skill_without_an_alias_keeps_its_names() {
    let mut agent = PlainAndAlias::new();
    let types = |directives: &[Directive]| -> Vec<String> {
        let json = serde_json::to_value(directives).unwrap();
        let list = json.as_array().unwrap().iter();
        list.filter_map(|one| one["effect"]["type"].as_str().map(str::to_owned))
            .collect()
    };
    let own = agent.cmd(Announce {}).unwrap().directives;
    assert_eq!(types(&own)[..2], ["calculator.announced", "calculator"]);
    let other = agent.other().cmd(Announce {}).unwrap().directives;
    assert_eq!(types(&other)[..2], ["other.announced", "other"]);

    assert_eq!(agent.cmd(Add { a: 1.0, b: 1.0 }).unwrap().output, 2.0);
    assert_eq!(
        agent.other().cmd(Add { a: 1.0, b: 1.0 }).unwrap().output,
        4.0
    );
    assert_eq!(agent.skill_state::<Calculator>().last, 2.0);
    assert_eq!(
        agent
            .call_json("other_add", r#"{"a":0,"b":0}"#)
            .unwrap()
            .output,
        "0.0"
    );
    assert_eq!(agent.state().calculator.last, 2.0);
}

#[test]
fn a_single_aliased_skill_can_be_reached_by_its_type() {
    let mut agent = OneAlias::new();
    assert_eq!(agent.cmd(Add { a: 1.0, b: 1.0 }).unwrap().output, 2.0);
    assert_eq!(
        agent.calc().cmd(Add { a: 1.0, b: 2.0 }).unwrap().output,
        3.0
    );
    assert_eq!(agent.skill_state::<Calculator>().last, 3.0);
    assert_eq!(OneAlias::skill_config::<Calculator>().unit, "m");
    assert_eq!(OneAlias::tools()[0].name, "calc_add");
}

#[test]
fn an_action_sees_the_instance_it_runs_on() {
    let mut agent = TwoAliases::new();
    let stamp = Stamp::new(SystemTime::UNIX_EPOCH + Duration::from_secs(9), "cmd 1");
    let bare = agent.calc().cmd(WhoAmI {}).unwrap().output;
    assert_eq!(
        bare,
        ("calc of two_aliases".to_owned(), "m".to_owned(), None, None)
    );
    let stamped = agent.rough().cmd_stamped(&stamp, WhoAmI {}).unwrap().output;
    assert_eq!(
        stamped,
        (
            "rough of two_aliases".to_owned(),
            "km".to_owned(),
            Some("cmd 1".to_owned()),
            Some(9)
        )
    );
    let called = agent
        .call_json_stamped(&stamp, "rough_who_am_i", "{}")
        .unwrap()
        .output;
    assert_eq!(called, r#"["rough of two_aliases","km","cmd 1",9]"#);
}

#[test]
fn each_instance_has_its_own_configuration() {
    let mut agent = TwoAliases::new();
    assert_eq!(
        (agent.calc().config().scale, agent.rough().config().scale),
        (1.0, 10.0)
    );
    let mut agent = TwoAliases::builder()
        .config_value(&json!({ "rough": { "unit": "mm" }, "calc": { "scale": 0.5 } }))
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(
        (agent.state().calc.scale, agent.state().rough.scale),
        (0.5, 10.0)
    );
    assert_eq!(&*agent.calc().config().unit, "m");
    assert_eq!(&*agent.rough().config().unit, "mm");
    assert_eq!(&*agent.rough().cmd(WhoAmI {}).unwrap().output.1, "mm");
    let again = agent.clone();
    assert_eq!(agent, again);

    let config = CalculatorConfig {
        scale: 7.0,
        unit: "cm".to_owned(),
    };
    let agent = TwoAliases::builder()
        .instance_config(TwoAliases::rough, config)
        .build()
        .unwrap();
    assert_eq!(
        (agent.state().calc.scale, agent.state().rough.scale),
        (1.0, 7.0)
    );

    let error = TwoAliases::builder()
        .config_value(&json!({ "calculator": {}, "rough": { "unit": 1, "scal": 1 } }));
    let error = error.unwrap_err().to_string();
    for expected in [
        "`calculator`: unknown field",
        "`rough.unit`: invalid type",
        "`rough.scal`: unknown field",
    ] {
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_state_is_read_by_the_aliases_of_the_instances() {
    let agent = TwoAliases::from_state_json(r#"{"rough":{"last":7}}"#).unwrap();
    assert_eq!(
        (agent.state().rough.scale, agent.state().rough.last),
        (10.0, 7.0)
    );
    assert_eq!(agent.state().calc, TwoAliases::new().state().calc);
    let error = TwoAliases::validate(&json!({ "calc": { "last": "seven" }, "calculator": {} }))
        .unwrap_err();
    let paths: Vec<&str> = error
        .problems()
        .iter()
        .map(|problem| &*problem.path)
        .collect();
    assert_eq!(paths, ["calc.last", "calculator"]);

    let schema = TwoAliases::schema().as_value();
    assert_eq!(
        schema["properties"]["rough"]["properties"]["scale"]["default"],
        10.0
    );
    assert_eq!(
        schema["properties"]["calc"]["properties"]["scale"]["default"],
        1.0
    );
}

#[test]
fn a_failed_run_over_several_instances_changes_nothing() {
    let mut agent = TwoAliases::new();
    let batch = [
        Instruction::new("calc_add", json!({ "a": 1, "b": 1 })),
        Instruction::new("rough_add", json!({ "a": 1, "b": 1 })),
        Instruction::new("record", json!({ "sample": "x" })),
    ];
    assert_eq!(agent.run(&batch).unwrap_err().index, 2);
    assert_eq!(agent, TwoAliases::new());
}
