//! The skill `todos`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// A list of things to do.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "todos", actions(AddTodo, ListTodos, FinishTodo, RemoveTodo))]
pub(crate) struct Todos {
    /// The number of the last item.
    last: u32,
    items: Vec<Todo>,
}

/// Something to do.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Todo {
    number: u32,
    text: String,
    done: bool,
}

/// A number that no item has.
#[derive(Debug, thiserror::Error)]
#[error("there is no item with the number {number}; `list_todos` shows the numbers")]
pub(crate) struct NoTodo {
    number: u32,
}

/// Add something to do, and return its number.
#[action]
pub(crate) fn add_todo(todos: &mut Todos, text: String) -> u32 {
    todos.last += 1;
    let number = todos.last;
    todos.items.push(Todo {
        number,
        text,
        done: false,
    });
    number
}

/// All items of the list.
#[action(read_only)]
pub(crate) fn list_todos(todos: &Todos) -> Vec<Todo> {
    todos.items.clone()
}

/// Mark an item as done.
#[action]
pub(crate) fn finish_todo(todos: &mut Todos, number: u32) -> Result<(), NoTodo> {
    let item = todos.items.iter_mut().find(|item| item.number == number);
    item.ok_or(NoTodo { number })?.done = true;
    Ok(())
}

/// Remove an item from the list.
#[action(destructive)]
pub(crate) fn remove_todo(todos: &mut Todos, number: u32) -> Result<(), NoTodo> {
    let index = todos.items.iter().position(|item| item.number == number);
    todos.items.remove(index.ok_or(NoTodo { number })?);
    Ok(())
}
