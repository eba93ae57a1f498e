//! Conversations that are kept in the log of a server, and the turns of them.

#[path = "../durable/numbers.rs"]
mod numbers;

mod bounds;
mod chaos;
mod chat_tools;
mod damage;
mod deferred;
mod deleting;
mod keys;
mod killed;
mod measure;
mod readers;
mod rent;
mod restarts;
mod rewinding;
mod selecting;
mod steering;
mod support;
mod turns;
mod verdicts;
