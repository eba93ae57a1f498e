//! The routes of skills against what the original's plugins do, in `../shared/oracles/signal_router_rules.json`.

mod common;

use common::oracle::*;
use common::sample_agents::Mark;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::core::__private::examine;
use skill_agent::core::{ActionSpec, Route, Router, SkillSpec};
use skill_agent::prelude::*;

/// The check of `agent!`, over an agent of one skill whose actions have these routes.
fn clash(routes: &[(&str, &str, i8)]) -> bool {
    let mut actions: Vec<ActionSpec> = Vec::new();
    for (_, target, _) in routes {
        if actions.iter().all(|action| action.name != *target) {
            let own = routes.iter().filter(|(_, other, _)| other == target);
            // specs are constants and live as long as the program; so do these few
            let live = |text: &str| -> &'static str { text.to_owned().leak() };
            let own: Vec<Route> = own
                .map(|(pattern, _, priority)| Route::new(live(pattern)).priority(*priority))
                .collect();
            let name = live(target);
            actions.push(ActionSpec::of::<Mark>(name, "Post.").routes(own.leak()));
        }
    }
    let actions: &'static [ActionSpec] = actions.leak();
    let skills = [
        SkillSpec::new("agent"),
        SkillSpec::new("slack").actions(actions),
    ];
    let flags = examine::<2, 8, 8, 8>(&skills, actions, &[]);
    flags[1] != 0
}

#[test]
fn routes_of_skills_clash_where_pattern_and_priority_are_the_same() {
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
        // A skill cannot take another's route away: `on_conflict` has no counterpart, and what it settles is a clash.
        let replaces = rows(&row["input"])
            .iter()
            .any(|route| route[2]["on_conflict"] == "replace");
        assert_eq!(clash(&routes), twice, "{row}");
        if replaces {
            continue;
        }
        assert_eq!(!clash(&routes), row["ok"], "{row}");
        if row["ok"] == true {
            // Of different priorities both stay, and the one that stays alone there comes first.
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
fn routes_of_an_instance_begin_with_its_name() {
    let of = |agent: &[(Route, &str)], skills: &[SkillSpec]| {
        let last = skills.last().unwrap();
        (agent[0].0.pattern.to_string(), last.state_key)
    };
    for row in rules("plugin_route_prefix") {
        let (route, key) = match row["as_"].is_null() {
            true => of(&Team::routes(), Team::skills()),
            false => of(&Helpdesk::routes(), Helpdesk::skills()),
        };
        if row["as_"].is_null() {
            assert_eq!(route, row["expanded"], "{row}");
            assert_eq!(key, row["state_key"], "{row}");
        } else {
            // There the alias stands before the name, here in its place.
            assert_eq!((&*route, key), ("support.post", "support"), "{row}");
        }
    }
}
