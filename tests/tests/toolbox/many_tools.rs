//! 10,000 tools: the times are printed, since machines differ. Run with `--release` and `--nocapture`.

use crate::script::{Script, tool};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::time::Instant;

const TOOLS: usize = 10_000;

#[timed_test::test]
async fn ten_thousand_tools_are_built_listed_and_called() {
    let tools: Vec<_> = (0..TOOLS)
        .map(|number| tool(&format!("tool_{number}")))
        .collect();
    let (counted, plain) = (Script::with_generation(tools.clone()), Script::with(tools));
    for (name, source) in [("with a generation", counted), ("without one", plain)] {
        let start = Instant::now();
        let toolbox = Toolbox::builder().source("disk", source.clone());
        let toolbox = toolbox.build().await.unwrap();
        println!("{name}: build {:?}", start.elapsed());
        let session = toolbox.session(ForeignCaller::Model);
        let list = session.list().await;
        assert_eq!(list.tools.len(), TOOLS);
        let lists = source.lists();

        const TIMES: u32 = 20;
        let start = Instant::now();
        for _ in 0..TIMES {
            assert!(Arc::ptr_eq(&list, &session.list().await));
        }
        println!("{name}: list {:?}", start.elapsed() / TIMES);
        let start = Instant::now();
        let before = source.lists();
        for _ in 0..TIMES {
            session.call("tool_9999", r#"{"text":"a"}"#).await.unwrap();
        }
        println!("{name}: call {:?}", start.elapsed() / TIMES);
        assert_eq!(source.lists(), before, "a call lists nothing");
        let start = Instant::now();
        session.call("tol_9999", "{}").await.unwrap_err();
        println!("{name}: unknown name {:?}", start.elapsed());
        let start = Instant::now();
        source.list_now(
            (0..=TOOLS)
                .map(|number| tool(&format!("tool_{number}")))
                .collect(),
        );
        let grown = session.list().await;
        println!("{name}: list after a change {:?}", start.elapsed());
        assert_eq!(grown.generation, list.generation + 1);
        assert!(source.lists() > lists);
    }
}
