//! Prompts: the instructions of skills, and the slash commands of documents.

use super::Inner;
use super::documents::DocumentRequest;
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompletionInfo, GetPromptRequestParams, GetPromptResult,
    ListPromptsResult, Prompt, PromptMessage, Reference, Role,
};

impl Inner {
    /// `prompts/list`. If a document and a skill have one name, the document has the prompt.
    pub(super) async fn prompts(
        &self,
        request: DocumentRequest,
    ) -> Result<ListPromptsResult, ErrorData> {
        // a skill may have been mounted
        self.tools.listed(&self.toolbox).await;
        let mut prompts = self.commands(request).await?;
        for skill in self.toolbox.instructions() {
            if !prompts.iter().any(|prompt| prompt.name == skill.origin) {
                let description = format!("The instructions of `{}`.", skill.origin);
                prompts.push(Prompt::new(skill.origin, Some(description), None));
            }
        }
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    /// `prompts/get`.
    pub(super) async fn prompt(
        &self,
        request: DocumentRequest,
        params: GetPromptRequestParams,
    ) -> Result<GetPromptResult, ErrorData> {
        let name = params.name.clone();
        if let Some(text) = self.command(request, params).await? {
            return Ok(of_user(text));
        }
        let mut skills = self.toolbox.instructions().into_iter();
        match skills.find(|skill| skill.origin == name) {
            Some(skill) => Ok(of_user(skill.text)),
            None => Err(ErrorData::invalid_params(
                format!("there is no prompt `{name}`"),
                None,
            )),
        }
    }

    /// `completion/complete`: the values of an argument that begin with the given text.
    pub(super) async fn completion(
        &self,
        request: DocumentRequest,
        params: CompleteRequestParams,
    ) -> Result<CompletionInfo, ErrorData> {
        let Reference::Prompt(prompt) = params.r#ref else {
            return Ok(CompletionInfo::default());
        };
        let argument = params.argument;
        let values = self.values(request, prompt.name, argument.name).await?;
        let mut values: Vec<_> = values
            .into_iter()
            .filter(|value| value.starts_with(&argument.value))
            .collect();
        let total = u32::try_from(values.len()).ok();
        let has_more = values.len() > CompletionInfo::MAX_VALUES;
        values.truncate(CompletionInfo::MAX_VALUES);
        CompletionInfo::with_pagination(values, total, has_more)
            .map_err(|error| ErrorData::internal_error(error, None))
    }
}

fn of_user(text: String) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
}
