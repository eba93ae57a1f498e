//! Known faults of the reference, which the skills do not copy.

use super::{RecordedCall, Scenario};
use crate::Workbench;
use crate::skills::message::MessageContent;
use crate::skills::ticket::TicketRecord;
use serde_json::Value;
use skill_agent::Agent;

/// A known fault of the reference.
#[derive(Debug)]
pub struct Deviation {
    /// The reference's name of the skill.
    pub skill: &'static str,
    /// The actions that can cause the fault.
    pub actions: &'static [&'static str],
    /// The behaviour of the reference.
    pub reason: &'static str,
    /// The extent of the fault.
    pub reach: Reach,
    /// Whether the fault affects a call; evaluated just before the call.
    pub(super) affects: fn(&Scenario, &RecordedCall, &Workbench) -> bool,
}

/// The extent of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only the answer to the affected call.
    Answer,
    /// Everything about the skill from that call on.
    Skill,
    /// Like [`Skill`](Reach::Skill), but only at paths that contain this text.
    Paths(&'static str),
}

impl Deviation {
    /// Whether the fault explains a difference.
    pub(super) fn explains(&self, skill: &str, path: &str) -> bool {
        self.skill == skill
            && match self.reach {
                Reach::Answer | Reach::Skill => true,
                Reach::Paths(part) => path.contains(part),
            }
    }

    pub(super) fn concerns(&self, call: &RecordedCall) -> bool {
        self.skill == call.skill && self.actions.contains(&call.action.as_str())
    }
}

/// Arguments are checked against the schema first. The reference checks them later or not at all, and
/// with other messages.
pub(super) static CHECKED_FIRST: Deviation = Deviation {
    skill: "",
    actions: &[],
    reason: "both refuse the arguments, in different words",
    reach: Reach::Answer,
    affects: |_, _, _| false,
};

const FILES: &str = "GorillaFileSystem";
const MATH: &str = "MathAPI";
const TICKETS: &str = "TicketAPI";
const MESSAGES: &str = "MessageAPI";
const TWEETS: &str = "TwitterAPI";

