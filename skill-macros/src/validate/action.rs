//! The rules of an action.

use super::answer::{self, Answer};
use super::{grammar, listed_once, serde_metas, spelled, tell};
use crate::messages;
use crate::names;
use crate::parse::action::{ActionInput, ActionOptions, ArgOptions, attrs_of, without_helpers};
use crate::parse::docs;
use crate::parse::values::Text;
use crate::paths::{Paths, Root};
use darling::error::Accumulator;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Expr, FnArg, ItemFn, Pat, PatType, Path, Type, TypeReference, Visibility};

/// An action that holds.
pub(crate) struct Action {
    pub(crate) paths: Paths,
    pub(crate) function: ItemFn,
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) skill: Type,
    /// Whether the skill is taken as `&mut`.
    pub(crate) changes: bool,
    /// Whether the context is asked for.
    pub(crate) takes_context: bool,
    pub(crate) args: Vec<Arg>,
    pub(crate) answer: Answer,
    pub(crate) derives: Vec<Path>,
    pub(crate) routes: Vec<(String, i8)>,
    pub(crate) internal: bool,
    /// The builder methods of its hints.
    pub(crate) hints: Vec<&'static str>,
}

/// An argument that holds.
#[derive(Clone)]
pub(crate) struct Arg {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) name: String,
    pub(crate) docs: Vec<Attribute>,
    pub(crate) description: String,
    /// `None`: required; `Some(None)`: the default of the type.
    pub(crate) default: Option<Option<Expr>>,
    pub(crate) range: Option<Expr>,
    pub(crate) length: Option<Expr>,
    pub(crate) pattern: Option<Text>,
    pub(crate) examples: Vec<Expr>,
    /// What is passed on to serde.
    pub(crate) serde: Vec<Attribute>,
}

/// Checks everything. Without a skill there is nothing to make a model of.
pub(crate) fn check(input: ActionInput, root: Root, errors: &mut Accumulator) -> Option<Action> {
    let ActionInput {
        function,
        options,
        params,
    } = input;
    let ident = function.sig.ident.clone();
    signature(&function, errors);
    let mut parameters = function.sig.inputs.iter().zip(params).peekable();
    if let Some((input, _)) = parameters.next_if(|(input, _)| is_context(input)) {
        tell(messages::context_first(), input, errors);
    }
    let skill = skill(&function, parameters.next(), errors);
    let takes_context = parameters
        .next_if(|(input, _)| is_context(input))
        .map(|(input, options)| context(input, &options, errors))
        .is_some();
    let args: Vec<Arg> = parameters
        .filter_map(|(input, options)| argument(input, options, errors))
        .collect();
    same_names(&args, errors);
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
    let routes = routes(&options, errors);
    let struct_ident = struct_ident(&options, &ident, errors);
    let (skill, changes) = skill?;
    not_the_skill(&struct_ident, &skill, errors);
    let hints = hints(&options, changes, errors);
    Some(Action {
        paths: Paths::new(root, options.root.as_ref().map(|path| &path.0)),
        ident: struct_ident,
        vis: function.vis.clone(),
        name,
        title: options.title.as_ref().map(|text| text.value.clone()),
        description,
        skill,
        changes,
        takes_context,
        args,
        answer,
        derives,
        routes,
        internal: options.internal.is_some(),
        hints,
        function: without_helpers(function),
    })
}

/// An action is a plain function: not `async` (yet), `unsafe`, `const`, `extern` or generic.
fn signature(function: &ItemFn, errors: &mut Accumulator) {
    let sig = &function.sig;
    if let Some(token) = sig.asyncness {
        tell(
            messages::action_async(&names::plain(&sig.ident)),
            &token,
            errors,
        );
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        tell(messages::action_qualified("unsafe"), token, errors);
    }
    if let Some(token) = sig.constness {
        tell(messages::action_qualified("const"), &token, errors);
    }
    if let Some(abi) = &sig.abi {
        tell(messages::action_qualified("extern"), abi, errors);
    }
    if let Some(variadic) = &sig.variadic {
        tell(messages::action_variadic(), variadic, errors);
    }
    if !sig.generics.params.is_empty() {
        tell(messages::generic("an action"), &sig.generics, errors);
    } else if let Some(clause) = &sig.generics.where_clause {
        tell(messages::action_where(), clause, errors);
    }
}

