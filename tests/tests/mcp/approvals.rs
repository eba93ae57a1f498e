//! Approvals by the person at the client.

use crate::support::*;
use rmcp::model::{
    CallToolRequest, CallToolResponse, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ErrorCode, Implementation,
    InputResponses, ProtocolVersion,
};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleClient, ServiceError};
use rmcp::{ClientHandler, ErrorData};
use serde_json::{Value, json};
use skill_agent::mcp::{self, Handler, Options};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Approver, Verdict};
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use tokio::sync::mpsc;

/// A client with a person who answers, and the forms that the person saw.
struct Person {
    answer: ElicitationAction,
    forms: mpsc::UnboundedSender<Value>,
}

impl Person {
    fn who(answer: ElicitationAction) -> (Self, mpsc::UnboundedReceiver<Value>) {
        let (forms, seen) = mpsc::unbounded_channel();
        (Self { answer, forms }, seen)
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::builder().enable_elicitation().build(),
            Implementation::new("person", "1.0.0"),
        )
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.forms
            .send(serde_json::to_value(request).unwrap())
            .unwrap();
        Ok(ElicitResult::new(self.answer.clone()))
    }
}

async fn office(approver: impl Approver) -> AgentServer<Office> {
    let server = AgentServer::builder(Office::new())
        .resources(Tools::default())
        .approver(approver)
        .start()
        .await
        .unwrap();
    let text = "milk".to_owned();
    server.call(AddNote { text }).await.unwrap();
    server
}

async fn notes(server: &AgentServer<Office>) -> usize {
    server.agent().await.unwrap().state().desk.notes.len()
}

#[timed_test::test]
async fn a_person_sees_the_call() {
    for era in ERAS {
        let server = office(mcp::ask_client()).await;
        let (person, mut forms) = Person::who(ElicitationAction::Accept);
        let client = connected(Toolbox::of(&server), person, era).await;
        let shredded = client.call_tool(params("shred", json!({}))).await.unwrap();
        assert_eq!((shredded.is_error, notes(&server).await), (Some(false), 0));
        let form = forms.recv().await.unwrap();
        assert_eq!(
            form["message"],
            "Run `shred` of `desk` with {}?\n\nDestroy all notes."
        );
        assert_eq!(form["requestedSchema"]["properties"], json!({}));
    }
}

#[timed_test::test]
async fn a_client_without_forms_reads_why_a_call_is_denied() {
    for era in ERAS {
        let server = office(mcp::ask_client()).await;
        let client = connected(Toolbox::of(&server), (), era).await;
        let denied = client.call_tool(params("shred", json!({}))).await.unwrap();
        assert_eq!((denied.is_error, notes(&server).await), (Some(true), 1));
        assert_eq!(
            text(&denied),
            "`shred` was denied: the MCP client cannot ask anybody: it does not declare elicitation by form"
        );
    }
}

#[timed_test::test]
async fn the_client_does_not_decide_for_another_approver() {
    for era in ERAS {
        let server = office(|_: ApprovalRequest| Verdict::Later).await;
        let (person, mut forms) = Person::who(ElicitationAction::Accept);
        let client = connected(Toolbox::of(&server), person, era).await;
        let waiting = client.call_tool(params("shred", json!({}))).await.unwrap();
        assert_eq!((waiting.is_error, notes(&server).await), (Some(true), 1));
        assert_eq!(
            text(&waiting),
            "`shred` waits for approval by somebody else"
        );
        assert!(forms.try_recv().is_err());
    }
}

#[timed_test::test]
async fn callers_that_are_no_clients_have_another_approver() {
    let server = office(mcp::ask_client().or(|_: ApprovalRequest| Verdict::Approve)).await;
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    session.call("shred", "{}").await.unwrap();
    let server = office(mcp::ask_client()).await;
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let denied = session.call("shred", "{}").await.unwrap_err();
    assert_eq!(
        denied.to_string(),
        "`shred` was denied: only the person at an MCP client can approve it"
    );
}

#[timed_test::test]
async fn a_decision_can_be_left_to_the_caller_later() {
    let server = office(|_: ApprovalRequest| Verdict::Later).await;
    let mcp = server.on_behalf_of(ForeignCaller::Mcp);
    let Err(ServeError::Pending(request)) = mcp.call_json("shred", "{}").await else {
        panic!("it waits");
    };
    assert!(!request.caller_decides);
    let passed_on = server.decide(*request, Verdict::AskCaller).await;
    let Err(ServeError::Pending(request)) = passed_on else {
        panic!("it waits");
    };
    assert!(request.caller_decides);
    let kept = server.decide(*request, Verdict::Later).await;
    assert!(matches!(kept, Err(ServeError::Pending(request)) if !request.caller_decides));
}

/// A client whose person never answers, and which sees the form go.
struct Undecided {
    asked: mpsc::UnboundedSender<()>,
    gone: mpsc::UnboundedSender<()>,
}

impl ClientHandler for Undecided {
    fn get_info(&self) -> ClientConfig {
        Person::who(ElicitationAction::Accept).0.get_info()
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.send(()).unwrap();
        context.ct.cancelled().await;
        self.gone.send(()).unwrap();
        std::future::pending().await
    }
}

