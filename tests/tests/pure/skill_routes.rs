//! The routes of skills, compared with those of Jido's plugins in `../shared/oracles/signal_router_rules.json`.

use crate::common::oracle::*;
use crate::common::sample_agents::Mark;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::core::__private::{TableStorage, examine};
use skill_agent::core::{ActionSpec, Route, Router, SkillSpec};
use skill_agent::prelude::*;

/// Runs the composition check on an agent with one skill whose actions have these routes.
fn clash(routes: &[(&str, &str, i8)]) -> bool {
    let mut actions: Vec<ActionSpec> = Vec::new();
    for (_, target, _) in routes {
        if actions.iter().all(|action| action.name != *target) {
            let own = routes.iter().filter(|(_, other, _)| other == target);
            // specs are `'static`, so these few are leaked
            let live = |text: &str| -> &'static str { text.to_owned().leak() };
            let own: Vec<Route> = own
                .map(|(pattern, _, priority)| Route::new(live(pattern)).priority(*priority))
                .collect();
            let name = live(target);
            actions.push(ActionSpec::of::<Mark>(name, "Post.").routes(own.leak()));
        }
    }
    let actions: &'static [ActionSpec] = actions.leak();
    let skills = vec![
        SkillSpec::new("agent"),
        SkillSpec::new("slack").actions(actions),
    ];
    let skills: &'static [SkillSpec] = skills.leak();
    let storage: &'static TableStorage<8, 8, 16> = Box::leak(Box::new(TableStorage::new(skills)));
    let tables = storage.tables(skills, &[], Box::leak(Box::default()));
    examine::<2, 16, 16>(&tables).flags[1] != 0
}

#[test]
fn routes_clash_if_pattern_and_priority_are_equal() {
    for row in rules("plugin_route_conflicts") {
        let read = |route: &'_ Value| {
            let priority = route[2]["priority"].as_i64().unwrap_or(-10) as i8;
            let (pattern, target) = (text(&route[0]).to_owned(), text(&route[1]).to_owned());
            (pattern, target, priority)
        };
        let routes: Vec<_> = rows(&row["input"]).iter().map(read).collect();
        let routes: Vec<_> = routes.iter().map(|(a, b, c)| (&**a, &**b, *c)).collect();
        let twice = routes
            .iter()
            .enumerate()
            .any(|(i, (pattern, _, priority))| {
                let before = &routes[..i];
                before
                    .iter()
                    .any(|(p, _, other)| p == pattern && other == priority)
            });
        // `on_conflict` has no counterpart: a skill cannot replace the route of another, so this is a clash here.
        let replaces = rows(&row["input"])
            .iter()
            .any(|route| route[2]["on_conflict"] == "replace");
        assert_eq!(clash(&routes), twice, "{row}");
        if replaces {
            continue;
        }
        assert_eq!(!clash(&routes), row["ok"], "{row}");
        if row["ok"] == true {
            // Both routes stay; the one that Jido keeps comes first.
            let mut router = Router::new();
            for (pattern, target, priority) in &routes {
                router.insert(Route::parse(pattern, *priority).unwrap(), *target);
            }
            for kept in rows(&row["result"]) {
                let found = router.matches_type(text(&kept[0]));
                let first = &found[0];
                assert_eq!(*first.target, text(&kept[1]), "{row}");
                assert_eq!(i64::from(first.route.priority), kept[2].as_i64().unwrap());
            }
        }
    }
}

/// Posts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "slack", actions(Post))]
pub struct Slack {
    posts: u32,
}

/// Post once.
#[action(on("slack.post"))]
pub fn post(slack: &mut Slack) {
    slack.posts += 1;
}

agent! {
    struct Team { name: "team", skills: [Slack] }
}

agent! {
    struct Helpdesk { name: "helpdesk", skills: [Slack as support] }
}

#[test]
fn routes_of_an_aliased_skill_begin_with_the_alias() {
    let of = |agent: &[(Route, &str)], skills: &[SkillSpec]| {
        let last = skills.last().unwrap();
        (agent[0].0.pattern.to_string(), last.state_key)
    };
    for row in rules("plugin_route_prefix") {
        let (route, key) = if row["as_"].is_null() {
            of(&Team::routes(), Team::skills())
        } else {
            of(&Helpdesk::routes(), Helpdesk::skills())
        };
        if row["as_"].is_null() {
            assert_eq!(route, row["expanded"], "{row}");
            assert_eq!(key, row["state_key"], "{row}");
        } else {
            // Jido puts the alias before the name; here it replaces the name.
            assert_eq!((&*route, key), ("support.post", "support"), "{row}");
        }
    }
}
