//! What a family of documents requires, allows and forgives: a table, no code.

mod field;
mod presets;

pub use field::Field;

use crate::Severity;

/// What happens to a document that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It does not load.
    Reject,
    /// It loads with a diagnostic; a value that cannot be used is left out.
    Warn,
    /// It loads.
    Ignore,
}

impl Rule {
    /// How bad a breach is; `None` when it is not told.
    pub(crate) const fn severity(self) -> Option<Severity> {
        match self {
            Self::Reject => Some(Severity::Error),
            Self::Warn => Some(Severity::Warning),
            Self::Ignore => None,
        }
    }
}

/// Whether a document may do without frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frontmatter {
    /// A document without it does not load.
    Required,
    /// A document without it is all body (seed 004, section 2).
    Optional,
}

/// Where the id of a document comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// Its `name`.
    Name,
    /// Its `name`, and that of the folder where there is none.
    NameOrDirectory,
    /// The folder; the `name` where no folder is known.
    Directory,
}

/// The characters of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Whatever a person reads (seed 003).
    Any,
    /// `a-z`, `A-Z`, `0-9`, `-` and `_` (seed 002, and the underscore of its loader).
    AsciiWord,
    /// Lower-case letters and digits of any script and single `-` between them, in the form NFKC (agentskills.io).
    LowerHyphen,
}

/// What a length is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Unicode scalar values.
    Chars,
    /// Bytes of UTF-8.
    Bytes,
}

impl Unit {
    /// The length of a text.
    #[must_use]
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Chars => text.chars().count(),
            Self::Bytes => text.len(),
        }
    }

    pub(crate) const fn plural(self) -> &'static str {
        match self {
            Self::Chars => "characters",
            Self::Bytes => "bytes",
        }
    }
}

/// What a scalar without quotes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalars {
    /// Always text, as it is written: `1.0` is `1.0`.
    Text,
    /// `true` and `false`, numbers and `null` are no text. `yes` and `on` are.
    Typed,
}

/// What a loader does about symbolic links below the folder of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// None is followed.
    Refuse,
    /// One that leads to a folder within the folder of the source is followed.
    Inside,
}

/// What a loader does about documents of one source whose ids are the same but for case and Unicode form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// None of them loads: which one is meant is not ours to guess.
    Exclude,
    /// The first in the order of their paths loads.
    First,
}

/// How much of a document is looked at. What is over a limit is refused before it is parsed, or as soon as it is met.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub file: usize,
    /// Bytes of the frontmatter.
    pub frontmatter: usize,
    /// Nested mappings and lists.
    pub depth: usize,
    /// Values, lists and mappings together.
    pub nodes: usize,
    /// Keywords of the triggers, and as many verbs.
    pub keywords: usize,
    /// Patterns of the triggers.
    pub patterns: usize,
    /// Bytes of one pattern.
    pub pattern: usize,
    /// Files and folders that a loader looks at in one source.
    pub entries: usize,
    /// Files that a document may bring.
    pub resources: usize,
    /// Bytes of one of them.
    pub resource: usize,
    /// Bytes of all that the documents of one source bring, where a loader reads them to know them again.
    pub all_resources: usize,
    /// Folders within folders that hold them.
    pub resource_depth: usize,
}

