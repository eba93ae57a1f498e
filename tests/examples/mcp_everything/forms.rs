//! The tools and the prompt that ask a person for values, which no action can do.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, ContentBlock,
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, PromptMessage, RequestStateCodec, RequestStateError, Role, ServerRequest,
};
use rmcp::service::{Peer, RoleServer};
use serde_json::{Value, json};

/// The tools that [`Forms`] answers.
pub const TOOLS: [&str; 4] = [
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_input_required_result_elicitation",
    "test_input_required_result_multi_round",
];
/// The prompt that [`Forms`] answers.
pub const PROMPT: &str = "test_input_required_result_prompt";

/// Asks for values, and reads the answers.
pub struct Forms {
    codec: RequestStateCodec,
}

impl Forms {
    pub fn new() -> Result<Self, RequestStateError> {
        let codec = RequestStateCodec::try_new("a secret that is for tests alone")?;
        Ok(Self { codec })
    }

    pub async fn call(
        &self,
        request: CallToolRequestParams,
        client: &Peer<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let responses = request.input_responses.as_ref();
        match &*request.name {
            "test_elicitation_sep1034_defaults" => elicited(client, defaults()).await,
            "test_elicitation_sep1330_enums" => elicited(client, enums()).await,
            "test_input_required_result_elicitation" => match answer(responses, "user_name")? {
                Some(answer) => Ok(text(format!("Hello, {}!", answer["name"]))),
                None => Ok(asked("user_name", field("name"), None)?.into()),
            },
            _ => self.round(responses, request.request_state.as_deref()),
        }
    }

    /// Asks for a name and then for a color. The state has the name.
    fn round(
        &self,
        responses: Option<&InputResponses>,
        state: Option<&str>,
    ) -> Result<CallToolResponse, ErrorData> {
        let seal = |state: &Value| self.codec.seal_json(state).map_err(internal);
        let Some(state) = state else {
            let state = seal(&Value::Null)?;
            return Ok(asked("step1", field("name"), Some(state))?.into());
        };
        let state: Value = self.codec.open_json(state).map_err(invalid)?;
        if let Some(answer) = answer(responses, "step2")? {
            return Ok(text(format!("{state} likes {}", answer["color"])));
        }
        let answer = answer(responses, "step1")?;
        let name = answer.map_or(state, |answer| answer["name"].clone());
        Ok(asked("step2", field("color"), Some(seal(&name)?))?.into())
    }

    pub fn prompt(&self, request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
        let key = "user_context";
        match answer(request.input_responses.as_ref(), key)? {
            Some(answer) => {
                let text = format!("The context is {}.", answer["context"]);
                let message = PromptMessage::new_text(Role::User, text);
                Ok(GetPromptResult::new(vec![message]).into())
            }
            None => Ok(asked(key, field("context"), None)?.into()),
        }
    }
}

/// Shows a form to the person at a client of the earlier era.
async fn elicited(client: &Peer<RoleServer>, schema: Value) -> Result<CallToolResponse, ErrorData> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form(schema)?));
    match client.send_request(request).await.map_err(internal)? {
        ClientResult::ElicitResult(answer) => Ok(text(format!("{answer:?}"))),
        other => Err(internal(format!("the client answered {other:?}"))),
    }
}

/// Asks a client of the stateless era for one form.
fn asked(
    key: &str,
    schema: Value,
    state: Option<String>,
) -> Result<InputRequiredResult, ErrorData> {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(schema)?));
    let requests = InputRequests::from([(key.to_owned(), request)]);
    Ok(InputRequiredResult::new(Some(requests), state))
}

/// The content of an answered form, or `None` if the client has not answered it.
fn answer(responses: Option<&InputResponses>, key: &str) -> Result<Option<Value>, ErrorData> {
    let Some(answer) = responses.and_then(|responses| responses.get(key)) else {
        return Ok(None);
    };
    let answer: ElicitResult = serde_json::from_value(answer.clone()).map_err(invalid)?;
    Ok(Some(answer.content.unwrap_or_default()))
}

fn form(schema: Value) -> Result<ElicitRequestParams, ErrorData> {
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Please fill in the form".to_owned(),
        requested_schema: serde_json::from_value::<ElicitationSchema>(schema).map_err(internal)?,
    })
}

/// A schema with one text.
fn field(name: &str) -> Value {
    json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] })
}

fn defaults() -> Value {
    json!({ "type": "object", "properties": {
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    } })
}

fn enums() -> Value {
    let titled =
        json!([{ "const": "value1", "title": "First" }, { "const": "value2", "title": "Second" }]);
    let plain = json!(["option1", "option2", "option3"]);
    json!({ "type": "object", "properties": {
        "untitledSingle": { "type": "string", "enum": plain },
        "titledSingle": { "type": "string", "oneOf": titled },
        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"] },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled } },
    } })
}

/// A result with a text.
pub fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text.into())]).into()
}

fn invalid(error: impl ToString) -> ErrorData {
    ErrorData::invalid_params(error.to_string(), None)
}

fn internal(error: impl ToString) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