/// The first parameter is the skill, by reference.
fn skill(
    function: &ItemFn,
    first: Option<(&FnArg, ArgOptions)>,
    errors: &mut Accumulator,
) -> Option<(Type, bool)> {
    let Some((input, options)) = first else {
        tell(messages::no_first_parameter(), &function.sig.ident, errors);
        return None;
    };
    match input {
        FnArg::Receiver(receiver) => {
            tell(messages::action_method(), receiver, errors);
            None
        }
        FnArg::Typed(typed) => {
            no_options(typed, &options, "the skill", errors);
            match &*typed.ty {
                Type::Reference(reference) => match &*reference.elem {
                    ty @ Type::Path(path) if !path.path.is_ident("str") => {
                        if function.sig.generics.params.is_empty() {
                            lifetime(reference, errors);
                        }
                        Some((ty.clone(), reference.mutability.is_some()))
                    }
                    _ => {
                        tell(messages::no_first_parameter(), &typed.ty, errors);
                        None
                    }
                },
                ty @ Type::Path(_) => {
                    tell(messages::skill_by_value(&spelled(ty)), ty, errors);
                    None
                }
                ty => {
                    tell(messages::no_first_parameter(), ty, errors);
                    None
                }
            }
        }
    }
}

/// A lifetime would be a parameter.
fn lifetime(reference: &TypeReference, errors: &mut Accumulator) {
    if let Some(lifetime) = &reference.lifetime {
        tell(messages::action_where(), lifetime, errors);
    }
}

/// Whether the parameter is a context, however it is taken.
fn is_context(input: &FnArg) -> bool {
    match input {
        FnArg::Typed(typed) => match &*typed.ty {
            // rustc tells what is missing in `&mut Context`
            Type::Reference(reference) => {
                mentions_context(&reference.elem) || is_bare(&reference.elem)
            }
            ty => mentions_context(ty),
        },
        FnArg::Receiver(_) => false,
    }
}

fn is_bare(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Context"))
}

fn mentions_context(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => mentions_context(&reference.elem),
        Type::Path(path) => ends_in_context(&path.path),
        _ => false,
    }
}

fn ends_in_context(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "Context" && !last.arguments.is_empty())
}

/// The context is `&mut Context<Skill>`.
fn context(input: &FnArg, options: &ArgOptions, errors: &mut Accumulator) {
    let FnArg::Typed(typed) = input else { return };
    no_options(typed, options, "the context", errors);
    match &*typed.ty {
        Type::Reference(reference) if reference.mutability.is_some() => lifetime(reference, errors),
        Type::Reference(_) => tell(messages::context_shared(), &typed.ty, errors),
        _ => tell(messages::context_by_value(), &typed.ty, errors),
    }
}

/// What the agent gives takes no options.
fn no_options(typed: &PatType, options: &ArgOptions, what: &str, errors: &mut Accumulator) {
    let ArgOptions {
        default,
        rename,
        range,
        length,
        pattern,
        example,
    } = options;
    let any = default.is_some()
        || rename.is_some()
        || range.is_some()
        || length.is_some()
        || pattern.is_some()
        || !example.is_empty();
    if any && let Some(attr) = typed.attrs.iter().find(|attr| attr.path().is_ident("arg")) {
        tell(messages::injected_with_options(what), attr.path(), errors);
    }
}

/// An argument has a name and an owned type, and options that fit together.
fn argument(input: &FnArg, options: ArgOptions, errors: &mut Accumulator) -> Option<Arg> {
    let FnArg::Typed(typed) = input else {
        return None; // rustc tells a second `self`
    };
    if is_context(input) {
        tell(messages::context_place(), &typed.ty, errors);
        return None;
    }
    let attrs = attrs_of(input);
    let (ident, ty) = (
        argument_name(typed, errors),
        argument_type(&typed.ty, errors),
    );
    let serde = argument_serde(attrs, errors);
    if let Some(regex) = &options.pattern {
        grammar::regex(&regex.0, errors);
    }
    if let Some(name) = &options.rename {
        grammar::argument_name(name, errors);
    }
    let (ident, ty) = (ident?, ty?);
    let name = match options.rename {
        Some(text) => text.value,
        None => names::plain(&ident),
    };
    Some(Arg {
        name,
        docs: docs::attributes(attrs).cloned().collect(),
        description: docs::text(attrs).unwrap_or_default(),
        default: options.default.map(|default| default.value),
        range: options.range.map(|limits| limits.0),
        length: options.length.map(|limits| limits.0),
        pattern: options.pattern.map(|regex| regex.0),
        examples: options.example.into_iter().map(|value| value.0).collect(),
        serde,
        ident,
        ty,
    })
}

