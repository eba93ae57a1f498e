//! How many words of real documents are reported, and how many misspelled names are found.

use skill_agent::Agent;
use skill_agent::manifest::misspelled_tools;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

