//! Parses an agent's schedules: `schedules: [hourly = every(HOUR) => "feed.fetch"]`.

use crate::messages;
use crate::parse::values::Text;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Token, bracketed, token};

/// A declared schedule.
pub(crate) struct ScheduleEntry {
    pub(crate) ident: Ident,
    pub(crate) repeat: Expr,
    pub(crate) signal: Text,
}

pub(super) fn schedules(input: ParseStream<'_>) -> syn::Result<Vec<ScheduleEntry>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(messages::SCHEDULES_FORM));
    }
    let content;
    bracketed!(content in input);
    let entries = Punctuated::<ScheduleEntry, Token![,]>::parse_terminated(&content)?;
    Ok(entries.into_iter().collect())
}

impl Parse for ScheduleEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let form = |error: syn::Error| syn::Error::new(error.span(), messages::SCHEDULE_FORM);
        let ident = input.parse().map_err(form)?;
        input.parse::<Token![=]>().map_err(form)?;
        let repeat = input.parse()?;
        input.parse::<Token![=>]>().map_err(form)?;
        let signal: LitStr = input.parse().map_err(form)?;
        Ok(Self {
            ident,
            repeat,
            signal: Text::from(&signal),
        })
    }
}
