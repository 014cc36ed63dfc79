//! From YAML to a [`Config`]: a typed walk over located nodes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::GitignoreBuilder;

use super::{Config, Exclude, Role, Setting};
use crate::allow::AllowList;
use crate::detect::{ip, phone};
use crate::error::Error;
use crate::near::near;
use crate::origin::Origin;
use crate::pseudonym::placeholder;
use crate::rules::RulePack;
use crate::yaml::{self, Node, Text, Value, named};

/// The keys, those of a mapping with its name before.
pub(super) const KEYS: [&str; 13] = [
    "allow",
    "files.exclude",
    "files.max_size",
    "hash_length",
    "ip.keep",
    "key_file",
    "phone.regions",
    "rule_packs",
    "rules",
    "scope",
    "skip_types",
    "terms",
    "types",
];

/// What a file is read with.
pub(super) struct Reader<'r> {
    /// What messages call it.
    pub(super) file: Arc<str>,
    /// The folder that its relative paths count from.
    pub(super) folder: &'r Path,
    pub(super) role: Role,
    /// What `~` stands for.
    pub(super) home: Option<&'r Path>,
    /// Reads a rule pack.
    pub(super) read: &'r dyn Fn(&Path) -> Result<String, String>,
}

impl Reader<'_> {
    /// Reads a whole file.
    pub(super) fn config(&self, text: &str) -> Result<Config, Error> {
        let root = yaml::parse(text).map_err(|bad| bad.place.error(&self.file, bad.what))?;
        let mut config = Config::default();
        let mut rules = None;
        for (key, value) in self.entries(&root, "a configuration")? {
            match name_of(key) {
                "types" => config.types = Some(self.types(value)?),
                "skip_types" => config.skip_types = Some(self.words(value, "skip_types", kind)?),
                "phone" => {
                    for (_, value) in self.group(value, "phone")? {
                        config.regions = Some(self.words(value, "phone.regions", region)?);
                    }
                }
                "ip" => {
                    for (_, value) in self.group(value, "ip")? {
                        config.ip_keep = Some(self.words(value, "ip.keep", keep)?);
                    }
                }
                "scope" => config.scope = Some(self.setting(value, self.text(value, "scope")?)),
                "hash_length" => config.hash_length = Some(self.hash_length(value)?),
                "key_file" => config.key_file = Some(self.key_file(key, value)?),
                "allow" => config.allow = Some(self.allow(value)?),
                "rule_packs" => config.rule_packs = Some(self.packs(value)?),
                "rules" | "terms" => rules = rules.or(Some(self.origin(key))),
                "files" => self.files(value, &mut config)?,
                _ => return Err(self.unknown(key, "")),
            }
        }
        if let Some(origin) = rules {
            let pack = RulePack::of_configuration(&root, &self.file)?;
            let packs = config.rule_packs.get_or_insert_default();
            packs.push(Setting::new(pack, origin));
        }
        Ok(config)
    }

    fn origin(&self, node: &Node) -> Origin {
        Origin::file(&self.file, node.place)
    }

    fn error(&self, node: &Node, what: impl Into<String>) -> Error {
        node.place.error(&self.file, what)
    }

    fn setting<T>(&self, node: &Node, value: T) -> Setting<T> {
        Setting::new(value, self.origin(node))
    }

    fn unknown(&self, key: &Node, group: &str) -> Error {
        let name = name_of(key);
        let what = format!("unknown {}{}", named(name), meant(name, group));
        self.error(key, what)
    }

    /// The entries of a mapping.
    fn entries<'n>(&self, node: &'n Node, key: &str) -> Result<&'n [(Node, Node)], Error> {
        match &node.value {
            Value::Map(entries) => Ok(entries),
            _ => Err(self.error(
                node,
                format!("{key} is a mapping: a line `key: value` each"),
            )),
        }
    }

    /// The entries of a mapping that is a key's value, all of them known.
    fn group<'n>(&self, node: &'n Node, group: &str) -> Result<&'n [(Node, Node)], Error> {
        let entries = self.entries(node, &format!("`{group}`"))?;
        for (key, _) in entries {
            let name = format!("{group}.{}", name_of(key));
            if !KEYS.contains(&name.as_str()) {
                return Err(self.unknown(key, group));
            }
        }
        Ok(entries)
    }

    fn list<'n>(&self, node: &'n Node, key: &str) -> Result<&'n [Node], Error> {
        match &node.value {
            Value::List(items) => Ok(items),
            _ => Err(self.error(node, format!("`{key}` is a list: [one, another]"))),
        }
    }

    /// A text. What other programs would read as a number or the like must stand in quotes.
    fn text(&self, node: &Node, key: &str) -> Result<String, Error> {
        match &node.value {
            Value::Text(Text { text, plain, .. }) if !plain || !is_other(text) => Ok(text.clone()),
            Value::Text(Text { text, .. }) if !is_null(text) => {
                Err(self.error(node, format!("`{key}` takes text; put this in quotes")))
            }
            _ => Err(self.error(node, format!("`{key}` takes text"))),
        }
    }

    fn words<T>(
        &self,
        node: &Node,
        key: &str,
        read: impl Fn(&str, &Origin, &str) -> Result<T, Error>,
    ) -> Result<Vec<Setting<T>>, Error> {
        self.list(node, key)?
            .iter()
            .map(|item| {
                let value = read(&self.text(item, key)?, &self.origin(item), key)?;
                Ok(self.setting(item, value))
            })
            .collect()
    }

    fn types(&self, node: &Node) -> Result<Vec<Setting<String>>, Error> {
        let types = self.words(node, "types", kind)?;
        if types.is_empty() {
            return Err(self.error(node, "`types` is empty; nothing would be looked for"));
        }
        Ok(types)
    }

    fn hash_length(&self, node: &Node) -> Result<Setting<usize>, Error> {
        let text = match &node.value {
            Value::Text(text) if text.plain => &text.text,
            // As text it is no number.
            _ => "",
        };
        let value = hash_length(text, &self.origin(node), "hash_length")?;
        Ok(self.setting(node, value))
    }

    fn key_file(&self, key: &Node, node: &Node) -> Result<Setting<PathBuf>, Error> {
        if self.role != Role::User {
            return Err(self.error(
                key,
                "`key_file` belongs in the user's own configuration, or name a key with --key-file",
            ));
        }
        let path = self.path(node, "key_file")?;
        Ok(self.setting(node, path))
    }

    /// A path, from the folder of the file.
    fn path(&self, node: &Node, key: &str) -> Result<PathBuf, Error> {
        let text = self.text(node, key)?;
        if text.is_empty() {
            return Err(self.error(node, format!("`{key}` is an empty path")));
        }
        match (text.strip_prefix("~/"), self.home) {
            (Some(rest), Some(home)) => Ok(home.join(rest)),
            (Some(_), None) => Err(self.error(
                node,
                format!("`{key}` begins with ~, and there is no home folder"),
            )),
            (None, _) => Ok(self.folder.join(text)),
        }
    }

    fn allow(&self, node: &Node) -> Result<AllowList, Error> {
        let mut list = AllowList::default();
        for item in self.list(node, "allow")? {
            // A card or a phone number looks like a number, and is taken as it stands.
            let text = match &item.value {
                Value::Text(text) if text.plain && is_number(&text.text) => text.text.clone(),
                _ => self.text(item, "allow")?,
            };
            list.push(text, Some(self.origin(item)));
        }
        Ok(list)
    }

    fn packs(&self, node: &Node) -> Result<Vec<Setting<RulePack>>, Error> {
        self.list(node, "rule_packs")?
            .iter()
            .map(|item| {
                let path = self.path(item, "rule_packs")?;
                let text = (self.read)(&path)
                    .map_err(|why| self.error(item, format!("this file of `rule_packs` {why}")))?;
                let pack = RulePack::from_yaml(&text, &path.to_string_lossy())?;
                Ok(self.setting(item, pack))
            })
            .collect()
    }

    fn files(&self, node: &Node, config: &mut Config) -> Result<(), Error> {
        for (key, value) in self.group(node, "files")? {
            if name_of(key) == "exclude" {
                let globs = self.words(value, "files.exclude", glob)?;
                let root = match self.role {
                    Role::Project => self.folder.to_owned(),
                    Role::User | Role::Named => PathBuf::new(),
                };
                let globs = globs.into_iter().map(|glob| glob.value).collect();
                config.exclude = Some(self.setting(value, Exclude { root, globs }));
            } else {
                config.max_size = Some(self.max_size(value)?);
            }
        }
        Ok(())
    }

    fn max_size(&self, node: &Node) -> Result<Setting<u64>, Error> {
        let size = match &node.value {
            Value::Text(text) => size(&text.text),
            _ => None,
        };
        let value = size.ok_or_else(|| {
            self.error(
                node,
                "`files.max_size` is a number of bytes, or one with K, M or G",
            )
        })?;
        Ok(self.setting(node, value))
    }
}

