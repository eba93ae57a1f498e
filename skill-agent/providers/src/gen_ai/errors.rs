//! Errors from `genai`. Many of their messages contain response bodies, so those messages are not shown.

use std::string::FromUtf8Error;

use genai::adapter::AdapterKind;
use genai::chat::ChatOptions;
use genai::resolver::{self, AuthData};
use genai::webc::{self, StreamTimeout};
use genai::{BoxError, Client, Error, ModelIden, ModelSpec};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::failure::{ResponseHead, failure};
use crate::http::base_url;
use crate::http::client::transport;
use skill_agent_chat::__private::Classifier;
use skill_agent_chat::ModelError;
use skill_agent_http::Secrets;

/// The error for a completion that was cut off. There is no request id, because `genai` drops the headers of a successful
/// response.
pub(super) const CUT_OFF: ModelError = ModelError::CutOff { request_id: None };

/// The data that the error for a failed request needs.
pub(super) struct Failed<'a> {
    pub(super) model: &'a ModelIden,
    pub(super) options: &'a ChatOptions,
    pub(super) secrets: &'a Secrets,
    pub(super) classifier: &'a Classifier,
}

impl Failed<'_> {
    pub(super) fn error(&self, error: Error) -> ModelError {
        match error {
            Error::HttpError {
                status,
                headers,
                body,
                ..
            } => self.status(status, &headers, &body),
            Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => {
                self.call(webc_error)
            }
            Error::WebStream { error, .. } => self.stream(error),
            Error::ChatResponse { body, .. } => self.event(&body),
            Error::StreamParse { serde_error, .. } => self.malformed(&serde_error),
            Error::Resolver { resolver_error, .. } => self.request(&unresolved(resolver_error)),
            Error::ModelMapperFailed { cause, .. } => self.request(&unresolved(cause)),
            Error::ClientBuildFail { cause } => self.request(&cause),
            Error::JsonValueExt(_)
            | Error::SerdeJson(_)
            | Error::InvalidJsonResponseElement { .. }
            | Error::NoChatResponse { .. }
            | Error::ChatResponseGeneration { .. } => {
                ModelError::protocol(None, "a part of it is missing or has another type")
            }
            // the message may contain a URL, which may contain a secret
            Error::Internal(_) => self.request("`genai` cannot write it"),
            // the other messages do not quote the request, so they can be shown
            error => self.request(&error.to_string()),
        }
    }

    fn status(&self, status: StatusCode, headers: &HeaderMap, body: &str) -> ModelError {
        let head = ResponseHead::new(status, headers, self.secrets);
        failure(self.secrets, &head, self.classifier, body)
    }

    fn call(&self, error: webc::Error) -> ModelError {
        match error {
            webc::Error::ResponseFailedStatus {
                status,
                body,
                headers,
            } => self.status(status, &headers, &body),
            webc::Error::Reqwest(error) => self.connection(error),
            _ => ModelError::protocol(None, "not JSON"),
        }
    }

    fn stream(&self, error: BoxError) -> ModelError {
        let error = match error.downcast::<Error>() {
            Ok(error) => return self.error(*error),
            Err(error) => error,
        };
        let error = match error.downcast::<reqwest::Error>() {
            Ok(error) => return self.connection(*error),
            Err(error) => error,
        };
        let time = match error.downcast_ref::<StreamTimeout>() {
            Some(StreamTimeout::Headers) => self.options.stream_header_timeout,
            Some(StreamTimeout::Read) => self.options.stream_read_timeout,
            None => return text(&error),
        };
        ModelError::Timeout(time.unwrap_or_default())
    }

    /// Returns the error for a failed connection. If the connection failed during a response, the completion was cut off.
    fn connection(&self, error: reqwest::Error) -> ModelError {
        let is_within = error.is_body() || error.is_decode();
        let idle_time = self.options.stream_read_timeout.unwrap_or_default();
        match transport(self.secrets, error, idle_time) {
            ModelError::Transport(_) if is_within => CUT_OFF,
            error => error,
        }
    }

    /// Returns the error described by an event.
    fn event(&self, body: &Value) -> ModelError {
        let head = ResponseHead::default();
        failure(self.secrets, &head, self.classifier, &body.to_string())
    }

    /// Returns the error for an event that `genai` cannot read. The event may itself be a provider's error.
    fn malformed(&self, error: &serde_json::Error) -> ModelError {
        let writes_errors = matches!(
            self.model.adapter_kind,
            AdapterKind::OpenAIResp | AdapterKind::GeminiIx
        );
        if error.is_data() && error.line() == 0 && writes_errors {
            return self.event(&json!({ "message": error.to_string() }));
        }
        if error.is_eof() {
            // the stream ended within the event
            return CUT_OFF;
        }
        if error.is_data() {
            // the error's text contains values of the event
            return ModelError::protocol(None, "an event has a value of another type");
        }
        ModelError::protocol(None, format!("an event is not JSON: {error}"))
    }

    fn request(&self, message: &str) -> ModelError {
        ModelError::Request(self.secrets.hide(message))
    }
}

/// Returns the error for bytes that are not UTF-8, for example because the stream ended within a character.
fn text(error: &BoxError) -> ModelError {
    match error.downcast_ref::<FromUtf8Error>() {
        Some(error) if error.utf8_error().error_len().is_none() => CUT_OFF,
        _ => ModelError::protocol(None, "not UTF-8"),
    }
}

fn unresolved(error: resolver::Error) -> String {
    match error {
        resolver::Error::ApiKeyEnvNotFound { env_name } => {
            format!("the environment variable `{env_name}` with the key is not set")
        }
        resolver::Error::ResolverAuthDataNotSingleValue => "there is no key".to_owned(),
        resolver::Error::Custom(message) => message,
    }
}

/// Returns the secrets in a request, which a server may repeat in an error.
pub(super) async fn secrets(client: &Client, spec: &ModelSpec, options: &ChatOptions) -> Secrets {
    let target = client.resolve_service_target(spec.clone()).await;
    let address = target.as_ref().map(|target| target.endpoint.base_url());
    let address = address.map(base_url::secrets).unwrap_or_default();
    let mut secrets = match target.map(|target| target.auth) {
        Ok(AuthData::MultiKeys(keys)) => keys.into_values().collect(),
        Ok(AuthData::RequestOverride { headers, .. }) => values(&headers),
        Ok(auth) => auth.single_key_value().into_iter().collect(),
        Err(_) => Vec::new(),
    };
    secrets.extend(address);
    secrets.extend(options.extra_headers.iter().flat_map(values));
    Secrets::new(secrets)
}

fn values(headers: &genai::Headers) -> Vec<String> {
    headers.iter().map(|(_, value)| value.clone()).collect()
}