fn argument_name(typed: &PatType, errors: &mut Accumulator) -> Option<Ident> {
    match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        pat => {
            tell(messages::pattern_argument(), pat, errors);
            None
        }
    }
}

fn argument_type(ty: &Type, errors: &mut Accumulator) -> Option<Type> {
    if let Type::ImplTrait(_) = ty {
        tell(messages::impl_argument(), ty, errors);
        return None;
    }
    match borrowed(ty) {
        Some(reference) => {
            let owned = owned_type(&reference.elem);
            tell(messages::reference_argument(&owned), &reference, errors);
            None
        }
        None => Some(ty.clone()),
    }
}

/// What to write instead of a reference to `ty`.
pub(super) fn owned_type(ty: &Type) -> String {
    match ty {
        Type::Slice(slice) => format!("Vec<{}>", spelled(&slice.elem)),
        ty => match &*spelled(ty) {
            "str" => "String".to_owned(),
            "Path" | "std::path::Path" => "PathBuf".to_owned(),
            other => other.to_owned(),
        },
    }
}

/// Of serde's attributes those pass that the schema understands; what has an option of ours is written as one.
fn argument_serde(attrs: &[Attribute], errors: &mut Accumulator) -> Vec<Attribute> {
    for meta in serde_metas(attrs) {
        let path = meta.path();
        if path.is_ident("default") {
            tell(messages::serde_default_argument(), path, errors);
        } else if path.is_ident("rename") {
            tell(messages::serde_rename_argument(), path, errors);
        } else if path.is_ident("flatten") {
            tell(messages::flattened("the arguments"), path, errors);
        }
    }
    let serde = attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    serde.cloned().collect()
}

/// Two arguments cannot have one JSON name; both are marked.
fn same_names(args: &[Arg], errors: &mut Accumulator) {
    for (index, arg) in args.iter().enumerate() {
        if let Some(first) = args[..index].iter().find(|first| first.name == arg.name)
            && first.ident != arg.ident
        {
            tell(
                messages::same_argument_here(&arg.name),
                &first.ident,
                errors,
            );
            tell(messages::same_argument(&arg.name), &arg.ident, errors);
        }
    }
}

/// The name a model calls it by: written, or that of the function.
fn name(options: &ActionOptions, ident: &Ident, errors: &mut Accumulator) -> String {
    match &options.name {
        Some(text) => {
            grammar::tool_name(text, errors);
            text.value.clone()
        }
        None => {
            let name = names::plain(ident);
            if !grammar::is_tool_name(&name) {
                tell(messages::bad_tool_name(&name), ident, errors);
            }
            name
        }
    }
}

/// An action is described: a model picks by the description.
fn description(function: &ItemFn, name: &str, errors: &mut Accumulator) -> String {
    docs::text(&function.attrs).unwrap_or_else(|| {
        tell(
            messages::action_without_description(name),
            &function.sig.ident,
            errors,
        );
        name.to_owned()
    })
}

/// The struct: written, or the function's name in upper camel case, which has to differ from it.
fn struct_ident(options: &ActionOptions, function: &Ident, errors: &mut Accumulator) -> Ident {
    match &options.struct_name {
        Some(path) => match path.0.get_ident() {
            Some(ident) => ident.clone(),
            None => {
                tell(messages::takes_path("type"), &path.0, errors);
                names::action_struct(function)
            }
        },
        None => {
            let ident = names::action_struct(function);
            if ident == *function {
                tell(
                    messages::struct_is_function(&ident.to_string()),
                    function,
                    errors,
                );
            }
            ident
        }
    }
}

/// The struct stands beside the skill, so it has another name.
fn not_the_skill(structure: &Ident, skill: &Type, errors: &mut Accumulator) {
    if let Type::Path(path) = skill
        && path.path.get_ident() == Some(structure)
    {
        tell(
            messages::struct_is_skill(&structure.to_string()),
            structure,
            errors,
        );
    }
}

