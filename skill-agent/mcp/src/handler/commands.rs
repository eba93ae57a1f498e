//! The slash commands of documents as prompts.
//!
//! A document for the model is a prompt with its body, and takes the words after the command as one argument. A document that calls
//! a tool has the arguments of the tool; its prompt asks the model to make the call, so that the person at the client sees it.

use super::Inner;
use rmcp::ErrorData;
use rmcp::model::{GetPromptRequestParams, JsonObject, Prompt, PromptArgument};
use serde_json::Value;
use skill_agent_documents::{Catalog, CatalogEntry, CommandError, CommandOutcome, InvocationMode};
use skill_agent_schema::SchemaNode;
use skill_agent_toolbox::ToolList;
use std::fmt::Write;

/// The argument of a document for the model: the words after its command.
const WORDS: &str = "arguments";

impl Inner {
    pub(super) async fn commands(&self) -> Result<Vec<Prompt>, ErrorData> {
        if self.toolbox.catalog().is_none() {
            return Ok(Vec::new());
        }
        let tools = self.toolbox.known_list();
        self.with_catalog(move |catalog| {
            let entries = catalog.skills().filter(|entry| entry.doc().user_invocable);
            Ok(entries.filter_map(|entry| prompt(entry, &tools)).collect())
        })
        .await
    }

    /// Returns the text of a document's prompt, or `None` if no document has the name.
    pub(super) async fn command(
        &self,
        request: GetPromptRequestParams,
    ) -> Result<Option<String>, ErrorData> {
        if !self.is_command(&request.name) {
            return Ok(None);
        }
        self.with_catalog(move |catalog| {
            let outcome = outcome(
                catalog,
                &request.name,
                request.arguments.unwrap_or_default(),
            )?;
            Ok(Some(outcome))
        })
        .await
    }

    /// Returns the values that an argument of a prompt may have, if there are finitely many.
    pub(super) async fn values(
        &self,
        prompt: &str,
        argument: &str,
    ) -> Result<Vec<String>, ErrorData> {
        let catalog = self.toolbox.catalog();
        let entry = catalog.as_ref().and_then(|catalog| catalog.get(prompt));
        let tools = self.toolbox.known_list();
        let schema = entry.and_then(|entry| schema(entry, &tools));
        let node = schema.and_then(|schema| SchemaNode::root(schema).property(argument));
        Ok(node.map(values).unwrap_or_default())
    }

    fn is_command(&self, name: &str) -> bool {
        let catalog = self.toolbox.catalog();
        catalog.is_some_and(|catalog| {
            catalog
                .get(name)
                .is_some_and(|entry| entry.doc().user_invocable)
        })
    }
}

/// Returns the schema of the tool that a document calls, if it calls one.
fn schema<'t>(entry: &CatalogEntry, tools: &'t ToolList) -> Option<&'t Value> {
    let tool = entry.doc().command_tool.as_deref()?;
    let mut tools = tools.tools.iter();
    tools
        .find(|listed| listed.tool.name == tool)
        .map(|listed| &listed.tool.input_schema)
}

fn calls_tool(entry: &CatalogEntry) -> bool {
    matches!(entry.doc().invocation_mode, InvocationMode::ToolDispatch)
}

/// Returns `None` if the document calls a tool that the toolbox lacks.
fn prompt(entry: &CatalogEntry, tools: &ToolList) -> Option<Prompt> {
    let doc = entry.doc();
    let arguments = if calls_tool(entry) {
        let node = SchemaNode::root(schema(entry, tools)?);
        let required: Vec<&str> = node.required().collect();
        let arguments = node.properties().map(|(name, property)| {
            let described = property
                .resolved()
                .keyword("description")
                .and_then(Value::as_str);
            let argument = PromptArgument::new(name).with_required(required.contains(&name));
            match described {
                Some(description) => argument.with_description(description),
                None => argument,
            }
        });
        arguments.collect()
    } else {
        let hint = doc
            .argument_hint
            .as_deref()
            .unwrap_or("the words after the command");
        vec![
            PromptArgument::new(WORDS)
                .with_description(hint)
                .with_required(false),
        ]
    };
    let mut texts = [&doc.summary, &doc.description].into_iter();
    let description = texts.find(|text| !text.is_empty());
    Some(Prompt::new(
        &*entry.id,
        description.map(|text| &**text),
        Some(arguments),
    ))
}

fn outcome(catalog: &Catalog, id: &str, arguments: JsonObject) -> Result<String, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, None);
    let calls_tool = catalog.get(id).is_some_and(calls_tool);
    let mut texts = Vec::new();
    for (name, value) in arguments {
        let Value::String(text) = value else {
            return Err(invalid(format!(
                "the argument `{name}` is {value}, expected a string"
            )));
        };
        if !calls_tool && name != WORDS {
            return Err(invalid(format!(
                "there is no argument `{name}`, but there is `{WORDS}`"
            )));
        }
        texts.push((name, text));
    }
    let mut line = format!("/skill {}", quoted(id));
    for (name, text) in &texts {
        let _ = if calls_tool {
            write!(line, " {name}={}", value(text))
        } else {
            write!(line, " {text}")
        };
    }
    // a command may reload the catalog
    let mut catalog = catalog.clone();
    let mut run = catalog.command(&line);
    if let (Err(CommandError::Unclosed { .. }), [(_, text)]) = (&run, &texts[..]) {
        // an apostrophe is no quote here
        run = catalog.command(&format!("/skill {} {}", quoted(id), quoted(text)));
    }
    match run.map_err(|error| invalid(error.to_string()))? {
        CommandOutcome::Activate { body, args, .. } => {
            let is_filled = catalog
                .get(id)
                .is_some_and(|entry| entry.doc().argument_placeholders);
            Ok(match &texts[..] {
                [(_, text)] if !is_filled && !args.is_empty() => {
                    format!("{body}\n\nArguments: {text}")
                }
                _ => body,
            })
        }
        CommandOutcome::Dispatch {
            action, arguments, ..
        } => Ok(format!(
            "Call the tool `{action}` with these arguments: {arguments}"
        )),
        CommandOutcome::Text(text) => Ok(text),
        _ => Err(ErrorData::internal_error("the command has no text", None)),
    }
}

/// Writes a value of an argument. A value that is JSON keeps its type.
fn value(text: &str) -> String {
    let is_typed = serde_json::from_str::<Value>(text).is_ok_and(|value| !value.is_string());
    let has_blank = text.contains([' ', '\t', '\n', '\r', '\'', '"', '\\']);
    if is_typed && !has_blank {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Writes a text as one word of a command.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the values that a schema lists.
fn values(node: SchemaNode<'_>) -> Vec<String> {
    let node = node.content_of_option().unwrap_or(node).resolved();
    let is_boolean = |kind: &Value| match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "boolean"),
        kind => kind == "boolean",
    };
    if node.keyword("type").is_some_and(is_boolean) {
        return vec!["true".to_owned(), "false".to_owned()];
    }
    let listed = node.keyword("enum").and_then(Value::as_array);
    let constants = node
        .alternatives()
        .filter_map(|node| node.resolved().keyword("const"));
    let values = listed.into_iter().flatten().chain(constants);
    values
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
