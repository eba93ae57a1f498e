//! The tools of the example agent, as every provider reads them.

use serde_json::Value;
use skill_agent::models::{Limit, Measure, Provider, ToolsJson, ToolsProblem};
use skill_agent::{Agent, Tool};
use skill_examples::Workbench;

#[test]
fn all_tools_fit_every_provider() {
    assert_eq!(Workbench::tools().len(), 68);
    for &provider in Provider::ALL {
        if provider == Provider::ANTHROPIC_STRICT {
            continue; // below
        }
        let text = Workbench::tools_json(provider).unwrap_or_else(|error| panic!("{error}"));
        let tools: Vec<Value> = serde_json::from_str(text).unwrap();
        assert_eq!(tools.len(), 68, "{provider:?}");
        println!("{provider:?}: {} bytes", text.len());
    }
}

#[test]
fn anthropic_in_strict_mode_takes_twenty_tools_at_a_time() {
    let provider = Provider::ANTHROPIC_STRICT;
    let error = Workbench::tools_json(provider).unwrap_err();
    let limits = error.problems().iter().map(|problem| match problem {
        ToolsProblem::Limit { limit, found, .. } => (*limit, *found),
        other => panic!("{other:?}"),
    });
    let limits: Vec<(Limit, usize)> = limits.collect();
    assert!(
        limits.contains(&(Limit::new(Measure::Tools, 20), 68)),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains("Anthropic strict accepts at most 20 tools in a request, and there are 68")
    );

    // as many of the next tools as fit
    let mut rest: &[Tool<'static>] = Workbench::tools();
    let mut lists = Vec::new();
    while !rest.is_empty() {
        let most = rest.len().min(20);
        let fits = |count: &usize| provider.tools(&rest[..*count]).is_ok();
        let count = (1..=most).rev().find(fits).expect("one tool fits");
        lists.push(count);
        rest = &rest[count..];
    }
    println!("Anthropic strict in lists of {lists:?}");
    assert!(lists.len() <= 5, "{lists:?}");
}