/// The text of a key: the tree has no others.
fn name_of(key: &Node) -> &str {
    match &key.value {
        Value::Text(text) => &text.text,
        _ => "",
    }
}

/// What an unknown key may have been meant to be, as the end of a message.
fn meant(name: &str, group: &str) -> String {
    let nested = KEYS.iter().filter_map(|key| key.split_once('.'));
    if !group.is_empty() {
        let inside = nested.filter(|(before, _)| *before == group);
        let inside: Vec<&str> = inside.map(|(_, key)| key).collect();
        return match near(name, &inside)[..] {
            [] => format!("; `{group}` holds {}", inside.join(" and ")),
            [key, ..] => format!("; did you mean `{key}`?"),
        };
    }
    let first = KEYS.iter().filter_map(|key| key.split('.').next());
    let known: Vec<&str> = first.collect();
    if let [key, ..] = near(name, &known)[..]
        && !name.contains('.')
    {
        return format!("; did you mean `{key}`?");
    }
    // `regions`, or `phone.regions`, where `phone:` was to stand before.
    let last = name.rsplit('.').next().unwrap_or(name);
    match nested
        .into_iter()
        .find(|(_, key)| !near(last, &[key]).is_empty())
    {
        Some((group, key)) => format!("; did you mean `{key}` below `{group}`?"),
        None => String::new(),
    }
}

