//! The rules for actions.

mod arguments;
mod hints;
mod parameters;
mod ranges;
mod resources;
mod stub;

pub(crate) use stub::{Stub, stub};

use super::answer::{self, Answer};
use super::{compact_text, generic, grammar, listed_once, report};
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::action::{
    ActionInput, ActionOptions, ArgOptions, attrs_of, is_of_arguments, is_of_fields, is_of_structs,
    without_helper_attributes,
};
use crate::parse::docs::{self, Docs};
use crate::parse::values::Text;
use crate::paths::{Paths, Root};
use crate::validate::state::serde_names;
pub(crate) use hints::Route;
use hints::{hints, routes};
use proc_macro2::{Ident, Span, TokenStream};
pub(crate) use resources::is_argument_type;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprRange, FnArg, ItemFn, Path, Signature, Type, Visibility};

/// A valid action.
pub(crate) struct Action {
    pub(crate) paths: Paths,
    /// The `#[cfg]` of all the action's items, if parameters have conditions.
    pub(crate) cfg: TokenStream,
    pub(crate) function: ItemFn,
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Docs,
    pub(crate) skill: Type,
    /// Whether the function takes the skill as `&mut`.
    pub(crate) changes: bool,
    pub(crate) is_async: bool,
    /// The span of the skill in the context parameter, or `None` if there is no context.
    pub(crate) context: Option<Span>,
    pub(crate) args: Vec<Arg>,
    /// The parameters after the skill and the context, in order.
    pub(crate) given: Vec<ParameterValue>,
    pub(crate) answer: Answer,
    pub(crate) derives: Vec<Path>,
    pub(crate) routes: Vec<Route>,
    /// The path of the condition.
    pub(crate) when: Option<Path>,
    pub(crate) internal: bool,
    /// The names of the builder methods that set the hints.
    pub(crate) hints: Vec<&'static str>,
}

/// The value to pass for a function parameter.
pub(crate) enum ParameterValue {
    /// The argument with this name.
    Argument(Ident),
    /// The resource with this type.
    Resource(Box<Type>),
}

/// A valid argument.
#[derive(Clone)]
pub(crate) struct Arg {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) name: String,
    pub(crate) docs: Vec<Attribute>,
    pub(crate) description: Docs,
    /// The argument's default: `None` if the argument is required, and `Some(None)` for the type's default.
    pub(crate) default: Option<Option<Expr>>,
    pub(crate) range: Option<ExprRange>,
    pub(crate) length: Option<ExprRange>,
    pub(crate) pattern: Option<Text>,
    pub(crate) examples: Vec<Expr>,
    /// The attributes for serde.
    pub(crate) serde: Vec<Attribute>,
}

/// `#[skill(…)]` and the attributes of arguments are not allowed on functions, and the attributes of fields are not allowed on
/// parameters.
fn no_attribute_of_structs(function: &ItemFn, errors: &mut Errors) {
    let of_parameters = || function.sig.inputs.iter().flat_map(attrs_of);
    let attrs = function.attrs.iter().chain(of_parameters());
    for attr in attrs.filter(|attr| is_of_structs(attr)) {
        report(messages::skill_attribute_on_action(), attr.path(), errors);
    }
    for attr in function.attrs.iter().filter(|attr| is_of_arguments(attr)) {
        let name = compact_text(attr.path());
        report(
            messages::argument_attribute_on_action(&name),
            attr.path(),
            errors,
        );
    }
    for attr in of_parameters().filter(|attr| is_of_fields(attr)) {
        arguments::no_attribute_of_fields(attr, errors);
    }
}

