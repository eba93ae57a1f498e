//! The slash commands of documents as prompts.
//!
//! A document for the model is a prompt with its body, and takes the words after the command as one argument. A document that calls
//! a tool has the arguments of the tool; its prompt asks the model to make the call, so that the person at the client sees it.

use super::Inner;
use super::documents::{DocumentRequest, Documents, unreadable};
use rmcp::ErrorData;
use rmcp::model::{GetPromptRequestParams, JsonObject, Prompt, PromptArgument};
use serde_json::Value;
use skill_agent_documents::__private::dispatches;
use skill_agent_documents::{Catalog, CatalogEntry, CommandError, CommandOutcome};
use skill_agent_schema::SchemaNode;
use skill_agent_toolbox::{ListedTool, ToolList};
use std::sync::Arc;

/// The argument of a document for the model: the words after its command.
const WORDS: &str = "arguments";

impl Inner {
    pub(super) async fn commands(
        &self,
        request: DocumentRequest,
    ) -> Result<Vec<Prompt>, ErrorData> {
        let tools = self.toolbox.known_list();
        let prompts = move |documents: &Documents| {
            let entries = documents.catalog().for_people();
            let entries = entries.filter(|entry| documents.allow(entry));
            let prompts = entries.filter_map(|entry| prompt(documents.catalog(), entry, &tools));
            Ok(prompts.collect())
        };
        let prompts = self.with_documents(request, prompts).await?;
        Ok(prompts.unwrap_or_default())
    }

    /// Returns the text of a document's prompt, or `None` if no document has the name.
    pub(super) async fn command(
        &self,
        request: DocumentRequest,
        params: GetPromptRequestParams,
    ) -> Result<Option<String>, ErrorData> {
        let text = move |documents: &Documents| {
            let catalog = documents.catalog();
            let entry = for_caller(documents, &params.name);
            let arguments = params.arguments.unwrap_or_default();
            entry
                .map(|entry| text(catalog, entry, arguments))
                .transpose()
        };
        let text = self.with_documents(request, text).await?;
        Ok(text.flatten())
    }

    /// Returns the values that an argument of a prompt may have, if there are finitely many.
    pub(super) async fn values(
        &self,
        request: DocumentRequest,
        prompt: String,
        argument: String,
    ) -> Result<Vec<String>, ErrorData> {
        let values = move |documents: &Documents| {
            let entry = for_caller(documents, &prompt);
            let schema = entry.and_then(|entry| documents.catalog().schema_of_command(entry));
            let node = schema.and_then(|schema| SchemaNode::root(schema).property(&argument));
            Ok(node.map(values).unwrap_or_default())
        };
        let values = self.with_documents(request, values).await?;
        Ok(values.unwrap_or_default())
    }
}

/// Returns the document of a person with an id, unless the caller may not read it.
fn for_caller<'d>(documents: &'d Documents, id: &str) -> Option<&'d CatalogEntry> {
    let mut entries = documents.catalog().for_people();
    let entry = entries.find(|entry| entry.id == id)?;
    documents.allow(entry).then_some(entry)
}

/// Returns `None` if the document calls a tool that the toolbox or the catalog lacks.
fn prompt(catalog: &Catalog, entry: &CatalogEntry, tools: &ToolList) -> Option<Prompt> {
    let doc = entry.doc();
    let arguments = if dispatches(doc) {
        let is_called =
            |listed: &Arc<ListedTool>| Some(&*listed.tool.name) == doc.command_tool.as_deref();
        tools.tools.iter().find(|listed| is_called(listed))?;
        let node = SchemaNode::root(catalog.schema_of_command(entry)?);
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
        let hint = doc.argument_hint.as_deref();
        let words = PromptArgument::new(WORDS).with_required(false);
        vec![words.with_description(hint.unwrap_or("the words after the command"))]
    };
    let mut texts = [&doc.summary, &doc.description].into_iter();
    let description = texts.find(|text| !text.is_empty());
    Some(Prompt::new(
        &*entry.id,
        description.map(|text| &**text),
        Some(arguments),
    ))
}

fn text(
    catalog: &Catalog,
    entry: &CatalogEntry,
    arguments: JsonObject,
) -> Result<String, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, None);
    let doc = entry.doc();
    let mut texts = Vec::new();
    for (name, value) in &arguments {
        let Value::String(text) = value else {
            return Err(invalid(format!(
                "the argument `{name}` is {value}, expected a string"
            )));
        };
        if !dispatches(doc) && name != WORDS {
            return Err(invalid(format!(
                "unknown argument `{name}`; the only argument is `{WORDS}`"
            )));
        }
        texts.push((name.as_str(), text.as_str()));
    }
    let outcome = if dispatches(doc) {
        catalog.dispatch_with(&entry.id, texts)
    } else {
        let words = texts.first().map_or("", |(_, text)| text);
        catalog.activate_with(&entry.id, words)
    };
    match outcome {
        Ok(CommandOutcome::Activate { body, args, .. }) => Ok(match arguments.get(WORDS) {
            Some(Value::String(text)) if !doc.argument_placeholders && !args.is_empty() => {
                format!("{body}\n\nArguments: {text}")
            }
            _ => body,
        }),
        Ok(CommandOutcome::Dispatch {
            action, arguments, ..
        }) => Ok(format!(
            "Call the tool `{action}` with these arguments: {arguments}"
        )),
        Ok(_) => Err(ErrorData::internal_error("the command has no text", None)),
        Err(CommandError::Unreadable { source, .. }) => Err(unreadable(&entry.id, &source)),
        Err(error) => Err(invalid(error.to_string())),
    }
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