/// A name of a kind, in capitals. Which there are is known when all rule packs are.
pub(super) fn kind(word: &str, _: &Origin, _: &str) -> Result<String, Error> {
    Ok(word.to_ascii_uppercase())
}

pub(super) fn region(word: &str, origin: &Origin, key: &str) -> Result<String, Error> {
    if let Some(region) = phone::Region::parse(word) {
        return Ok(region.name().to_owned());
    }
    let near = phone::Region::near(word);
    let near = if near.is_empty() {
        String::new()
    } else {
        format!(" (near: {})", near.join(", "))
    };
    Err(origin.error(format!(
        "unknown region in `{key}`; regions are two-letter codes such as NL, US or GB{near}"
    )))
}

pub(super) fn keep(word: &str, origin: &Origin, key: &str) -> Result<String, Error> {
    match ip::Keep::parse([word]) {
        Ok(_) => Ok(word.to_owned()),
        Err(_) => Err(origin.error(format!(
            "`{key}` takes private, link-local, documentation and CIDR blocks"
        ))),
    }
}

pub(super) fn hash_length(text: &str, origin: &Origin, key: &str) -> Result<usize, Error> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|&length| digits && placeholder::is_digit_count(length))
        .ok_or_else(|| origin.error(format!("`{key}` is an even number from 8 to 64")))
}

/// A glob as in a `.gitignore`, where an empty line and a comment would be nothing.
fn glob(text: &str, origin: &Origin, key: &str) -> Result<String, Error> {
    let says_something = !text.trim().is_empty() && !text.starts_with('#');
    let mut builder = GitignoreBuilder::new("/");
    builder.allow_unclosed_class(false);
    if says_something && builder.add_line(None, text).is_ok() && builder.build().is_ok() {
        return Ok(text.to_owned());
    }
    Err(origin.error(format!(
        "`{key}` takes globs as in a .gitignore; this is none"
    )))
}

/// `10`, `64K`, `10MiB`, `1 GB`: bytes, in powers of 1024.
pub(super) fn size(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let end = lower
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(lower.len());
    let (digits, unit) = lower.split_at(end);
    let shift = match unit.trim_start() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Whether a plain scalar is something else than text (YAML 1.2, core schema).
fn is_other(text: &str) -> bool {
    const WORDS: [&str; 6] = ["true", "True", "TRUE", "false", "False", "FALSE"];
    WORDS.contains(&text) || is_null(text) || is_number(text)
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn is_number(text: &str) -> bool {
    let begins = text.trim_start_matches(['+', '-', '.']);
    begins.starts_with(|c: char| c.is_ascii_digit())
        && (text.parse::<f64>().is_ok() || begins.starts_with("0x") || begins.starts_with("0o"))
}
