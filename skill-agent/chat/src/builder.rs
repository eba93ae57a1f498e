//! The builder of [`Chat`].

use super::keeper::StepKeeper;
use super::setup::Setup;
use super::{
    Chat, ChatError, ChatLayer, ChatModel, Compactor, CutTurns, Deferred, Limits, Message,
    ModelError, ModelProfile, RateLimit, RequestOptions, Retries, SystemPart, ToolChoice, history,
};
use crate::history::compact::Compaction;
use crate::layers::Layers;
use crate::limits::few_tokens::{check_tokens, few_in_history, few_in_window};
#[cfg(feature = "documents")]
use skill_agent_documents::selection::Activations;
use skill_agent_server::__private::catch;
use skill_agent_toolbox::Toolbox;
use skill_core::ForeignCaller;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// Builds a [`Chat`]. Created by [`Chat::builder`] and `Chat::from_doc`.
#[must_use = "a builder does nothing until `build`"]
pub struct ChatBuilder {
    /// The model, or the mistakes of a document that names none.
    model: Result<Box<dyn ChatModel>, ChatError>,
    toolbox: Toolbox,
    caller: Option<ForeignCaller>,
    program: Option<String>,
    history: Vec<Message>,
    #[cfg(feature = "documents")]
    activations: Activations,
    limits: Limits,
    retries: Retries,
    rate_limit: Option<RateLimit>,
    tool_choice: ToolChoice,
    parallel_calls: Option<bool>,
    lenient: bool,
    deferred: Deferred,
    options: RequestOptions,
    compactor: Box<dyn Compactor>,
    history_tokens: Option<usize>,
    keeper: Option<Arc<dyn StepKeeper>>,
    layers: Vec<Box<dyn ChatLayer>>,
}

impl Chat {
    /// Returns a builder for a conversation between a model and the tools of a toolbox.
    pub fn builder(model: impl ChatModel, toolbox: Toolbox) -> ChatBuilder {
        ChatBuilder::new(Ok(Box::new(model)), toolbox)
    }
}

impl ChatBuilder {
    pub(crate) fn new(model: Result<Box<dyn ChatModel>, ChatError>, toolbox: Toolbox) -> Self {
        Self {
            model,
            toolbox,
            caller: None,
            program: None,
            history: Vec::new(),
            #[cfg(feature = "documents")]
            activations: Activations::default(),
            limits: Limits::default(),
            retries: Retries::default(),
            rate_limit: None,
            tool_choice: ToolChoice::Auto,
            parallel_calls: None,
            lenient: true,
            deferred: Deferred::default(),
            options: RequestOptions::default(),
            compactor: Box::new(CutTurns),
            history_tokens: None,
            keeper: None,
            layers: Vec::new(),
        }
    }

