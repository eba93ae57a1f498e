//! Types of arguments and states, each with a skill that has it as its state and takes it as an argument.

use super::rows::Row;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skill_agent::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{NonZeroI16, NonZeroU8, NonZeroU64, Wrapping};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Declares types for the list below.
macro_rules! types {
    ($($item:item)*) => {
        $(
            #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
            $item
        )*
    };
}

types! {
    pub struct Unit;
    pub struct Newtype(u32);
    pub struct Pair(u8, String);
    pub struct Nested { newtype: Newtype, list: Vec<Pair>, perhaps: Option<Box<Nested>> }
    #[serde(default)]
    pub struct Defaulted { a: u32, b: Vec<u8> }
    pub struct PartlyDefaulted { a: u32, #[serde(default)] b: i8, #[serde(default = "seven")] c: u8 }
    #[serde(rename_all = "camelCase")]
    pub struct Renamed { long_name: u32, #[serde(rename = "type")] kind: String, r#in: Option<bool> }
    #[serde(deny_unknown_fields)]
    pub struct Closed { a: u8, b: Option<Unit> }
    pub struct Skipping { #[serde(skip)] #[schemars(skip)] _hidden: u8, a: u8 }
    pub struct Flat { a: u32, #[serde(flatten)] rest: Newest }
    pub struct Newest { b: u8, c: Option<String> }
    pub struct Limited {
        #[schemars(range(min = 1, max = 5))] stars: u8,
        #[schemars(length(min = 2, max = 4))] word: String,
        #[schemars(regex(pattern = "^[a-c]*$"))] letters: String,
        #[schemars(length(max = 2), inner(range(max = 9)))] digits: Vec<u8>,
    }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "snake_case")]
    pub enum Colour { #[default] Red, DarkGreen }
    pub enum External { #[default] Off, On(u8), Pair(u8, String), Fields { level: i64, #[serde(default)] name: String } }
    #[serde(rename_all = "kebab-case", rename_all_fields = "UPPERCASE")]
    pub enum RenamedExternal { #[default] SwitchedOff, #[serde(rename = "go")] Start { at: u8 } }
    #[serde(tag = "type")]
    pub enum Internal { #[default] Off, Fields { level: i64, items: Vec<u8> }, Struct(Newest) }
    #[serde(tag = "type", content = "value")]
    pub enum Adjacent { On(u8), Pair(u8, bool), #[default] Off, Fields { level: i64 } }
    #[serde(untagged)]
    pub enum Untagged { #[default] Nothing, Number(i32), Text(String), Fields { level: i64 }, List(Vec<bool>) }
    pub struct Tree { size: u8, left: Option<Box<Tree>>, #[serde(default)] right: Vec<Tree> }
    pub enum List { #[default] End, Item(u8, Box<List>) }
    pub struct Directory { files: BTreeMap<String, u32>, folders: BTreeMap<String, Directory> }
    #[serde(transparent)]
    pub struct Transparent { inner: Vec<Colour> }
}

fn seven() -> u8 {
    7
}

pub type Outcome = Result<u8, String>;

/// Declares a skill per type, and an agent that has all of them.
macro_rules! holders {
    ($($module:ident: $ty:ty = $value:expr $(, arg($arg:meta))? $(, state($state:meta))? $(, except($($row:ident),*))?;)*) => {
        $(
            mod $module {
                use super::*;

                /// Has a value.
                #[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
                #[serde(default)]
                #[skill(name = "holder", actions(Take))]
                pub struct Holder {
                    #[skill(default = $value)]
                    $(#[schemars($state)])?
                    pub value: $ty,
                }

                /// Take a value.
                #[action]
                #[allow(clippy::boxed_local)] // some types are boxes
                pub fn take(_: &Holder, $(#[arg($arg)])? value: $ty) {
                    let _ = value;
                }
            }
        )*

        agent! {
            /// Holds a value of each type.
            pub struct Holders {
                name: "holders",
                skills: [$($module::Holder as $module,)*],
            }
        }

        /// The name of each instance, and the rows of docs/schemas.md about differences between its schema and its reader.
        pub const TYPES: &[(&str, &[Row])] = &[$((stringify!($module), &[$($(Row::$row),*)?])),*];
    };
}

holders! {
    byte: u8 = 0;
    signed_byte: i8 = 0;
    short: u16 = 0;
    signed_short: i16 = 0;
    unsigned: u32 = 0;
    signed: i32 = 0;
    long: u64 = 0;
    signed_long: i64 = 0;
    wide: u128 = 0;
    signed_wide: i128 = 0;
    size: usize = 0;
    signed_size: isize = 0;
    single: f32 = 0.0;
    double: f64 = 0.0;
    boolean: bool = false;
    letter: char = 'a';
    text: String = String::new();
    nothing: () = ();
    optional_byte: Option<u8> = None;
    optional_text: Option<String> = None;
    optional_struct: Option<Nested> = None;
    optional_enum: Option<External> = None;
    bytes: Vec<u8> = Vec::new();
    options: Vec<Option<bool>> = Vec::new();
    deque: VecDeque<i16> = VecDeque::new();
    linked: LinkedList<char> = LinkedList::new();
    heap: BinaryHeap<u8> = BinaryHeap::new();
    ordered_set: BTreeSet<u8> = BTreeSet::new(), except(EqualItems);
    hashed_set: HashSet<String> = HashSet::new(), except(EqualItems);
    set_of_enums: BTreeSet<Colour> = BTreeSet::new(), except(EqualItems);
    floats_by_name: BTreeMap<String, f64> = BTreeMap::new();
    structs_by_name: HashMap<String, Nested> = HashMap::new();
    by_number: BTreeMap<u32, String> = BTreeMap::new();
    by_signed_number: BTreeMap<i8, bool> = BTreeMap::new();
    by_letter: BTreeMap<char, u8> = BTreeMap::new(), except(Keys);
    by_enum: BTreeMap<Colour, u8> = BTreeMap::new();
    maps_by_name: BTreeMap<String, BTreeMap<String, u8>> = BTreeMap::new();
    single_tuple: (u8,) = (0,);
    pair: (f64, String) = (0.0, String::new());
    triple: (u8, Option<bool>, Vec<u8>) = (0, None, Vec::new());
    array: [u8; 3] = [0; 3];
    array_of_structs: [Newtype; 2] = Default::default();
    empty_array: [u8; 0] = [];
    unit_struct: Unit = Unit;
    newtype: Newtype = Newtype(0);
    tuple_struct: Pair = Pair(0, String::new());
    nested: Nested = Nested::default();
    defaulted: Defaulted = Defaulted::default();
    partly_defaulted: PartlyDefaulted = PartlyDefaulted::default();
    renamed: Renamed = Renamed::default();
    closed: Closed = Closed::default();
    skipping: Skipping = Skipping::default();
    flat: Flat = Flat::default(), except(Buffered, MissingFields);
    limited: Limited = Limited { stars: 1, word: "ab".to_owned(), ..Limited::default() }, except(WithinArguments);
    transparent: Transparent = Transparent::default();
    plain_enum: Colour = Colour::Red;
    external: External = External::Off;
    renamed_external: RenamedExternal = RenamedExternal::SwitchedOff;
    internal: Internal = Internal::Off, except(Buffered);
    adjacent: Adjacent = Adjacent::Off, except(FurtherKeys);
    untagged: Untagged = Untagged::Nothing, except(Buffered);
    outcome: Outcome = Ok(0), except(FurtherKeys);
    boxed: Box<Nested> = Box::default();
    boxed_text: Box<str> = Box::default();
    shared: Arc<[u8]> = Arc::default();
    shared_text: Arc<str> = Arc::from("");
    cow: Cow<'static, str> = Cow::Borrowed("");
    tree: Tree = Tree::default();
    list: List = List::End;
    directory: Directory = Directory::default();
    duration: Duration = Duration::ZERO, except(FurtherKeys, Times);
    time: SystemTime = SystemTime::UNIX_EPOCH, except(FurtherKeys, Times);
    address: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    address_four: Ipv4Addr = Ipv4Addr::LOCALHOST;
    address_six: Ipv6Addr = Ipv6Addr::LOCALHOST;
    non_zero: NonZeroU8 = NonZeroU8::MIN;
    non_zero_signed: NonZeroI16 = NonZeroI16::MIN;
    non_zero_long: NonZeroU64 = NonZeroU64::MIN;
    wrapping: Wrapping<u8> = Wrapping(0);
    range: Range<u8> = 0..1, except(FurtherKeys);
    inclusive_range: RangeInclusive<i32> = 0..=1, except(FurtherKeys);
    bound: Bound<u8> = Bound::Unbounded, except(FurtherKeys);
    path: PathBuf = PathBuf::new();
    json: Value = Value::Null;
    json_object: Map<String, Value> = Map::new();
    in_range: u8 = 1, arg(range(1..=5)), state(range(min = 1, max = 5));
    in_float_range: f64 = 0.0, arg(range(-0.5..=0.5)), state(range(min = -0.5, max = 0.5));
    below: i64 = 0, arg(range(..10)), state(range(max = 9));
    optional_in_range: Option<i32> = None, arg(range(0..=100)), state(range(min = 0, max = 100));
    of_length: String = "ab".to_owned(), arg(length(2..=4)), state(length(min = 2, max = 4));
    list_of_length: Vec<u8> = vec![1], arg(length(1..3)), state(length(min = 1, max = 2));
    with_pattern: String = "a".to_owned(), arg(pattern("^[a-z]+$")), state(regex(pattern = "^[a-z]+$"));
    with_default: u8 = 3, arg(default = 3);
}
