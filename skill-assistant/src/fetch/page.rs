//! The response of a server, as a model reads it.

use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use schemars::JsonSchema;
use serde::Serialize;

use super::client::failed;
use super::{FetchError, Method};

/// The most bytes of a body that are read.
const BODY_LIMIT: usize = 1024 * 1024;

/// The most characters of a header that a model reads.
const HEADER_LIMIT: usize = 200;

/// Types of text outside of `text/`, besides those that end with `+json` or `+xml`.
const TEXT_TYPES: &[&str] = &[
    "application/ecmascript",
    "application/graphql",
    "application/javascript",
    "application/json",
    "application/jsonl",
    "application/sql",
    "application/toml",
    "application/x-javascript",
    "application/x-ndjson",
    "application/x-sh",
    "application/x-www-form-urlencoded",
    "application/x-yaml",
    "application/xml",
    "application/yaml",
];

/// A text from the web.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Page {
    /// The status of HTTP, such as 200 or 404.
    pub(crate) status: u16,
    /// The URL after all redirects.
    pub(crate) url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content_type: Option<String>,
    /// The body. Bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
    /// Set if the text is not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<&'static str>,
}

impl Page {
    /// Reads a response until its end or the limit.
    pub(super) async fn read(method: Method, mut response: Response) -> Result<Page, FetchError> {
        let url = response.url().to_string();
        let content_type = header(&response, CONTENT_TYPE);
        let mut bytes = Vec::new();
        let mut note = None;
        if method != Method::Head {
            let encoding = header(&response, CONTENT_ENCODING);
            if let Some(encoding) = encoding.filter(|name| !name.eq_ignore_ascii_case("identity")) {
                return Err(FetchError::Compressed { url, encoding });
            }
            if let Some(content) = &content_type
                && !is_text(content)
            {
                let content = format!("`{content}`");
                return Err(FetchError::NotText { url, content });
            }
            while let Some(chunk) = response.chunk().await.map_err(failed(&url))? {
                let room = BODY_LIMIT - bytes.len();
                bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    note = Some("the text was cut after 1 MiB");
                    break;
                }
            }
            if content_type.is_none() && bytes.contains(&0) {
                let content = "binary data without a content type".to_owned();
                return Err(FetchError::NotText { url, content });
            }
        }
        Ok(Page {
            status: response.status().as_u16(),
            url,
            content_type,
            text: String::from_utf8_lossy(&bytes).into_owned(),
            note,
        })
    }
}

/// Returns the beginning of a header, if the response has it.
fn header(response: &Response, name: HeaderName) -> Option<String> {
    let value = response.headers().get(name)?;
    let value = String::from_utf8_lossy(value.as_bytes());
    Some(value.chars().take(HEADER_LIMIT).collect())
}

fn is_text(content_type: &str) -> bool {
    let (name, _) = content_type.split_once(';').unwrap_or((content_type, ""));
    let name = name.trim().to_ascii_lowercase();
    name.starts_with("text/")
        || name.ends_with("+json")
        || name.ends_with("+xml")
        || TEXT_TYPES.contains(&name.as_str())
}