    /// Sets your own part of the system text. It comes before the skills' instructions. A second call replaces it.
    ///
    /// Providers can cache text that is identical in all conversations, so leave out times and names.
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.program = Some(text.into());
        self
    }

    /// Sets the history to continue: one from [`Chat::history`], or one that you wrote yourself. Calls without an
    /// [id](super::CallPart::id) get one.
    ///
    /// ```
    /// # use skill_agent::chat::{Chat, Scripted};
    /// # use skill_agent::toolbox::Toolbox;
    /// # fn go_on(chat: &Chat, toolbox: Toolbox) -> Result<Chat, Box<dyn std::error::Error>> {
    /// let stored = serde_json::to_string(chat.history())?;
    /// let chat = Chat::builder(Scripted::new(), toolbox).history(serde_json::from_str(&stored)?).build()?;
    /// # Ok(chat)
    /// # }
    /// ```
    ///
    /// A string, or messages in a provider's format, do not compile (E0308). Deserialize the string as above, or create each
    /// message with [`Message::user`] or [`Message::assistant`].
    // Not generic, so that `from_str` infers the type.
    pub fn history(mut self, history: Vec<Message>) -> Self {
        self.history = history;
        self
    }

    /// Sets the documents that are active in the continued history, if an earlier version kept them beside it. A history of this
    /// version says which documents are active.
    #[cfg(feature = "documents")]
    pub fn activations(mut self, activations: Activations) -> Self {
        self.activations = activations;
        self
    }

    /// Sets the caller on whose behalf the model calls tools. The default is [`ForeignCaller::Model`].
    pub fn caller(mut self, caller: ForeignCaller) -> Self {
        self.caller = Some(caller);
        self
    }

    /// Sets the caller unless the program has set it.
    pub(crate) fn caller_by_default(mut self, caller: ForeignCaller) -> Self {
        self.caller.get_or_insert(caller);
        self
    }

    /// Sets the limits of each turn.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how to retry failed requests.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Limits the rate of requests. Chats with clones of one limit share its rate.
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.rate_limit = Some(limit);
        self
    }

    /// Sets whether the model must call a tool. [`Required`](ToolChoice::Required) and [`Tool`](ToolChoice::Tool) apply only to
    /// the first step of a turn, so that the model can answer once it has the results. [`None`](ToolChoice::None) applies to all
    /// steps.
    ///
    /// A string names a tool: `.tool_choice("add_note")`.
    pub fn tool_choice(mut self, choice: impl Into<ToolChoice>) -> Self {
        self.tool_choice = choice.into();
        self
    }

    /// Sets whether the model may call several tools in one completion. By default, the provider decides. If the model makes
    /// several calls although `parallel` is `false`, all of them run.
    pub fn parallel_calls(mut self, parallel: bool) -> Self {
        self.parallel_calls = Some(parallel);
        self
    }

    /// Sets whether to [repair](skill_agent_models::repair_arguments) arguments and typed answers that do not fit their schema,
    /// before reporting an error to the model. The default is `true`. [`Called::repairs`](super::Called::repairs) lists the
    /// repairs.
    pub fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Sets the temperature, the token limit and other request fields:
    /// `.options(RequestOptions::new().temperature(0.2).max_tokens(500))`.
    pub fn options(mut self, options: RequestOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets how to shorten a conversation that is too long. The default leaves out the oldest turns.
    pub fn compactor(mut self, compactor: impl Compactor) -> Self {
        self.compactor = Box::new(compactor);
        self
    }

    /// Adds a layer around the requests. The first layer is the outermost one: it gets each request first, and its completion
    /// last. Results of calls and events pass the layers from the first to the last.
    pub fn layer(mut self, layer: impl ChatLayer) -> Self {
        self.layers.push(Box::new(layer));
        self
    }

    /// Sets how requests offer the tools of deferred skills and sources, unless the model
    /// [reads tools in messages](super::ModelProfile::tools_in_messages). The default is [`Deferred::Listed`].
    pub fn deferred(mut self, deferred: Deferred) -> Self {
        self.deferred = deferred;
        self
    }

    /// Sets the maximum estimated number of tokens in a request's messages. The default is three quarters of the model's
    /// [`context_window`](super::ModelProfile::context_window), or no limit if the window is unknown.
    ///
    /// A token is about four bytes of text. [`build`](Self::build) returns an error for a limit below 64, and logs a warning for
    /// a limit below 1,000, which is probably meant as a number of messages.
    pub fn history_tokens(mut self, tokens: usize) -> Self {
        self.history_tokens = Some(tokens);
        self
    }

    /// Sets the keeper that records the conversation while its turns run.
    #[doc(hidden)]
    pub fn keeper(mut self, keeper: Arc<dyn StepKeeper>) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// Builds the chat.
    ///
    /// # Errors
    ///
    /// Returns [`ChatError::History`] if the calls and results in the history do not match, for example because a call has no
    /// result, or if two calls have the same id. Returns [`ChatError::Model`] if a setting of the model is invalid, such as an
    /// address without a scheme, or if its profile panics. Returns [`ChatError::Setting`] if another setting makes every turn
    /// impossible, such as a limit of 0 steps or a [`context_window`](super::ModelProfile::context_window) of 8 tokens, or if a
    /// model of a [`Fallback`](super::Fallback) cannot have all tools that the toolbox knows. Returns `ChatError::Document` if the
    /// AGENT.md of `Chat::from_doc` names no model that can be created.
    pub fn build(mut self) -> Result<Chat, ChatError> {
        // the other fields are still borrowed as a whole below
        let model = std::mem::replace(&mut self.model, Err(ChatError::Ended))?;
        model.check()?;
        self.check()?;
        history::check(&self.history)?;
        history::give_ids(&mut self.history);
        let profile = catch(|| model.profile());
        let profile = profile.map_err(|message| ModelError::panicked(&message))?;
        if let Some(tokens) = profile.context_window {
            check_tokens(tokens, few_in_window)?;
        }
        let window = profile.context_window.map(|window| window / 4 * 3);
        self.check_chain(&profile)?;
        let layers = Layers::new(std::mem::take(&mut self.layers));
        layers.check().map_err(ChatError::Setting)?;
        let caller = self.caller.take().unwrap_or(ForeignCaller::Model);
        let session = self.toolbox.session(caller.clone());
        let session = session.lenient(self.lenient).deferring();
        #[cfg(feature = "documents")]
        let stored = history::context::of_stored(&self.history, &self.activations);
        let setup = Setup {
            system: self.system_parts(),
            toolbox: self.toolbox,
            #[cfg(feature = "documents")]
            caller,
            session: Arc::new(session),
            limits: self.limits,
            retries: self.retries,
            rate_limit: self.rate_limit,
            tool_choice: self.tool_choice,
            parallel_calls: self.parallel_calls,
            lenient: self.lenient,
            deferred: self.deferred,
            options: self.options,
            compaction: Compaction {
                compactor: self.compactor,
                most: self.history_tokens.or(window),
            },
            model,
            profile,
            keeper: self.keeper,
            answered_by: AtomicUsize::new(0),
            layers,
        };
        let chat = Chat::new(Arc::new(setup), self.history);
        #[cfg(feature = "documents")]
        let chat = chat.with_stored(stored);
        Ok(chat)
    }

    /// Checks the chat's own settings. The model checks its settings itself.
    fn check(&self) -> Result<(), ChatError> {
        self.limits.check()?;
        self.retries.check()?;
        self.options.check()?;
        if let Some(limit) = &self.rate_limit {
            limit.check()?;
        }
        let tokens = self.history_tokens;
        tokens.map_or(Ok(()), |tokens| check_tokens(tokens, few_in_history))
    }

    /// Checks that the models of a chain can replace each other: each supports the known tools, and the chain notices a stall
    /// before the chat does.
    fn check_chain(&self, profile: &ModelProfile) -> Result<(), ChatError> {
        let Some(chain) = profile.chain() else {
            return Ok(());
        };
        if chain.stall >= self.retries.stall {
            return Err(ChatError::Setting(format!(
                "`Fallback::stall` is {:?}, but the chat gives a request up after {:?} of silence, so that no other model would be \
                 asked; write a shorter one, or a longer `Retries::stall`",
                chain.stall, self.retries.stall
            )));
        }
        let list = self.toolbox.known_list();
        let tools = list.tools.iter();
        #[cfg(feature = "documents")]
        let tools = tools.filter(|listed| !self.toolbox.withholds(&listed.source));
        let tools: Vec<_> = tools.map(|listed| listed.tool.as_tool()).collect();
        for (index, model) in chain.models.iter().enumerate() {
            if let Err(error) = model.provider.tools(&tools) {
                let number = index + 1;
                return Err(ChatError::Setting(format!(
                    "model {number} of the fallback cannot have all tools of the toolbox: {error}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the parts of the system text: your own text, then each skill's instructions, in list order.
    fn system_parts(&self) -> Arc<[SystemPart]> {
        let program = self.program.iter();
        let program = program.map(|text| SystemPart::new("program", text));
        let skills = self.toolbox.instructions().into_iter();
        // the model reads the others when it loads their groups
        let skills = skills.filter(|skill| skill.group.is_none());
        let skills = skills.map(|skill| SystemPart::new(skill.origin, skill.text));
        program.chain(skills).collect()
    }
}

impl fmt::Debug for ChatBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatBuilder").finish_non_exhaustive()
    }
}