#[timed_test::test]
async fn a_cancelled_call_takes_its_form_away() {
    let server = office(mcp::ask_client()).await;
    let (asked, mut was_asked) = mpsc::unbounded_channel();
    let (gone, mut is_gone) = mpsc::unbounded_channel();
    let person = Undecided { asked, gone };
    let client = connected(Toolbox::of(&server), person, Era::Initialize).await;
    let call = CallToolRequest::new(params("shred", json!({})));
    let call = ClientRequest::CallToolRequest(call);
    let options = PeerRequestOptions::no_options();
    let sent = client
        .send_request_with_option(call, options)
        .await
        .unwrap();
    was_asked.recv().await.unwrap();
    sent.cancel(None).await.unwrap();
    is_gone.recv().await.unwrap();
    assert_eq!(notes(&server).await, 1);
}

/// Asks to shred, and returns the sealed state of the question.
async fn asked<H: ClientHandler>(client: &Client<H>) -> String {
    let call = params("shred", json!({}));
    state_of(client.call_tool_once(call).await.unwrap())
}

/// The sealed state of a question.
fn state_of(response: CallToolResponse) -> String {
    match response {
        CallToolResponse::InputRequired(required) => required.request_state.unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Answers a question with an approval.
async fn answered<H: ClientHandler>(
    client: &Client<H>,
    name: &'static str,
    arguments: Value,
    state: &str,
) -> Result<String, ErrorData> {
    let answers = InputResponses::from([("approval".to_owned(), json!({ "action": "accept" }))]);
    let call = params(name, arguments)
        .with_input_responses(answers)
        .with_request_state(state);
    match client.call_tool_once(call).await {
        Ok(CallToolResponse::Complete(result)) => Ok(text(&result)),
        Err(ServiceError::McpError(error)) => Err(error),
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn an_answer_belongs_to_its_call_and_counts_once() {
    let server = office(mcp::ask_client()).await;
    let handler = Handler::new(Toolbox::of(&server));
    let (person, _forms) = Person::who(ElicitationAction::Accept);
    let client = connected(handler, person, Era::Stateless).await;
    let state = asked(&client).await;
    let mut altered = state.clone().into_bytes();
    let middle = altered.len() / 2;
    altered[middle] = if altered[middle] == b'A' { b'B' } else { b'A' };
    let altered = String::from_utf8(altered).unwrap();
    for (name, arguments, state) in [
        ("shred", json!({}), &*altered),
        ("shred", json!({ "all": true }), &*state),
        ("notes", json!({}), &*state),
    ] {
        let error = answered(&client, name, arguments, state).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(
            error
                .message
                .starts_with("`requestState` does not belong to this call"),
            "{}",
            error.message
        );
    }
    assert_eq!(notes(&server).await, 1);
    assert_eq!(
        answered(&client, "shred", json!({}), &state).await.unwrap(),
        "null"
    );
    assert_eq!(notes(&server).await, 0);
    let text = "again".to_owned();
    server.call(AddNote { text }).await.unwrap();
    // the server answers what it answered before
    assert_eq!(
        answered(&client, "shred", json!({}), &state).await.unwrap(),
        "null"
    );
    assert_eq!(notes(&server).await, 1);
}

#[timed_test::test]
async fn an_answer_that_is_missing_or_wrong_decides_nothing() {
    let server = office(mcp::ask_client()).await;
    let (person, _forms) = Person::who(ElicitationAction::Accept);
    let client = connected(Toolbox::of(&server), person, Era::Stateless).await;
    let state = asked(&client).await;
    let call = || params("shred", json!({})).with_request_state(&*state);
    let accepts =
        |key: &str| InputResponses::from([(key.to_owned(), json!({ "action": "accept" }))]);
    // the client is asked again
    let mut again = String::new();
    for call in [call(), call().with_input_responses(accepts("other"))] {
        again = state_of(client.call_tool_once(call).await.unwrap());
    }
    let wrong = InputResponses::from([("approval".to_owned(), json!({ "action": "perhaps" }))]);
    let wrong = call().with_input_responses(wrong);
    let error = client.call_tool_once(wrong).await.unwrap_err();
    let ServiceError::McpError(error) = error else {
        panic!("{error:?}");
    };
    let message = "the answer to `approval` is wrong";
    assert!(error.message.starts_with(message), "{}", error.message);
    assert_eq!(notes(&server).await, 1);
    let state = again;
    answered(&client, "shred", json!({}), &state).await.unwrap();
    assert_eq!(notes(&server).await, 0);
}

#[timed_test::test]
async fn a_question_outlives_the_server_with_a_secret() {
    let secret = "a secret of at least thirty-two bytes";
    let store = Memory::default();
    let start = async || {
        let server = AgentServer::builder(Office::with_id("office-1"))
            .resources(Tools::default())
            .store(store.clone())
            .approver(mcp::ask_client())
            .start()
            .await
            .unwrap();
        let options = Options::new().approval_secret(secret);
        let handler = Handler::with_options(Toolbox::of(&server), options).unwrap();
        (server, handler)
    };
    let (server, handler) = start().await;
    let text = "milk".to_owned();
    server.call(AddNote { text }).await.unwrap();
    let (person, _forms) = Person::who(ElicitationAction::Accept);
    let client = connected(handler, person, Era::Stateless).await;
    let state = asked(&client).await;
    client.cancel().await.unwrap();
    server.stop().await.unwrap();

    let (server, handler) = start().await;
    let (person, _forms) = Person::who(ElicitationAction::Accept);
    let client = connected(handler, person, Era::Stateless).await;
    assert_eq!(
        client.peer_info().unwrap().protocol_version,
        ProtocolVersion::LATEST
    );
    assert_eq!(
        answered(&client, "shred", json!({}), &state).await.unwrap(),
        "null"
    );
    assert_eq!(notes(&server).await, 0);
}