/// Checks all rules. Returns `None` if there is no skill.
pub(crate) fn check(input: ActionInput, root: Root, errors: &mut Errors) -> Option<Action> {
    let ActionInput {
        function,
        options,
        params,
    } = input;
    let ident = function.sig.ident.clone();
    signature(&function, errors);
    no_attribute_of_structs(&function, errors);
    let Parameters {
        skill,
        context,
        args,
        given,
    } = parameters(&function, params, rename_all(&options, errors), errors);
    let answer = answer::check(&function.sig.output, ident.span(), errors);
    let name = name(&options, &ident, errors);
    let description = description(&function, &name, errors);
    grammar::not_empty(&options.title, "the title", errors);
    let derives = options
        .derive
        .clone()
        .map(|list| list.0)
        .unwrap_or_default();
    listed_once(&derives, "the derive", errors);
    derives_of_its_own(&derives, errors);
    let routes = routes(&options, errors);
    let struct_ident = struct_ident(&options, &ident, errors);
    let (skill, changes) = skill?;
    not_another_type(&struct_ident, &skill, &function.sig, errors);
    let is_async = function.sig.asyncness.is_some();
    // an async action may change the state with actions that it queues
    let hints = hints(&options, changes, is_async, errors);
    Some(Action {
        paths: Paths::new(root, options.root.as_ref().map(|path| &path.0)),
        cfg: TokenStream::new(),
        ident: struct_ident,
        vis: function.vis.clone(),
        name,
        title: options.title.as_ref().map(|text| text.value.clone()),
        description,
        skill,
        changes,
        is_async,
        context,
        args,
        given,
        answer,
        derives,
        routes,
        when: options.when.map(|path| path.0),
        internal: options.internal.is_some(),
        hints,
        function: without_helper_attributes(function),
    })
}

/// The parameters, grouped by kind.
struct Parameters {
    skill: Option<(Type, bool)>,
    context: Option<Span>,
    args: Vec<Arg>,
    given: Vec<ParameterValue>,
}

fn parameters(
    function: &ItemFn,
    options: Vec<ArgOptions>,
    rename_all: Option<&str>,
    errors: &mut Errors,
) -> Parameters {
    let mut inputs: Vec<(&FnArg, ArgOptions)> = function.sig.inputs.iter().zip(options).collect();
    if let Some(index) = parameters::misplaced(&function.sig.inputs) {
        parameters::skill_first(inputs[index].0, errors);
        let skill = inputs.remove(index);
        inputs.insert(0, skill);
    }
    let mut inputs = inputs.into_iter().peekable();
    if let Some((input, _)) = inputs.next_if(|(input, _)| parameters::is_context(input)) {
        report(messages::context_first(), input, errors);
    }
    let skill = parameters::skill(function, inputs.next(), errors);
    let context = inputs
        .next_if(|(input, _)| parameters::is_context(input))
        .map(|(input, options)| parameters::context(input, &options, errors));
    let is_async = function.sig.asyncness.is_some();
    let (mut args, mut given) = (Vec::new(), Vec::new());
    for (input, options) in inputs {
        if is_async && let Some(reference) = resources::of(input) {
            given.extend(resources::resource(input, reference, &options, errors));
        } else if let Some(arg) = arguments::argument(input, options, rename_all, errors) {
            given.push(ParameterValue::Argument(arg.ident.clone()));
            args.push(arg);
        }
    }
    arguments::same_names(&args, errors);
    Parameters {
        skill,
        context,
        args,
        given,
    }
}

/// `rename_all` must be one of serde's rules.
fn rename_all<'a>(options: &'a ActionOptions, errors: &mut Errors) -> Option<&'a str> {
    let rule = options.rename_all.as_ref()?;
    let is_known = serde_names::RULES.contains(&rule.value.as_str());
    if !is_known {
        let message = messages::unknown_rename_rule(&rule.value, &serde_names::RULES);
        grammar::report(message, rule, errors);
    }
    is_known.then_some(&rule.value)
}

