//! The seals of approval requests.

use super::ApprovalRequest;
use hmac_sha256::HMAC;
use serde_json::json;
use skill_agent_schema::canonical_text;

/// The minimum length of the secret for approval requests, in bytes.
pub const APPROVAL_SECRET_MIN: usize = 16;

/// Creates a secret that cannot be guessed, because it has 244 random bits.
pub fn new_secret() -> Vec<u8> {
    let halves = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
    halves.iter().flat_map(|half| *half.as_bytes()).collect()
}

/// Writes bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A request to seal or check, and its agent. The seal covers both, except for the request's own `seal` field.
pub struct Seal<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The agent's id in the store.
    pub agent_id: Option<&'a str>,
    /// The request. Its `seal` field is ignored when the seal is computed.
    pub request: &'a ApprovalRequest,
}

impl Seal<'_> {
    /// Computes the seal with a secret: an HMAC with SHA-256, in hexadecimal digits.
    pub fn by(&self, secret: &[u8]) -> String {
        hex(&HMAC::mac(self.text(), secret))
    }

    /// Returns whether the request's seal was computed with this secret, comparing in constant time.
    pub fn is_by(&self, secret: &[u8]) -> bool {
        let (expected, given) = (self.by(secret), &self.request.seal);
        let differences = expected.bytes().zip(given.bytes());
        let differences = differences.fold(0, |all, (expected, given)| all | (expected ^ given));
        expected.len() == given.len() && differences == 0
    }

    /// Returns the text that is sealed: the agent, and the request without its `seal` field.
    fn text(&self) -> String {
        let mut request = json!(self.request);
        if let Some(fields) = request.as_object_mut() {
            fields.remove("seal");
        }
        canonical_text(&json!({
            "agent": self.agent,
            "agent_id": self.agent_id,
            "request": request,
        }))
    }
}