/// All known faults.
pub static DEVIATIONS: &[Deviation] = &[
    Deviation {
        skill: FILES,
        actions: &["mv"],
        reason: "the contents of a moved directory keep their old parent, so `cd ..` and `pwd` are wrong",
        reach: Reach::Skill,
        affects: |_, call, agent| is_directory(agent, text(call, "source")),
    },
    Deviation {
        skill: FILES,
        actions: &["cp"],
        reason: "a copied directory shares its files with the original, so writing one writes both",
        reach: Reach::Skill,
        affects: |_, call, agent| is_directory(agent, text(call, "source")),
    },
    Deviation {
        skill: FILES,
        actions: &["cp"],
        reason: "copying into a directory that has the name already raises an exception instead of the error",
        reach: Reach::Answer,
        affects: |_, call, agent| {
            let here = agent.state().file_system.current().ok();
            let target = here.and_then(|here| here.directory(text(call, "destination")));
            target.is_some_and(|target| target.contains(text(call, "source")))
        },
    },
    Deviation {
        skill: FILES,
        actions: &["mv", "cp"],
        reason: "`.` and `..` are treated as new names, not as directories",
        reach: Reach::Skill,
        affects: |_, call, _| matches!(text(call, "destination"), "." | ".."),
    },
    Deviation {
        skill: FILES,
        actions: &["mkdir", "touch"],
        reason: "an empty name, `.` and `..` can be created",
        reach: Reach::Skill,
        affects: |_, call, _| {
            let key = if call.action == "mkdir" {
                "dir_name"
            } else {
                "file_name"
            };
            matches!(text(call, key), "" | "." | "..")
        },
    },
    Deviation {
        skill: FILES,
        actions: &["echo"],
        reason: "writing to a directory raises an exception",
        reach: Reach::Answer,
        affects: |_, call, agent| is_directory(agent, text(call, "file_name")),
    },
    Deviation {
        skill: FILES,
        actions: &["tail"],
        reason: "the last 0 lines are all lines",
        reach: Reach::Answer,
        affects: |_, call, _| call.arguments.get("lines").is_some_and(|lines| lines == 0),
    },
    Deviation {
        skill: MATH,
        actions: &["logarithm", "power", "square_root"],
        reason: "the result is not a real number: an exception, a complex number or infinity",
        reach: Reach::Answer,
        affects: |_, call, agent| {
            let arguments = Value::Object(call.arguments.clone()).to_string();
            agent.clone().call_json(&call.action, &arguments).is_err()
        },
    },
    Deviation {
        skill: TICKETS,
        actions: &["get_user_tickets"],
        reason: "a ticket without creator or status raises an exception",
        reach: Reach::Answer,
        affects: |_, _, agent| {
            let mut tickets = agent.state().ticket.ticket_queue.iter();
            tickets.any(|ticket| ticket.created_by.is_none() || ticket.status.is_none())
        },
    },
    Deviation {
        skill: TICKETS,
        actions: &["close_ticket", "resolve_ticket"],
        reason: "a ticket without status raises an exception",
        reach: Reach::Skill,
        affects: |_, call, agent| {
            let id = call.arguments.get("ticket_id").and_then(Value::as_i64);
            let mut tickets = agent.state().ticket.ticket_queue.iter();
            tickets
                .any(|ticket| id.is_some_and(|id| ticket.has_number(id)) && ticket.status.is_none())
        },
    },
    Deviation {
        skill: TICKETS,
        actions: &[
            "get_ticket",
            "edit_ticket",
            "close_ticket",
            "resolve_ticket",
        ],
        reason: "a ticket without number before the wanted one raises an exception",
        reach: Reach::Skill,
        affects: |_, call, agent| {
            let id = call.arguments.get("ticket_id").and_then(Value::as_i64);
            let is_wanted = |ticket: &TicketRecord| id.is_some_and(|id| ticket.has_number(id));
            let mut before = agent.state().ticket.ticket_queue.iter();
            let first = before.find(|ticket| ticket.id.is_none() || is_wanted(ticket));
            first.is_some_and(|ticket| ticket.id.is_none())
        },
    },
    Deviation {
        skill: MESSAGES,
        actions: &["search_messages"],
        reason: "a message that is not a text raises an exception",
        reach: Reach::Answer,
        affects: |_, _, agent| {
            let mut inbox = agent.state().message.inbox.iter();
            inbox.any(|sent| !matches!(sent.message, MessageContent::Text(_)))
        },
    },
    Deviation {
        skill: MESSAGES,
        actions: &["delete_message"],
        reason: "of several equal messages the first is deleted, not the latest",
        reach: Reach::Skill,
        affects: |_, call, agent| {
            let receiver = text(call, "receiver_id");
            let inbox = agent.state().message.inbox.iter();
            let mut sent = inbox.filter(|sent| sent.receiver_id == receiver).rev();
            sent.next()
                .is_some_and(|latest| sent.any(|sent| sent == latest))
        },
    },
    Deviation {
        skill: MESSAGES,
        actions: &["add_contact"],
        reason: "when the counter is behind, the next id is in use and no contact is added",
        reach: Reach::Skill,
        affects: |_, _, agent| {
            let messages = &agent.state().message;
            let next = format!("USR{:03}", u64::from(messages.user_count) + 1);
            messages
                .contacts
                .iter()
                .any(|contact| contact.user_id == next)
        },
    },
    Deviation {
        skill: TWEETS,
        actions: &["post_tweet"],
        reason: "all tweets without mentions share one list, so mentions in one show in all",
        reach: Reach::Paths(".mentions"),
        affects: |_, call, _| !call.arguments.contains_key("mentions"),
    },
    Deviation {
        skill: TWEETS,
        actions: &["mention"],
        reason: "a tweet without a list of mentions raises an exception",
        reach: Reach::Skill,
        affects: |_, call, agent| {
            let id = call.arguments.get("tweet_id").and_then(Value::as_i64);
            let tweet = id.and_then(|id| agent.state().posting.tweets.get(&id));
            tweet.is_some_and(|tweet| tweet.mentions.is_none())
        },
    },
    Deviation {
        skill: TWEETS,
        actions: &["comment", "get_tweet_comments"],
        reason: "initial comments are not found by their number",
        reach: Reach::Paths("comment"),
        affects: |scenario, call, _| {
            let tweets = scenario.initial_config.get(TWEETS);
            let comments = tweets.and_then(|tweets| tweets.get("comments"));
            let id = call.arguments.get("tweet_id").map(Value::to_string);
            comments
                .zip(id)
                .is_some_and(|(comments, id)| comments.get(id).is_some())
        },
    },
];

fn text<'a>(call: &'a RecordedCall, argument: &str) -> &'a str {
    let value = call.arguments.get(argument);
    value.and_then(Value::as_str).unwrap_or_default()
}

fn is_directory(agent: &Workbench, name: &str) -> bool {
    let here = agent.state().file_system.current();
    here.is_ok_and(|here| here.directory(name).is_some())
}
