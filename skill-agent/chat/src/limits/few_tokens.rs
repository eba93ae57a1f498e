//! Checks of limits in tokens, which a program may mistake for limits in messages or thousands.

use crate::ChatError;

/// Below this number of tokens, almost no turn fits.
const TOO_FEW_TOKENS: usize = 64;
/// Below this number of tokens, many turns do not fit.
const FEW_TOKENS: usize = 1_000;

/// Returns an error for a number of tokens that was almost certainly meant in another unit. Logs a warning for a number that was
/// probably meant in another unit.
pub(crate) fn check_tokens(tokens: usize, problem: fn(usize) -> String) -> Result<(), ChatError> {
    match tokens {
        ..TOO_FEW_TOKENS => return Err(ChatError::Setting(problem(tokens))),
        TOO_FEW_TOKENS..FEW_TOKENS => tracing::warn!("{}", problem(tokens)),
        FEW_TOKENS.. => {}
    }
    Ok(())
}

pub(crate) fn few_in_history(tokens: usize) -> String {
    format!(
        "`history_tokens({tokens})` is a number of tokens, about four bytes of text each, and not of messages; with so few, requests \
         leave out all turns but the last one"
    )
}

pub(crate) fn few_in_window(tokens: usize) -> String {
    let instead = match tokens {
        0 => "leave it out if it is unknown".to_owned(),
        _ => format!("write `with_context_window({tokens}_000)` for {tokens} thousand"),
    };
    format!(
        "`with_context_window({tokens})` of the profile is a number of tokens, about four bytes of text each, and not of thousands; \
         almost no turn fits into so few; {instead}"
    )
}
