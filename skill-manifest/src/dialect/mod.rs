//! A table of the rules for a family of documents.

mod field;
mod presets;

pub use field::FrontmatterField;

use crate::Severity;

/// The consequence of breaking a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// The document does not load.
    Reject,
    /// The document loads with a diagnostic. Unusable values are left out.
    Warn,
    /// The document loads without a diagnostic.
    Ignore,
}

impl Enforcement {
    /// Returns the severity of a violation, or `None` if violations are not reported.
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
    /// A document without frontmatter consists only of its body.
    Optional,
}

/// The origin of a document's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// The `name` key.
    Name,
    /// The `name` key, or the folder's name if the key is missing.
    NameOrDirectory,
    /// The folder's name, or the `name` key if no folder is known.
    Directory,
}

/// The characters allowed in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameCharset {
    /// Any characters, for names that only people read.
    Any,
    /// `a-z`, `A-Z`, `0-9`, `-` and `_`.
    AsciiWord,
    /// Lower-case letters and digits of any script, with single `-` between them, in Unicode form NFKC (agentskills.io).
    LowerHyphen,
}

/// The unit of lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// Unicode scalar values.
    Chars,
    /// Bytes of UTF-8.
    Bytes,
}

impl LengthUnit {
    /// Returns a text's length in this unit.
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

/// The types of unquoted scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Every scalar is a string, as written: `1.0` is `"1.0"`.
    Text,
    /// `true`, `false`, numbers and `null` are not strings, but `yes` and `on` are.
    Typed,
}

/// How a loader treats symbolic links below a source's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPolicy {
    /// No link is followed.
    Refuse,
    /// Links to folders within the source's folder are followed.
    Inside,
}

/// How a loader treats documents of one source whose ids are equal, or differ only in case or Unicode form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionPolicy {
    /// None of them loads, because it is unclear which one is intended.
    Exclude,
    /// The first one, by path, loads.
    First,
}

/// The size limits of documents. Input that exceeds a limit is refused before parsing, or as soon as the limit is reached.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentLimits {
    /// The maximum size of the file, in bytes.
    pub file: usize,
    /// The maximum size of the frontmatter, in bytes.
    pub frontmatter: usize,
    /// The maximum depth of nested mappings and lists.
    pub depth: usize,
    /// The maximum number of values, lists and mappings in total.
    pub nodes: usize,
    /// The maximum number of trigger keywords, and the maximum number of verbs.
    pub keywords: usize,
    /// The maximum number of trigger patterns.
    pub patterns: usize,
    /// The maximum size of one keyword, verb or pattern, in bytes.
    pub pattern: usize,
    /// The maximum number of files and folders that a loader visits in one source.
    pub entries: usize,
    /// The maximum number of files that a document may bundle.
    pub resources: usize,
    /// The maximum size of one bundled file, in bytes.
    pub resource: usize,
    /// The maximum total size of all bundled files in one source, in bytes, if a loader hashes them.
    pub all_resources: usize,
    /// The maximum depth of the folders with bundled files.
    pub resource_depth: usize,
}

