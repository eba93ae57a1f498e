//! Agents with no, one and several skills, derived and hand-written, and with their own actions.

use crate::common::sample_agents::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::Stamp;
use skill_agent::prelude::*;
use std::time::{Duration, SystemTime};

#[test]
fn an_agent_without_skills_has_an_empty_state_and_no_actions() {
    let mut empty_agent = EmptyAgent::new();
    assert_eq!(
        (
            EmptyAgent::skills().len(),
            EmptyAgent::actions().len(),
            EmptyAgent::tools().len()
        ),
        (0, 0, 0)
    );
    assert_eq!(empty_agent.state_value().unwrap(), json!({}));
    assert_eq!(serde_json::to_string(empty_agent.state()).unwrap(), "{}");
    let error = empty_agent.call_json("anything", "{}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent `empty_agent` has no action `anything`"
    );
    assert_eq!(empty_agent.run(&[]).unwrap().output, Vec::<Value>::new());
    assert!(empty_agent.run(&[Instruction::new("", json!({}))]).is_err());
    empty_agent.set(&json!({})).unwrap();
    assert!(empty_agent.set(&json!({ "a": 1 })).is_err());
    assert_eq!(
        EmptyAgent::from_state_json("{}").unwrap(),
        EmptyAgent::default()
    );
    let schema = json!({
        "description": "Has no skills.", "type": "object", "properties": {}, "additionalProperties": false,
    });
    assert_eq!(EmptyAgent::schema().as_value(), &schema);
    assert_eq!(EmptyAgent::describe()["skills"], json!([]));
    assert!(EmptyAgent::builder().config_value(&json!({})).is_ok());
}

#[test]
fn an_agent_with_one_skill_executes_its_commands() {
    let mut agent = NotesAgent::new();
    assert_eq!(agent.cmd(Write { line: "abc".into() }).unwrap().output, 1);
    assert_eq!(
        agent
            .cmd(Write {
                line: "abcd".into()
            })
            .unwrap_err(),
        TooLong { length: 4 }
    );
    assert_eq!(agent.state().notes.lines, ["abc"]);
    assert_eq!(agent.call_json("clear", "{}").unwrap().output, "null");
    assert_eq!(agent.state().notes.lines, Vec::<String>::new());
}

