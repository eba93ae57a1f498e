//! Skills, documents and agents work in a crate where common names have other meanings.

use hygiene_agent::state::Orders;
use hygiene_agent::{Bake, Bakery, Order, Ring, names, peek};
use sa::core::serde_json::json;
use sa::{Agent, Instruction};

fn basil() -> names::Option {
    names::Option {
        topping: "basil".to_owned(),
    }
}

#[test]
fn an_agent_works_where_names_have_other_meanings() {
    let mut bakery = Bakery::new();
    let order = Order {
        choice: basil(),
        count: 4,
        note: None,
        express: false,
    };
    assert_eq!(
        bakery.cmd(order.clone()).unwrap().output,
        names::Vec { count: 4 }
    );
    let done = bakery.catering().cmd(order.clone()).unwrap();
    assert_eq!(hygiene_agent::wishes(done).len(), 1);
    let by = names::String {
        text: "Bo".to_owned(),
    };
    let heat = String::new();
    assert_eq!(
        bakery.cmd(Bake { by, heat }).unwrap().output,
        names::Result { baking: 3 }
    );
    assert_eq!(
        bakery
            .call_json("catering_bake", r#"{"by":{"text":"Cy"}}"#)
            .unwrap()
            .output,
        r#"{"baking":2}"#
    );
    assert_eq!(
        bakery
            .call_json("stamp", r#"{"some":1,"ok":true,"type":{},"none":[null]}"#)
            .unwrap()
            .output,
        "[1,true]"
    );
    assert_eq!(
        bakery.call_json("how_many", "{}").unwrap().output,
        r#"{"count":4}"#
    );
    assert_eq!(
        bakery
            .call_json("rename", r#"{"who":{"text":"Di"},"title":"Dr"}"#)
            .unwrap()
            .output,
        r#""Dr""#
    );
    assert_eq!(bakery.cmd(Ring { times: 2 }).unwrap().directives.len(), 1);

    let before = bakery.clone();
    let many = Order { count: 20, ..order };
    assert_eq!(
        bakery.cmd(many).unwrap_err().to_string(),
        "24 are open already"
    );
    assert!(
        bakery
            .call_json("order", r#"{"choice":{"topping":"a"},"how_many":21}"#)
            .is_err()
    );
    assert_eq!(bakery, before);

    let state = bakery.state_value().unwrap();
    assert_eq!(
        (&state["bell"], &state["orders"]["baker"]["text"]),
        (&json!(2), &json!("Di"))
    );
    assert_eq!(Bakery::from_state_json(&state.to_string()).unwrap(), bakery);
    assert_eq!(
        Bakery::schema().as_value()["properties"]["orders"]["properties"]["places"]["default"],
        3
    );
    assert_eq!(peek(&Orders::default()), None);
    bakery
        .run(&[Instruction::new("forget", json!({}))])
        .unwrap();
    assert_eq!(bakery.call_json("peek", "{}").unwrap().output, "null");
}

#[test]
fn skills_are_mounted_where_names_have_other_meanings() {
    let mut stand = hygiene_agent::Stand::new();
    let nothing = sa::core::serde_json::json!({});
    for entry in stand.mounted().registry().entries().to_vec() {
        stand
            .mounted_mut()
            .mount_named(entry.spec().name, &nothing)
            .unwrap();
    }
    assert_eq!(stand.mounted().len(), 2);
}

#[test]
fn documents_are_embedded_where_names_have_other_meanings() {
    use hygiene_agent::documents::{ALL, BREAD, Bread, SCONES};
    use sa::Skill;
    assert_eq!(BREAD.metadata[0].0, "flour");
    assert_eq!(BREAD.allowed_tools.as_deref().map(<[_]>::len), Some(2));
    assert_eq!(*SCONES.toolsets, ["toolsets/index:Jar"]);
    let ids: Vec<&str> = ALL.iter().map(|doc| &*doc.id).collect();
    assert_eq!(ids, ["bread", "scones"]);
    assert_eq!(Bread::SPEC.description, Some("Bake bread."));
}

#[test]
fn documents_are_listed_where_names_have_other_meanings() {
    use hygiene_agent::{Reader, Stand};
    use sa::manifest::Documents;
    assert_eq!(
        (Stand::documents().count(), Stand::allow_skills()),
        (2, true)
    );
    assert_eq!(
        (Reader::documents().count(), Reader::allow_skills()),
        (1, false)
    );
}
