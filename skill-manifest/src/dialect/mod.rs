//! The rules of a family of documents, as a table.

mod field;
mod presets;

pub use field::FrontmatterField;

use crate::Severity;

/// The consequence for a document that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// The document does not load.
    Reject,
    /// The document loads with a diagnostic, without values that cannot be used.
    Warn,
    /// The document loads.
    Ignore,
}

impl Enforcement {
    /// The severity of breaking the rule; `None` if it is not reported.
    pub(crate) const fn severity(self) -> Option<Severity> {
        match self {
            Self::Reject => Some(Severity::Error),
            Self::Warn => Some(Severity::Warning),
            Self::Ignore => None,
        }
    }
}

/// Whether a document needs frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontmatterPolicy {
    /// A document without frontmatter does not load.
    Required,
    /// A document without frontmatter consists of its body.
    Optional,
}

/// Where the id of a document comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// The `name`.
    Name,
    /// The `name`, or the folder if there is no name.
    NameOrDirectory,
    /// The folder, or the `name` if no folder is known.
    Directory,
}

/// The characters that a name may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameCharset {
    /// Any characters, for names that people read.
    Any,
    /// `a-z`, `A-Z`, `0-9`, `-` and `_`.
    AsciiWord,
    /// Lower-case letters and digits of any script and single `-` between them, in the form NFKC (agentskills.io).
    LowerHyphen,
}

/// The unit in which lengths are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// Unicode scalar values.
    Chars,
    /// Bytes of UTF-8.
    Bytes,
}

impl LengthUnit {
    /// Returns the length of a text.
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

/// The type of an unquoted scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Always a string, as written: `1.0` is `"1.0"`.
    Text,
    /// `true`, `false`, numbers and `null` are not strings. `yes` and `on` are.
    Typed,
}

/// How a loader treats symbolic links below the folder of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPolicy {
    /// No link is followed.
    Refuse,
    /// A link to a folder within the folder of the source is followed.
    Inside,
}

/// How a loader treats documents of one source whose ids are equal or differ only in case or Unicode form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionPolicy {
    /// None of them loads, because there is no telling which one was meant.
    Exclude,
    /// The first in the order of paths loads.
    First,
}

/// Limits on the size of a document. Input over a limit is refused before it is parsed, or as soon as the limit is reached.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentLimits {
    /// Bytes of the file.
    pub file: usize,
    /// Bytes of the frontmatter.
    pub frontmatter: usize,
    /// Depth of nested mappings and lists.
    pub depth: usize,
    /// Number of values, lists and mappings in total.
    pub nodes: usize,
    /// Number of trigger keywords, and of verbs.
    pub keywords: usize,
    /// Number of trigger patterns.
    pub patterns: usize,
    /// Bytes of one keyword, verb or pattern.
    pub pattern: usize,
    /// Files and folders that a loader visits in one source.
    pub entries: usize,
    /// Files that a document may bundle.
    pub resources: usize,
    /// Bytes of one bundled file.
    pub resource: usize,
    /// Bytes of all files bundled by the documents of one source, if a loader hashes them.
    pub all_resources: usize,
    /// Depth of folders that contain bundled files.
    pub resource_depth: usize,
}

/// The rules of a family of documents. The presets are constants; build another dialect from a preset:
///
/// ```
/// use skill_manifest::{Dialect, Enforcement, check};
///
/// const OURS: Dialect = Dialect::AGENT_SKILLS.with_unknown(Enforcement::Warn).with_name("OURS");
///
/// let text = "---\nname: a\ndescription: d\nteam: x\n---\n";
/// assert!(!check(text, &Dialect::AGENT_SKILLS).is_valid());
/// assert!(check(text, &OURS).is_valid());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The name of the dialect, in messages and on the command line.
    pub name: &'static str,
    /// The accepted file names; if several files exist, the first counts.
    pub file_names: &'static [&'static str],
    /// Whether file names are case-sensitive.
    pub file_case: bool,
    /// How many folders deep a loader looks for documents: 1 means the folders of a source. It never looks below a document.
    pub depth: usize,
    /// How a loader treats a folder of a source with no document in it or, if `depth` allows, below it.
    pub missing: Enforcement,
    /// How a loader treats symbolic links.
    pub links: LinkPolicy,
    /// How a loader treats documents of one source whose ids are equal or differ only in case or Unicode form.
    pub collision: CollisionPolicy,
    /// Whether frontmatter is required.
    pub frontmatter: FrontmatterPolicy,
    /// The known keys.
    pub fields: &'static [FrontmatterField],
    /// The required keys.
    pub required: &'static [FrontmatterField],
    /// Where the id comes from.
    pub id: IdSource,
    /// The characters that a name may have.
    pub charset: NameCharset,
    /// The longest allowed values.
    pub lengths: &'static [(FrontmatterField, usize)],
    /// The unit of `lengths`.
    pub unit: LengthUnit,
    /// Whether whitespace at the ends of a name and a description is removed.
    pub trim: bool,
    /// The type of an unquoted scalar.
    pub scalars: ScalarType,
    /// How a malformed name, pattern, toolset or command and a value that is too long are treated.
    pub form: Enforcement,
    /// How a name that differs from the folder's name is treated.
    pub directory: Enforcement,
    /// How a required string that is empty is treated.
    pub empty: Enforcement,
    /// How a required string of whitespace is treated.
    pub blank: Enforcement,
    /// How a value of the wrong type is treated. For a key that restricts what a document may do, it is always refused.
    pub types: Enforcement,
    /// Keys that accept any type; a value that cannot be used is left out with a diagnostic.
    pub loose: &'static [FrontmatterField],
    /// How a key that is not among `fields` is treated. A key that restricts what a document may do is never ignored silently.
    pub unknown: Enforcement,
    /// How a repeated key is treated; if it is not refused, the last value counts. A repeated key that restricts what a document
    /// may do, such as `allowed-tools` or a condition of `eligibility`, is always refused.
    pub duplicates: Enforcement,
    /// How `[a, b]` and `{a: b}` are treated.
    pub flow: Enforcement,
    /// How a tag such as `!!str a` is treated. If tags are ignored, one without a meaning, as in `!important a`, is a part of the
    /// value, with a warning.
    pub tags: Enforcement,
    /// Whether keys, values and items that YAML cannot read without quotes are read as strings, and paths of Windows in double
    /// quotes as they are written; each with a diagnostic.
    pub repair: bool,
    /// Size limits.
    pub limits: DocumentLimits,
}

