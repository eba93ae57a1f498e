//! Settings that all models share.

use std::fmt;
use std::ptr;
use std::sync::Arc;

use crate::format::sent_tools;
use crate::format::sent_tools::{DeferredForms, SentTools};
use crate::http::endpoint::Endpoint;
use skill_agent_chat::{DeferredTools, ModelError, ModelProfile};
use skill_agent_models::{Provider, Shape};
use skill_core::ToolBuf;

#[derive(Clone)]
pub(super) struct Settings {
    pub(super) endpoint: Endpoint,
    pub(super) profile: ModelProfile,
    /// Returns the default profile for a base URL and the name of a model.
    profile_at: fn(&str, &str) -> ModelProfile,
    /// Whether `set_profile` has replaced the default profile.
    has_profile: bool,
    tools: SentTools<ToolBuf, String>,
    deferred: SentTools<DeferredTools, DeferredForms>,
}

/// The error for a model behind an API without tools in messages.
pub(super) const NO_TOOLS_IN_MESSAGES: &str = "this API has no tools in messages; leave `tools_in_messages` of the profile off, and choose \
     with `ChatBuilder::deferred`";

impl Settings {
    pub(super) fn new(
        key: String,
        model: String,
        base_url: &'static str,
        profile_at: fn(&str, &str) -> ModelProfile,
    ) -> Self {
        Self {
            profile: profile_at(base_url, &model),
            endpoint: Endpoint::new(key, model, base_url),
            profile_at,
            has_profile: false,
            tools: SentTools::default(),
            deferred: SentTools::default(),
        }
    }

    pub(super) fn set_base_url(&mut self, url: String) {
        if !self.has_profile {
            self.profile = (self.profile_at)(&url, &self.endpoint.model);
            self.forget_tools();
        }
        self.endpoint.set_base_url(url);
    }

    pub(super) fn set_profile(&mut self, profile: ModelProfile) {
        self.profile = profile;
        self.has_profile = true;
        self.forget_tools();
    }

    /// Drops tools in the form of an earlier profile.
    fn forget_tools(&mut self) {
        self.tools = SentTools::default();
        self.deferred = SentTools::default();
    }

    /// Checks the profile and the endpoint: everything that a request needs apart from its body.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let set = self.profile.provider;
        let default = (self.profile_at)(&self.endpoint.base_url, &self.endpoint.model).provider;
        let form = |shape: &Shape| (shape.kind, shape.wrapper, shape.schema);
        // your program may define a shape that only its server supports
        let is_known = |set: Provider| {
            let mut all = Provider::ALL.iter();
            all.any(|known| ptr::eq(known.shape, set.shape))
        };
        if form(set.shape) != form(default.shape) && is_known(set) {
            return Err(ModelError::Request(format!(
                "the profile of the model has `{set:?}`, whose tools this API does not read; write \
                 `ModelProfile::new({default:?})`, also for a model of another maker behind this API"
            )));
        }
        let reads = [Provider::ANTHROPIC, Provider::OPENAI_RESPONSES];
        if self.profile.tools_in_messages && !reads.contains(&default) {
            return Err(ModelError::Request(NO_TOOLS_IN_MESSAGES.to_owned()));
        }
        self.endpoint.check()
    }

    /// Returns the list of tools in the provider's form, or `None` if there are no tools.
    pub(super) fn tools(&self, list: &Arc<[ToolBuf]>) -> Result<Option<Arc<String>>, ModelError> {
        let provider = self.profile.provider;
        self.tools.of(list, |list| sent_tools::json(provider, list))
    }

    /// Returns the deferred tools in the provider's form, or `None` if there are none.
    pub(super) fn deferred(
        &self,
        list: &Arc<[DeferredTools]>,
    ) -> Result<Option<Arc<DeferredForms>>, ModelError> {
        let provider = self.profile.provider;
        self.deferred
            .of(list, |list| DeferredForms::new(provider, list))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("endpoint", &self.endpoint)
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

/// Adds the common setters to a model type.
macro_rules! settings {
    ($model:ident, $path:literal) => {
        impl $model {
            /// Sets a different base URL.
            #[doc = concat!("`", $path, "` is appended unless the URL already ends with it. The URL must begin with `http://` or `https://`.")]
            /// Without TLS, the key is sent in the clear.
            #[must_use]
            pub fn base_url(mut self, url: impl Into<String>) -> Self {
                self.settings.set_base_url(url.into());
                self
            }

            /// Adds a header to each request. The header's value is kept as secret as the key.
            #[must_use]
            pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
                self.settings.endpoint.add_header(name.into(), value.into());
                self
            }

            /// Sets how long the server may be silent before the request fails with [`ModelError::Timeout`]. The default is five
            /// minutes, and comments that keep a connection open count as activity.
            #[must_use]
            pub fn idle_time(mut self, time: std::time::Duration) -> Self {
                self.settings.endpoint.set_idle_time(time);
                self
            }

            /// Sets the model's profile. Its provider must belong to this API, because each API has its own form of tools.
            #[must_use]
            pub fn with_profile(mut self, profile: ModelProfile) -> Self {
                self.settings.set_profile(profile);
                self
            }
        }
    };
}

pub(super) use settings;
