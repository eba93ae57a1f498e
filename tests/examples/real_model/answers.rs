//! Typed answers: of a request without tools, beside tools, and by the call of a tool.

use super::table::{Outcome, Table};
use super::types::*;
use super::{Asked, profile};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use skill_agent::chat::{
    AnswerForm, Chat, ChatBuilder, ChatError, Message, Role, Stop, ToolChoice,
};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use skill_examples::Workbench;
use std::error::Error;
use std::fmt::Debug;

/// Without tools, the schema of the answer is that of the request. Beside tools, it is one of the alternatives. A call has it in its
/// arguments.
#[derive(Clone, Copy)]
enum Form {
    Alone,
    BesideTools,
    Call,
}

struct Answers<'a> {
    asked: &'a Asked,
    table: &'a mut Table,
    tools: Toolbox,
    no_tools: Toolbox,
}

/// Asks for all types in all forms.
pub async fn ask(asked: &Asked, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(Workbench::new()).start().await?;
    let mut answers = Answers {
        asked,
        table,
        tools: Toolbox::of(&server),
        no_tools: Toolbox::builder().build().await?,
    };
    macro_rules! ask {
        ($($name:literal: $ty:ty,)*) => {
            for form in [Form::Alone, Form::BesideTools, Form::Call] {
                $(answers.of_type::<$ty>(form, $name).await?;)*
            }
        };
    }
    ask! {
        "struct": Person,
        "nested structs": Order,
        "enum of words": Colour,
        "enum with data": Shape,
        "tagged enum": Payment,
        "enum with tag and content": Reply,
        "untagged enum": Untagged,
        "options": Filter,
        "list of texts": Tags,
        "list": Vec<u8>,
        "ranges": Ranges,
        "integers of every width": Widths,
        "patterns": Patterns,
        "boolean": bool,
        "text": String,
        "short text": Title,
        "number": f64,
        "optional number": Option<i32>,
        "letter": char,
        "map": Prices,
        "tuple": Triple,
        "array": Array,
        "recursive struct": Tree,
        "flattened enum": Purchase,
        "defaults": Settings,
    }
    Ok(())
}

impl Answers<'_> {
    async fn of_type<T: DeserializeOwned + JsonSchema + Debug>(
        &mut self,
        form: Form,
        name: &str,
    ) -> Result<(), ChatError> {
        let word = match form {
            Form::Alone => "alone",
            Form::BesideTools => "beside tools",
            Form::Call => "by a call",
        };
        if self.asked.is_left_out(&format!("{word} {name}")) {
            return Ok(());
        }
        let mut chat = self.chat(form).build()?;
        let question = format!("Make up a value. It is short. It is of this kind: {name}.");
        let answer = chat.ask::<T>(question).await;
        let (outcome, text) = match answer {
            Ok(answer) => match first_mistake(chat.history()) {
                None => (Outcome::Answered, format!("{answer:?}")),
                Some(mistake) => mistake,
            },
            Err(ChatError::NoAnswer(turn)) if turn.stop == Stop::Truncated => {
                (Outcome::Truncated, turn.text().to_owned())
            }
            Err(error) => (Outcome::Wrong(error.to_string()), String::new()),
        };
        self.table.row(word, name, &outcome, &text);
        Ok(())
    }

    fn chat(&self, form: Form) -> ChatBuilder {
        let (profile, tools, choice) = match form {
            Form::Alone => (profile(), &self.no_tools, ToolChoice::Auto),
            Form::BesideTools => (
                profile().with_constrained_tools(true),
                &self.tools,
                ToolChoice::None,
            ),
            Form::Call => (
                profile()
                    .with_constrained_tools(true)
                    .with_answer_form(AnswerForm::Tool),
                &self.no_tools,
                ToolChoice::Auto,
            ),
        };
        Chat::builder(self.asked.model(profile), tools.clone())
            .tool_choice(choice)
            .options(self.asked.options.clone())
            .retries(Asked::retries())
    }
}

/// The mistake of the first answer, if the model was asked again.
fn first_mistake(history: &[Message]) -> Option<(Outcome, String)> {
    let mut completions = history
        .iter()
        .filter(|message| message.role == Role::Assistant);
    let first = completions.next()?;
    completions.next()?;
    let reaction = history.get(2)?;
    let error = format!("{reaction:?}");
    let outcome = if reaction
        .results()
        .any(|result| result.text().contains("cut off"))
    {
        Outcome::Truncated
    } else {
        Outcome::Wrong(error)
    };
    Some((outcome, format!("{first:?}")))
}
