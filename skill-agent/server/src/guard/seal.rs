//! The seals of approval requests.

use super::ApprovalRequest;
use hmac_sha256::HMAC;
use serde_json::json;
use skill_agent_schema::canonical_text;
use std::fmt::Write;

/// The shortest secret of approval requests, in bytes.
pub const APPROVAL_SECRET_MIN: usize = 16;

/// A secret that cannot be guessed: 244 random bits.
pub fn new_secret() -> Vec<u8> {
    let halves = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
    halves.iter().flat_map(|half| *half.as_bytes()).collect()
}

/// A request of an agent, to be sealed or checked. The seal covers all of it.
pub struct Seal<'a> {
    /// The name of the agent.
    pub agent: &'a str,
    /// The id under which the agent is stored.
    pub agent_id: Option<&'a str>,
    /// The request with an empty seal or its own, which is left out.
    pub request: &'a ApprovalRequest,
}

impl Seal<'_> {
    /// The seal by a secret: an HMAC with SHA-256, in hexadecimal digits.
    pub fn by(&self, secret: &[u8]) -> String {
        let mut seal = String::new();
        for byte in HMAC::mac(self.text(), secret) {
            let _ = write!(seal, "{byte:02x}");
        }
        seal
    }

    /// Whether the request has the seal by a secret. This takes as long for every wrong seal.
    pub fn is_by(&self, secret: &[u8]) -> bool {
        let (expected, given) = (self.by(secret), &self.request.seal);
        let differences = expected.bytes().zip(given.bytes());
        let differences = differences.fold(0, |all, (expected, given)| all | (expected ^ given));
        expected.len() == given.len() && differences == 0
    }

    /// Everything in the request, and whose it is.
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