#[test]
fn an_agent_has_its_own_actions_over_its_base_fields() {
    let mut agent = FullAgent::new();
    assert!(agent.state().open);
    let done = agent.cmd(Open { now: true }).unwrap();
    assert_eq!(done.output, 1);
    let Directive::Run(instruction) = &done.directives[0] else {
        panic!("{:?}", done.directives)
    };
    assert_eq!(
        (&*instruction.action, &*instruction.origin.skill),
        ("mark", "full_agent")
    );

    assert_eq!(
        agent.call_json("open", r#"{"now":true}"#).unwrap().output,
        "2"
    );
    let before = agent.clone();
    assert_eq!(
        agent.cmd(Open { now: true }).unwrap_err(),
        "full_agent was opened too often"
    );
    assert_eq!(agent, before);
    let batch = [
        Instruction::new("mark", json!({ "times": 2 })),
        Instruction::new("open", json!({ "now": true })),
    ];
    assert_eq!(agent.run(&batch).unwrap_err().index, 1);
    assert_eq!(agent, before);
    assert_eq!(
        agent.state_value().unwrap(),
        json!({ "open": true, "openedTimes": 2, "notes": { "lines": [], "max_length": 5 }, "tally": { "count": 0 } })
    );
    let names: Vec<&str> = FullAgent::actions()
        .iter()
        .map(|action| action.name)
        .collect();
    assert_eq!(names, ["open", "hours", "write", "clear", "mark"]);
    assert_eq!(FullAgent::skill_config::<FullAgentBase>().max_opened, 2);
}

#[test]
fn hand_written_skills_and_actions_work_with_derived_ones() {
    let mut agent = FullAgent::new();
    assert_eq!(agent.cmd(Mark { times: 2 }).unwrap().output, 2);
    let done = agent.call_json("mark", r#"{"times":3}"#).unwrap();
    assert_eq!((&*done.output, done.directives.len()), ("5", 1));
    assert_eq!(agent.state().tally.count, 5);
    let error = agent
        .call_json("mark", r#"{"time":3}"#)
        .unwrap_err()
        .to_string();
    assert!(error.contains("did you mean `times`?"), "{error}");
    let tool = FullAgent::tools()
        .iter()
        .find(|tool| tool.name == "mark")
        .unwrap();
    assert_eq!(
        (tool.description, tool.hints.open_world),
        ("Make marks.", true)
    );
    assert_eq!(
        tool.input_schema()["properties"]["times"]["type"],
        "integer"
    );
    assert_eq!(tool.output_schema().unwrap()["type"], "integer");
    assert_eq!(FullAgent::skills()[1].state_key, "tally");
}

#[test]
fn an_agent_describes_itself() {
    let all = FullAgent::describe();
    for (key, value) in [
        ("name", json!("full_agent")),
        ("description", json!("Writes, counts, and can be closed.")),
        ("version", json!("1.0.0")),
        ("category", json!("work")),
        ("tags", json!(["desk", "chair"])),
        ("type", json!("pure::common::sample_agents::FullAgent")),
        ("state_schema", FullAgent::schema().as_value().clone()),
    ] {
        assert_eq!(all[key], value, "{key}");
    }
    let notes = &all["skills"][0];
    for (key, value) in [
        ("name", json!("notes")),
        ("alias_of", Value::Null),
        ("title", json!("Notes")),
        ("description", json!("Keeps lines.")),
        ("category", json!("memory")),
        ("version", json!("0.3.0")),
        ("tags", json!(["text", "memory"])),
        ("type", json!("pure::common::sample_agents::Notes")),
        ("state_key", json!("notes")),
        ("instructions", json!("Write down what matters.")),
        ("config", json!({ "max_length": 5, "prefix": null })),
    ] {
        assert_eq!(notes[key], value, "{key}");
    }
    assert_eq!(
        notes["config_schema"]["properties"]["max_length"]["default"],
        5
    );
    assert_eq!(all["skills"][1]["requires"], json!(["notes"]));
    let clear = &all["actions"][3];
    assert_eq!(
        (&clear["name"], &clear["title"]),
        (&json!("clear"), &json!("Forget"))
    );
    assert_eq!(clear["hints"]["destructive"], true);
    assert_eq!(all["actions"][0]["routes"][0]["pattern"], "agent.open");
    assert_eq!(
        all["actions"][0]["input_schema"]["required"],
        json!(["now"])
    );
    let config = NotesAgent::describe();
    assert_eq!(config["skills"][0]["config"]["max_length"], 3);
}

#[test]
fn a_command_can_carry_a_stamp() {
    /// Records times.
    #[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "clock", actions(Tick))]
    struct Clock {
        ticks: Vec<(u64, String)>,
    }
    /// Record the time.
    #[action]
    fn tick(clock: &mut Clock, cx: &mut Context<Clock>) -> Result<usize, String> {
        let now = cx.now().ok_or("no time")?;
        let id = cx.id().ok_or("no id")?.to_owned();
        let seconds = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_err(|e| e.to_string())?;
        clock.ticks.push((seconds.as_secs(), id));
        cx.emit(Signal::new("clock.ticked", Value::Null));
        Ok(clock.ticks.len())
    }
    agent! {
        #[derive(Debug)]
        struct ClockAgent { name: "clock_agent", skills: [Clock] }
    }
    let stamp =
        |seconds, id: &str| Stamp::new(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds), id);
    let mut agent = ClockAgent::new();
    assert_eq!(agent.cmd(Tick {}).unwrap_err(), "no time");
    let done = agent.cmd_stamped(&stamp(1, "a"), Tick {}).unwrap();
    let Directive::Emit(signal) = &done.directives[0] else {
        panic!("{done:?}")
    };
    assert_eq!(signal.origin.cause.as_deref(), Some("a"));
    agent
        .call_json_stamped(&stamp(2, "b"), "tick", "{}")
        .unwrap();
    let batch = [
        Instruction::new("tick", json!({})),
        Instruction::new("tick", json!({})),
    ];
    agent.run_stamped(&stamp(3, "c"), &batch).unwrap();
    let ticks: Vec<u64> = agent
        .state()
        .clock
        .ticks
        .iter()
        .map(|(time, _)| *time)
        .collect();
    assert_eq!(ticks, [1, 2, 3, 3]);
}

#[test]
fn an_action_can_be_tested_with_a_context_and_without_an_agent() {
    let config = NotesConfig {
        max_length: 9,
        prefix: Some("> ".to_owned()),
    };
    let mut notes = Notes::init(&config);
    let mut cx = Context::<Notes>::for_test(config)
        .with_reply_to("inbox")
        .with_signal(Signal::new("notes.asked", json!(1)))
        .with_stamp(Stamp::new(SystemTime::UNIX_EPOCH, "test 1"));
    assert_eq!(
        (cx.skill(), cx.agent_name(), cx.agent_id()),
        ("notes", "test", None)
    );
    assert_eq!(
        (cx.reply_to(), cx.signal().unwrap().ty()),
        (Some("inbox"), "notes.asked")
    );
    assert_eq!(
        (cx.now(), cx.id()),
        (Some(SystemTime::UNIX_EPOCH), Some("test 1"))
    );
    assert_eq!(write(&mut notes, &mut cx, "abc".to_owned()), Ok(1));
    cx.reply(Signal::new("notes.done", json!(null)));
    cx.stop("enough");
    assert_eq!(
        (notes.lines.clone(), cx.directives().len()),
        (vec!["> abc".to_owned()], 3)
    );
    let json = serde_json::to_value(cx.into_directives()).unwrap();
    assert_eq!(json[0]["directive"], "emit");
    assert_eq!(json[0]["effect"]["subject"], "line");
    assert_eq!(
        json[0]["origin"],
        json!({ "skill": "notes", "cause": "test 1", "tags": [] })
    );
    assert_eq!(json[1]["effect"]["to"], "inbox");
    assert_eq!(
        (&json[2]["directive"], &json[2]["reason"]),
        (&json!("stop"), &json!("enough"))
    );
}

#[test]
fn generic_code_can_require_a_skill() {
    fn lines<G: HasSkill<Notes>>(agent: &G) -> usize {
        agent.state_of().lines.len()
    }
    let mut agent = FullAgent::new();
    agent.cmd(Write { line: "a".into() }).unwrap();
    assert_eq!((lines(&agent), lines(&NotesAgent::new())), (1, 0));
}

mod generic_code_with_the_prelude_alone {
    use crate::common::sample_agents::{Clear, Notes, TooLong, Write};
    use skill_agent::prelude::*;

    /// Writes a line with and without a stamp.
    pub fn write_twice<G: Agent + HasSkill<Notes>>(
        agent: &mut G,
        line: &str,
    ) -> Result<Outcome<usize>, TooLong> {
        let line = || line.to_owned();
        let stamp = Stamp::new(std::time::SystemTime::UNIX_EPOCH, "1");
        agent.cmd_stamped(&stamp, Write { line: line() })?;
        agent.cmd(Write { line: line() })
    }

    /// The bound has `Agent` in it.
    pub fn clear<G: HasSkill<Notes>>(agent: &mut G) {
        let Ok(_) = agent.cmd(Clear {});
    }
}

#[test]
fn generic_code_runs_the_actions_of_a_skill_that_it_requires() {
    use generic_code_with_the_prelude_alone::{clear, write_twice};
    let mut agent = FullAgent::new();
    let written = write_twice(&mut agent, "a").unwrap();
    assert_eq!(agent.state().notes.lines.len(), 2);
    assert_eq!(written.directives.len(), 1);
    clear(&mut agent);
    assert_eq!(agent.state().notes.lines, [""; 0]);

    let mut agent = NotesAgent::new();
    assert_eq!(write_twice(&mut agent, "long"), Err(TooLong { length: 4 }));
    assert_eq!(agent, NotesAgent::new(), "the failed action is undone");
}

/// Queues an action.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "chain", actions(Begin, GoOn))]
pub struct Chain {}

/// Begin.
#[action]
pub fn begin(_: &mut Chain, cx: &mut Context<Chain>) {
    cx.run(Instruction::new("go_on", json!({})));
}

/// Go on.
#[action]
pub fn go_on(_: &mut Chain) {}

agent! {
    pub struct Chained {
        name: "chained",
        skills: [Chain],
        actions: [BeginBase],
    }
}

/// Begin without a skill.
#[action]
pub fn begin_base(_: &mut ChainedBase, cx: &mut Context<ChainedBase>) {
    cx.run(Instruction::new("go_on", json!({})));
}

#[test]
fn a_queued_action_of_a_skill_has_the_tag_of_its_origin() {
    let mut agent = Chained::new();
    for (action, tags) in [("begin", &["skill"][..]), ("begin_base", &[])] {
        let queued = agent.call_json(action, "{}").unwrap().directives;
        let [Directive::Run(effect)] = &queued[..] else {
            panic!("{queued:?}");
        };
        assert_eq!(effect.origin.tags, tags, "{action}");
    }
}