/// The derives must not include serde's or schemars' traits, which `#[action]` implements itself. Derives of the same name from
/// other crates are allowed.
fn derives_of_its_own(derives: &[Path], errors: &mut Errors) {
    const OWN: [&str; 3] = ["Serialize", "Deserialize", "JsonSchema"];
    for path in derives {
        let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else {
            continue;
        };
        let is_ours =
            path.segments.len() == 1 || first.ident == "serde" || first.ident == "schemars";
        if is_ours && OWN.iter().any(|own| last.ident == own) {
            let message = messages::derive_of_its_own(&last.ident.to_string());
            report(message, path, errors);
        }
    }
}

/// An action must be a plain or async function. It must not be `unsafe`, `const`, `extern` or generic.
fn signature(function: &ItemFn, errors: &mut Errors) {
    let sig = &function.sig;
    if let syn::Safety::Unsafe(token) = &sig.safety {
        report(messages::action_qualified("unsafe"), token, errors);
    }
    if let Some(token) = sig.constness {
        report(messages::action_qualified("const"), &token, errors);
    }
    if let Some(abi) = &sig.abi {
        report(messages::action_qualified("extern"), abi, errors);
    }
    if let Some(variadic) = &sig.variadic {
        report(messages::action_variadic(), variadic, errors);
    }
    let lifetime = sig.generics.lifetimes().next();
    if let (Some(lifetime), None) = (lifetime, sig.generics.type_params().next()) {
        report(messages::action_where(), lifetime, errors);
    } else if !sig.generics.params.is_empty() {
        generic(&sig.generics, "an action", "a function", errors);
    } else if let Some(clause) = &sig.generics.where_clause {
        report(messages::action_where(), clause, errors);
    }
}

/// Returns the tool's name from the attribute or the function, and checks it.
fn name(options: &ActionOptions, ident: &Ident, errors: &mut Errors) -> String {
    match &options.name {
        Some(text) => {
            grammar::tool_name(text, errors);
            text.value.clone()
        }
        None => {
            let name = names::plain(ident);
            if !grammar::is_tool_name(&name) {
                report(messages::bad_tool_name(&name), ident, errors);
            }
            name
        }
    }
}

/// An action must have a description, because models choose actions by it.
fn description(function: &ItemFn, name: &str, errors: &mut Errors) -> Docs {
    docs::text(&function.attrs).unwrap_or_else(|| {
        report(
            messages::action_without_description(name),
            &function.sig.ident,
            errors,
        );
        Docs::Text(name.to_owned())
    })
}

/// Returns the struct's name: the one in the attribute, or the function's name in upper camel case. The latter must differ from
/// the function's name.
fn struct_ident(options: &ActionOptions, function: &Ident, errors: &mut Errors) -> Ident {
    match &options.struct_name {
        Some(path) => match path.0.get_ident() {
            Some(ident) => ident.clone(),
            None => {
                report(messages::takes_path("type"), &path.0, errors);
                names::action_struct(function)
            }
        },
        None => {
            let ident = names::action_struct(function);
            if ident == *function {
                report(
                    messages::struct_is_function(&ident.to_string()),
                    function,
                    errors,
                );
            }
            ident
        }
    }
}

/// The struct must not have the name of the skill or of a type in the signature, because all are in the same module. It must not
/// hide a common type either.
fn not_another_type(structure: &Ident, skill: &Type, sig: &Signature, errors: &mut Errors) {
    let name = structure.to_string();
    let message = if is_named(skill, structure) {
        messages::struct_is_skill(&name)
    } else if names::hides_common_type(structure) {
        messages::struct_hides_type(&name)
    } else if stub::mentions(sig, structure) {
        messages::struct_is_in_signature(&name)
    } else {
        return;
    };
    report(message, structure, errors);
}

fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident() == Some(name))
}

/// Returns the span of the return type. Without a return type, returns the span of the function's name.
pub(crate) fn answer_span(answer: &Answer) -> Span {
    match answer {
        Answer::Nothing(span) => *span,
        Answer::Value(ty) | Answer::Alias(ty) => ty.span(),
        Answer::Result { whole, .. } => whole.span(),
    }
}