/// The rules for a family of documents. The presets are constants. To define your own dialect, change a preset:
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
    /// The dialect's name, in messages and on the command line.
    pub name: &'static str,
    /// The accepted file names. If several files exist, the first name wins.
    pub file_names: &'static [&'static str],
    /// Whether file names are case-sensitive.
    pub file_case: bool,
    /// The depth at which a loader looks for documents. 1 means the folders directly in a source. A loader never looks below a
    /// document.
    pub depth: usize,
    /// How to treat a folder of a source if the folder contains no document, and there is none below it within `depth`.
    pub missing: Enforcement,
    /// How to treat symbolic links.
    pub links: LinkPolicy,
    /// How to treat documents of one source whose ids are equal, or differ only in case or Unicode form.
    pub collision: CollisionPolicy,
    /// Whether frontmatter is required.
    pub frontmatter: FrontmatterPolicy,
    /// The known keys.
    pub fields: &'static [FrontmatterField],
    /// The required keys.
    pub required: &'static [FrontmatterField],
    /// The origin of the id.
    pub id: IdSource,
    /// The characters allowed in a name.
    pub charset: NameCharset,
    /// The maximum lengths of values.
    pub lengths: &'static [(FrontmatterField, usize)],
    /// The unit of `lengths`.
    pub unit: LengthUnit,
    /// Whether to trim whitespace from names and descriptions.
    pub trim: bool,
    /// The types of unquoted scalars.
    pub scalars: ScalarType,
    /// How to treat a malformed name, pattern, toolset or command, and a value that is too long.
    pub form: Enforcement,
    /// How to treat a name that differs from the folder's name.
    pub directory: Enforcement,
    /// How to treat an empty required string.
    pub empty: Enforcement,
    /// How to treat a required string of whitespace.
    pub blank: Enforcement,
    /// How to treat a value of the wrong type. If the key restricts the document, such a value is always refused.
    pub types: Enforcement,
    /// The keys that accept any type. An unusable value is left out, with a diagnostic.
    pub loose: &'static [FrontmatterField],
    /// How to treat a key that is not in `fields`. A key that restricts the document is never silently ignored.
    pub unknown: Enforcement,
    /// How to treat a repeated key. If repeated keys are not refused, the last value counts. A repeated key that restricts the
    /// document, such as `allowed-tools` or a condition of `eligibility`, is always refused.
    pub duplicates: Enforcement,
    /// How to treat flow collections: `[a, b]` and `{a: b}`.
    pub flow: Enforcement,
    /// How to treat a tag such as `!!str a`. If tags are ignored, a tag without a meaning, as in `!important a`, becomes part of
    /// the value, with a warning.
    pub tags: Enforcement,
    /// Whether to repair missing quotes: keys, values and items that YAML cannot read become strings, and Windows paths in double
    /// quotes stay as written. Each repair causes a diagnostic.
    pub repair: bool,
    /// The size limits.
    pub limits: DocumentLimits,
}

macro_rules! builders {
    ($($(#[$doc:meta])+ $method:ident, $field:ident: $type:ty;)+) => {
        /// Setters that return a changed dialect.
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
    /// Sets the dialect's name.
    with_name, name: &'static str;
    /// Sets the accepted file names.
    with_file_names, file_names: &'static [&'static str];
    /// Sets whether file names are case-sensitive.
    with_file_case, file_case: bool;
    /// Sets the depth at which a loader looks for documents.
    with_depth, depth: usize;
    /// Sets the rule for folders without a document. They cause at most a warning.
    with_missing, missing: Enforcement;
    /// Sets the rule for symbolic links.
    with_links, links: LinkPolicy;
    /// Sets the rule for ids that are equal or differ only in case or Unicode form.
    with_collision, collision: CollisionPolicy;
    /// Sets whether frontmatter is required.
    with_frontmatter, frontmatter: FrontmatterPolicy;
    /// Sets the known keys.
    with_fields, fields: &'static [FrontmatterField];
    /// Sets the required keys.
    with_required, required: &'static [FrontmatterField];
    /// Sets the origin of the id.
    with_id, id: IdSource;
    /// Sets the characters allowed in names.
    with_charset, charset: NameCharset;
    /// Sets the maximum lengths of values.
    with_lengths, lengths: &'static [(FrontmatterField, usize)];
    /// Sets the unit of lengths.
    with_unit, unit: LengthUnit;
    /// Sets whether to trim whitespace from names and descriptions.
    with_trim, trim: bool;
    /// Sets how unquoted scalars are typed.
    with_scalars, scalars: ScalarType;
    /// Sets the rule for malformed values.
    with_form, form: Enforcement;
    /// Sets the rule for names that differ from the folder's name.
    with_directory, directory: Enforcement;
    /// Sets the rule for empty strings.
    with_empty, empty: Enforcement;
    /// Sets the rule for required strings of whitespace.
    with_blank, blank: Enforcement;
    /// Sets the rule for values of the wrong type.
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
    /// Sets whether to repair keys and values with missing quotes.
    with_repair, repair: bool;
    /// Sets the size limits.
    with_limits, limits: DocumentLimits;
}

impl Dialect {
    /// Returns the preset with the given name, for configurations and command lines.
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

    /// Returns whether a field restricts a document. Keys of other clients restrict a document only in a dialect that knows them.
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