macro_rules! builders {
    ($($(#[$doc:meta])+ $method:ident, $field:ident: $type:ty;)+) => {
        /// Methods that return a changed dialect.
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
    /// Sets the name.
    with_name, name: &'static str;
    /// Sets the accepted file names.
    with_file_names, file_names: &'static [&'static str];
    /// Sets whether file names are case-sensitive.
    with_file_case, file_case: bool;
    /// Sets how deep a loader looks for documents.
    with_depth, depth: usize;
    /// Sets the rule for folders without a document, which are never more than a warning.
    with_missing, missing: Enforcement;
    /// Sets how symbolic links are treated.
    with_links, links: LinkPolicy;
    /// Sets the rule for ids that are equal or differ only in case or Unicode form.
    with_collision, collision: CollisionPolicy;
    /// Sets whether frontmatter is required.
    with_frontmatter, frontmatter: FrontmatterPolicy;
    /// Sets the known keys.
    with_fields, fields: &'static [FrontmatterField];
    /// Sets the required keys.
    with_required, required: &'static [FrontmatterField];
    /// Sets where the id comes from.
    with_id, id: IdSource;
    /// Sets the characters that names may have.
    with_charset, charset: NameCharset;
    /// Sets the longest allowed values.
    with_lengths, lengths: &'static [(FrontmatterField, usize)];
    /// Sets the unit of lengths.
    with_unit, unit: LengthUnit;
    /// Sets whether whitespace at the ends is removed.
    with_trim, trim: bool;
    /// Sets how unquoted scalars are read.
    with_scalars, scalars: ScalarType;
    /// Sets the rule for malformed values.
    with_form, form: Enforcement;
    /// Sets the rule for names that differ from the folder.
    with_directory, directory: Enforcement;
    /// Sets the rule for empty strings.
    with_empty, empty: Enforcement;
    /// Sets the rule for strings of whitespace.
    with_blank, blank: Enforcement;
    /// Sets the rule for wrong types.
    with_types, types: Enforcement;
    /// Sets the keys that accept any type.
    with_loose, loose: &'static [FrontmatterField];
    /// Sets the rule for unknown keys.
    with_unknown, unknown: Enforcement;
    /// Sets the rule for repeated keys.
    with_duplicates, duplicates: Enforcement;
    /// Sets the rule for flow collections.
    with_flow, flow: Enforcement;
    /// Sets the rule for tags.
    with_tags, tags: Enforcement;
    /// Sets whether keys and values without the quotes that they need are repaired.
    with_repair, repair: bool;
    /// Sets the size limits.
    with_limits, limits: DocumentLimits;
}

impl Dialect {
    /// Returns the preset with the given name, for configuration and command lines.
    ///
    /// ```
    /// use skill_manifest::Dialect;
    ///
    /// assert_eq!(Dialect::preset("LILY"), Some(&Dialect::LILY));
    /// assert_eq!(Dialect::preset("lily"), None);
    /// ```
    #[must_use]
    pub fn preset(name: &str) -> Option<&'static Self> {
        Self::PRESETS.iter().find(|preset| preset.name == name)
    }

    pub(crate) fn knows(&self, field: FrontmatterField) -> bool {
        self.fields.contains(&field)
    }

    /// Whether a field restricts what a document may do. The keys of other clients restrict it only in a dialect that knows them.
    pub(crate) fn restricts(&self, field: FrontmatterField) -> bool {
        match field {
            FrontmatterField::DisableModelInvocation | FrontmatterField::UserInvocable => {
                self.knows(field)
            }
            field => field.is_restriction(),
        }
    }

    pub(crate) fn requires(&self, field: FrontmatterField) -> bool {
        self.required.contains(&field)
    }
}
