//! Prompts: the instructions of skills, and the slash commands of documents.

use super::Inner;
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompletionInfo, GetPromptRequestParams, GetPromptResult,
    ListPromptsResult, Prompt, PromptMessage, Reference, Role,
};
use skill_agent_toolbox::ToolSession;

impl Inner {
    /// `prompts/list`. If a document and a skill have one name, the document has the prompt.
    pub(super) async fn prompts(
        &self,
        session: ToolSession,
    ) -> Result<ListPromptsResult, ErrorData> {
        // a skill may have been mounted
        self.tools.listed(&self.toolbox).await;
        let mut prompts = self.commands(session).await?;
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
        session: ToolSession,
        request: GetPromptRequestParams,
    ) -> Result<GetPromptResult, ErrorData> {
        let name = request.name.clone();
        if let Some(text) = self.command(session, request).await? {
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
    pub(super) fn completion(
        &self,
        request: CompleteRequestParams,
    ) -> Result<CompletionInfo, ErrorData> {
        let Reference::Prompt(prompt) = request.r#ref else {
            return Ok(CompletionInfo::default());
        };
        let values = self.values(&prompt.name, &request.argument.name);
        let mut values: Vec<_> = values
            .into_iter()
            .filter(|value| value.starts_with(&request.argument.value))
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
