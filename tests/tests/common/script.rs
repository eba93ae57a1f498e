//! A source that does what a test says.

use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::server::Caller;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource,
};
use std::future::pending;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A source that does what a test says. Clones are the same one.
#[derive(Clone, Default)]
pub struct Script(Arc<State>);

#[derive(Default)]
struct State {
    tools: Mutex<Vec<SourceTool>>,
    behavior: Mutex<Behavior>,
    output: Mutex<ToolOutput>,
    has_generation: bool,
    generation: AtomicU64,
    lists: AtomicUsize,
    calls: Mutex<Vec<Called>>,
}

/// How a source answers.
#[derive(Clone, Default)]
pub enum Behavior {
    #[default]
    Answer,
    Fail(SourceError),
    /// When it is asked.
    Panic,
    /// While its answer is awaited.
    PanicLater,
    Hang,
}

/// A call that a source got.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    pub name: String,
    pub arguments: Value,
    pub caller: Caller,
    pub key: Option<String>,
}

/// A tool with one text.
pub fn tool(name: &str) -> SourceTool {
    let schema = json!({
        "type": "object",
        "properties": { "text": { "type": "string", "maxLength": 20 } },
        "required": ["text"],
        "additionalProperties": false,
    });
    ToolBuf::new(name, "A tool.", schema).into()
}

/// A destructive tool with one text.
pub fn destructive(name: &str) -> SourceTool {
    let mut tool = tool(name);
    tool.tool.hints.destructive = true;
    tool
}

impl Script {
    pub fn of(names: &[&str]) -> Self {
        Self::with(names.iter().map(|name| tool(name)).collect())
    }

    pub fn with(tools: Vec<SourceTool>) -> Self {
        let script = Self::default();
        script.list_now(tools);
        script.answer_with("done".into());
        script
    }

    /// With a generation, which `list_now` increases.
    pub fn with_generation(tools: Vec<SourceTool>) -> Self {
        let state = State {
            has_generation: true,
            tools: Mutex::new(tools),
            ..State::default()
        };
        Self(Arc::new(state))
    }

    pub fn list_now(&self, tools: Vec<SourceTool>) {
        *self.0.tools.lock().unwrap() = tools;
        self.0.generation.fetch_add(1, Ordering::SeqCst);
    }

    /// Sets the generation back, as a client does whose program cannot start.
    pub fn go_back(&self) {
        self.0.generation.fetch_sub(1, Ordering::SeqCst);
    }

    pub fn behave(&self, behavior: Behavior) {
        *self.0.behavior.lock().unwrap() = behavior;
    }

    pub fn answer_with(&self, output: ToolOutput) {
        *self.0.output.lock().unwrap() = output;
    }

    /// How often it was asked for its list.
    pub fn lists(&self) -> usize {
        self.0.lists.load(Ordering::SeqCst)
    }

    pub fn calls(&self) -> Vec<Called> {
        self.0.calls.lock().unwrap().clone()
    }

    async fn behaved(&self) -> Result<(), SourceError> {
        let behavior = self.0.behavior.lock().unwrap().clone();
        match behavior {
            Behavior::Answer | Behavior::Panic => Ok(()),
            Behavior::Fail(error) => Err(error),
            Behavior::PanicLater => panic!("a secret of the source"),
            Behavior::Hang => pending().await,
        }
    }

    fn panic_if_wanted(&self) {
        let wanted = matches!(*self.0.behavior.lock().unwrap(), Behavior::Panic);
        assert!(!wanted, "a secret of the source");
    }
}

impl ToolSource for Script {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        self.panic_if_wanted();
        self.0.lists.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            self.behaved().await?;
            Ok(self.0.tools.lock().unwrap().clone())
        })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        self.panic_if_wanted();
        Box::pin(async move {
            self.0.calls.lock().unwrap().push(Called {
                name: call.name.to_owned(),
                arguments: call.arguments.clone(),
                caller: call.caller.clone(),
                key: call.key.map(str::to_owned),
            });
            self.behaved().await?;
            Ok(self.0.output.lock().unwrap().clone())
        })
    }

    fn generation(&self) -> Option<u64> {
        let has_one = self.0.has_generation;
        has_one.then(|| self.0.generation.load(Ordering::SeqCst))
    }
}
