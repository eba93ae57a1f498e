//! Chats from documents of agents.

use super::error::FromDocError;
use super::{Providers, key, listed};
use crate::{Chat, ChatBuilder, ChatError, ChatModel};
use skill_agent_documents::{AgentDoc, Diagnostic, DiagnosticCode};
use skill_agent_toolbox::Toolbox;

impl Chat {
    /// Returns a builder for a chat with the agent of an AGENT.md: with its model, its system prompt, and the tools of a toolbox.
    /// Without `allow_skills: true` in the document, the chat is [without documents](Toolbox::without_documents).
    ///
    /// If none of `providers` can create the document's model, [`build`](ChatBuilder::build) returns [`ChatError::Document`].
    ///
    /// ```
    /// use skill_agent::chat::{Chat, Providers, Scripted};
    /// use skill_agent::manifest::check_agent_at;
    /// # use skill_agent::toolbox::Toolbox;
    /// # async fn run(toolbox: Toolbox) -> Result<(), Box<dyn std::error::Error>> {
    ///
    /// let text = "---\nname: General Assistant\nprovider: scripted\nmodel: one\n---\n\nYou help.\n";
    /// let report = check_agent_at("agents/general/AGENT.md", text);
    /// let doc = report.doc().ok_or("it loads")?;
    ///
    /// let providers = Providers::new().with("scripted", |_: &str| Scripted::new().text("Hello."));
    /// let mut chat = Chat::from_doc(doc, toolbox, &providers).build()?;
    /// assert_eq!(chat.send("Hi.").await?.text(), "Hello.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_doc(doc: &AgentDoc, toolbox: Toolbox, providers: &Providers) -> ChatBuilder {
        let id = &doc.id;
        let toolbox = if doc.allow_skills {
            toolbox
        } else {
            toolbox.without_documents(format!(
                "the agent `{id}` does not have `allow_skills: true`"
            ))
        };
        let model = providers.model_of(doc).map_err(|diagnostics| {
            let id = id.to_string();
            ChatError::Document(FromDocError { id, diagnostics })
        });
        let builder = ChatBuilder::new(model, toolbox);
        match doc.system_prompt.trim() {
            "" => builder,
            _ => builder.system(&*doc.system_prompt),
        }
    }
}

impl Providers {
    /// Creates the model of a document.
    fn model_of(&self, doc: &AgentDoc) -> Result<Box<dyn ChatModel>, Vec<Diagnostic>> {
        let default = self.default.as_ref();
        let provider = doc.provider.as_deref();
        let provider = provider.or_else(|| Some(&*default?.0));
        // a model belongs to its provider
        let default_model = || {
            let (name, model) = default?;
            (key(name) == key(provider?)).then_some(&**model)
        };
        let model = doc.model.as_deref().or_else(default_model);
        let mut diagnostics = Vec::new();
        let found = match provider.map(|name| self.find(name)) {
            Some(Ok(found)) => Some(found),
            Some(Err(error)) => {
                let code = DiagnosticCode::UnknownProvider;
                let message = match doc.provider {
                    Some(_) => error.to_string(),
                    None => format!("{error}; `Providers::default_model` names it"),
                };
                diagnostics.push(doc.error("provider", code, message));
                None
            }
            None => {
                let names: Vec<_> = self.names().map(str::to_owned).collect();
                diagnostics.push(missing(doc, "provider", &listed(&names)));
                None
            }
        };
        let Some(model) = model else {
            diagnostics.push(missing(doc, "model", ""));
            return Err(diagnostics);
        };
        match found.map(|found| found.model(model)) {
            Some(Ok(model)) => return Ok(model),
            Some(Err(error)) => {
                let code = DiagnosticCode::UnavailableModel;
                diagnostics.push(doc.error("provider", code, error.to_string()));
            }
            None => {}
        }
        Err(diagnostics)
    }
}

fn missing(doc: &AgentDoc, key: &str, names: &str) -> Diagnostic {
    let message = format!("`{key}` is missing");
    let help = format!(
        "write `{key}: …` between the lines `---`, or `Providers::default_model` in the program{names}"
    );
    doc.error(key, DiagnosticCode::MissingField, message)
        .help(help)
}