/// A route has a pattern and a priority from -100 to 100.
fn routes(options: &ActionOptions, errors: &mut Accumulator) -> Vec<(String, i8)> {
    let mut routes = Vec::new();
    for on in &options.on {
        let priority = match &on.priority {
            None => 0,
            Some(expr) => match priority(expr) {
                Some(priority) => priority,
                None => {
                    tell(messages::bad_priority(), expr, errors);
                    0
                }
            },
        };
        for pattern in &on.patterns {
            grammar::pattern(pattern, errors);
            let route = (pattern.value.clone(), priority);
            if routes.contains(&route) {
                grammar::tell(
                    messages::listed_twice("the route", &route.0),
                    pattern,
                    errors,
                );
            }
            routes.push(route);
        }
    }
    routes
}

fn priority(expr: &Expr) -> Option<i8> {
    let text = expr.to_token_stream().to_string().replace(' ', "");
    let number: i8 = text.parse().ok()?;
    (-100..=100).contains(&number).then_some(number)
}

/// Hints do not contradict each other or the signature.
fn hints(options: &ActionOptions, changes: bool, errors: &mut Accumulator) -> Vec<&'static str> {
    if let Some(word) = options.read_only {
        if let Some(destructive) = options.destructive {
            tell(messages::read_only_destructive(), &destructive.0, errors);
        } else if changes {
            tell(messages::read_only_mut(), &word.0, errors);
        }
    } else if let Some(word) = options.destructive
        && !changes
        && options.open_world.is_none()
    {
        tell(messages::destructive_shared(), &word.0, errors);
    }
    let destructive = options.destructive.is_some();
    let given = [
        ("read_only", !changes && !destructive),
        ("destructive", destructive),
        ("idempotent", options.idempotent.is_some()),
        ("open_world", options.open_world.is_some()),
    ];
    given
        .iter()
        .filter(|(_, given)| *given)
        .map(|(name, _)| *name)
        .collect()
}

/// What stands in for an action that does not hold: a struct that can be listed and made.
pub(crate) struct Stub {
    pub(crate) paths: Paths,
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) fields: Vec<(Ident, Type)>,
    pub(crate) output: Option<Type>,
    pub(crate) error: Option<Type>,
}

/// Made of whatever can be read; of a method nothing is, for no struct can stand beside it.
pub(crate) fn stub(input: &ActionInput, root: Root) -> Option<Stub> {
    let sig = &input.function.sig;
    if sig
        .inputs
        .iter()
        .any(|input| matches!(input, FnArg::Receiver(_)))
    {
        return None;
    }
    let is_generic = !sig.generics.params.is_empty();
    let fields = sig
        .inputs
        .iter()
        .skip(1)
        .filter_map(|parameter| match parameter {
            FnArg::Typed(typed) if !is_generic && !is_context(parameter) => {
                match (&*typed.pat, &*typed.ty) {
                    (Pat::Ident(pat), ty)
                        if borrowed(ty).is_none() && !matches!(ty, Type::ImplTrait(_)) =>
                    {
                        Some((pat.ident.clone(), ty.clone()))
                    }
                    _ => None,
                }
            }
            _ => None,
        });
    let (output, error) = match is_generic {
        true => (None, None),
        false => answer::types(&sig.output),
    };
    let written = input.options.struct_name.as_ref();
    let ident = written.and_then(|path| path.0.get_ident()).cloned();
    let ident = ident.unwrap_or_else(|| names::action_struct(&sig.ident));
    (ident != sig.ident).then(|| Stub {
        paths: Paths::new(root, input.options.root.as_ref().map(|path| &path.0)),
        ident,
        vis: input.function.vis.clone(),
        fields: fields.collect(),
        output,
        error,
    })
}

/// The first reference within a type, but for `'static` ones.
pub(super) fn borrowed(ty: &Type) -> Option<TypeReference> {
    struct Find(Option<TypeReference>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
            let is_static = reference
                .lifetime
                .as_ref()
                .is_some_and(|l| l.ident == "static");
            if !is_static && self.0.is_none() {
                self.0 = Some(reference.clone());
            }
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// The place of the return type, or of the name where there is none.
pub(crate) fn answer_span(answer: &Answer) -> Span {
    match answer {
        Answer::Nothing(span) => *span,
        Answer::Value(ty) | Answer::Alias(ty) => ty.span(),
        Answer::Result { whole, .. } => whole.span(),
    }
}