/// A family of documents. The presets are constants; another one is made of a preset:
///
/// ```
/// use skill_manifest::{Dialect, Rule, check};
///
/// const OURS: Dialect = Dialect::AGENT_SKILLS.with_unknown(Rule::Warn).with_name("OURS");
///
/// let text = "---\nname: a\ndescription: d\nteam: x\n---\n";
/// assert!(!check(text, &Dialect::AGENT_SKILLS).is_valid());
/// assert!(check(text, &OURS).is_valid());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What it is called in messages and on the command line.
    pub name: &'static str,
    /// What a file may be called, the first where there are several.
    pub file_names: &'static [&'static str],
    /// Whether upper and lower case make two names of a file.
    pub file_case: bool,
    /// How many folders deep a loader looks for documents: 1 for the folders of a source. It never looks below a document.
    pub depth: usize,
    /// A folder of a source with no document in it or, where `depth` says to look, below it.
    pub missing: Rule,
    /// What a loader does about symbolic links.
    pub links: Links,
    /// What a loader does about documents of one source with one id.
    pub collision: Collision,
    /// Whether frontmatter is required.
    pub frontmatter: Frontmatter,
    /// The keys it knows.
    pub fields: &'static [Field],
    /// Those that must be there.
    pub required: &'static [Field],
    /// Where the id comes from.
    pub id: IdSource,
    /// The characters of a name.
    pub charset: Charset,
    /// The longest values.
    pub lengths: &'static [(Field, usize)],
    /// What `lengths` count.
    pub unit: Unit,
    /// Whether blanks at the ends of a name and a description are no part of them.
    pub trim: bool,
    /// What a scalar without quotes is.
    pub scalars: Scalars,
    /// A name, length, pattern, toolset or command of a wrong form.
    pub form: Rule,
    /// A name that is not that of the folder.
    pub directory: Rule,
    /// A required text without a character.
    pub empty: Rule,
    /// A required text of blanks.
    pub blank: Rule,
    /// A value of a wrong type. Where it bounds what a document may do, it is always refused.
    pub types: Rule,
    /// Keys that may have a value of any type; one that cannot be used is left out with a diagnostic.
    pub loose: &'static [Field],
    /// A key that is not among `fields`. One that bounds what a document may do is never ignored in silence.
    pub unknown: Rule,
    /// A key that stands twice; the last one counts where it is not refused. One that bounds what a document may do, such as
    /// `allowed-tools` or a condition of `eligibility`, is refused always.
    pub duplicates: Rule,
    /// `[a, b]` and `{a: b}`.
    pub flow: Rule,
    /// `!!str a`.
    pub tags: Rule,
    /// Whether a value with an unquoted colon is read as text, with a diagnostic.
    pub repair: bool,
    /// How much is looked at.
    pub limits: Limits,
}

macro_rules! builders {
    ($($(#[$doc:meta])+ $method:ident, $field:ident: $type:ty;)+) => {
        /// Another dialect, of this one.
        impl Dialect {
            $(
                $(#[$doc])+
                #[must_use]
                pub const fn $method(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )+
        }
    };
}

builders! {
    /// With another name.
    with_name, name: &'static str;
    /// With other file names.
    with_file_names, file_names: &'static [&'static str];
    /// With the case of file names compared or not.
    with_file_case, file_case: bool;
    /// With another depth of search.
    with_depth, depth: usize;
    /// With another rule for folders without a document; they are never more than a warning.
    with_missing, missing: Rule;
    /// With symbolic links followed or not.
    with_links, links: Links;
    /// With another rule for ids that stand twice.
    with_collision, collision: Collision;
    /// With frontmatter required or not.
    with_frontmatter, frontmatter: Frontmatter;
    /// With other keys.
    with_fields, fields: &'static [Field];
    /// With other required keys.
    with_required, required: &'static [Field];
    /// With another source of the id.
    with_id, id: IdSource;
    /// With other characters in names.
    with_charset, charset: Charset;
    /// With other lengths.
    with_lengths, lengths: &'static [(Field, usize)];
    /// With lengths counted otherwise.
    with_unit, unit: Unit;
    /// With blanks at the ends taken off or left.
    with_trim, trim: bool;
    /// With scalars read otherwise.
    with_scalars, scalars: Scalars;
    /// With another rule for wrong forms.
    with_form, form: Rule;
    /// With another rule for the name of the folder.
    with_directory, directory: Rule;
    /// With another rule for empty texts.
    with_empty, empty: Rule;
    /// With another rule for texts of blanks.
    with_blank, blank: Rule;
    /// With another rule for wrong types.
    with_types, types: Rule;
    /// With other keys of any type.
    with_loose, loose: &'static [Field];
    /// With another rule for unknown keys.
    with_unknown, unknown: Rule;
    /// With another rule for keys that stand twice.
    with_duplicates, duplicates: Rule;
    /// With another rule for flow collections.
    with_flow, flow: Rule;
    /// With another rule for tags.
    with_tags, tags: Rule;
    /// With or without repair.
    with_repair, repair: bool;
    /// With other limits.
    with_limits, limits: Limits;
}

impl Dialect {
    /// The preset of that name, for configuration and command lines.
    ///
    /// ```
    /// use skill_manifest::Dialect;
    ///
    /// assert_eq!(Dialect::preset("LILY"), Some(&Dialect::LILY));
    /// assert_eq!(Dialect::preset("lily"), None);
    /// ```
    #[must_use]
    pub fn preset(name: &str) -> Option<&'static Self> {
        Self::PRESETS.iter().find(|it| it.name == name)
    }

    pub(crate) fn knows(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    pub(crate) fn requires(&self, field: Field) -> bool {
        self.required.contains(&field)
    }
}
