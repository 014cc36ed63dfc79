//! Request bodies of LLM providers: which parts of them must reach the provider as they are.
//!
//! To recognize a body only ever exempts what [`tables`] names; all else is filtered.

mod keys;
mod pattern;
mod tables;
mod trie;
mod walk;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::OnceLock;

use self::keys::Keys;
pub(crate) use self::keys::Tables;
use self::pattern::Pattern;
use self::tables::{IDS, PROTOCOL_KEYS, TABLES, Table};
use self::trie::{Signs, Trie, sign};
use self::walk::{Desk, Hit, walk};
use crate::error::{Error, ErrorKind};
use crate::scan::Marks;

/// Whose request bodies a JSON text may be. What a provider's protocol needs as it is (ids, enums,
/// signatures, encrypted parts, payloads in base64, model names) is kept there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Api {
    /// Any of the known ones, told by the body itself.
    #[default]
    Auto,
    /// None: every string is filtered.
    None,
    /// OpenAI chat completions, and the servers that speak the same.
    OpenAiChat,
    /// OpenAI responses.
    OpenAiResponses,
    /// OpenAI embeddings, completions, moderations and images.
    OpenAiOther,
    /// Anthropic messages, and batches of them.
    Anthropic,
    /// Gemini generateContent.
    Gemini,
    /// Ollama's own API.
    Ollama,
    /// Amazon Bedrock Converse.
    Bedrock,
    /// Model Context Protocol (JSON-RPC).
    Mcp,
}

impl Api {
    /// All, in the order in which they are listed to people.
    pub const ALL: [Api; 10] = [
        Api::Auto,
        Api::None,
        Api::OpenAiChat,
        Api::OpenAiResponses,
        Api::OpenAiOther,
        Api::Anthropic,
        Api::Gemini,
        Api::Ollama,
        Api::Bedrock,
        Api::Mcp,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Api::Auto => "auto",
            Api::None => "none",
            Api::OpenAiChat => "openai-chat",
            Api::OpenAiResponses => "openai-responses",
            Api::OpenAiOther => "openai-other",
            Api::Anthropic => "anthropic",
            Api::Gemini => "gemini",
            Api::Ollama => "ollama",
            Api::Bedrock => "bedrock",
            Api::Mcp => "mcp",
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Api {
    type Err = Error;

    /// Reads a name.
    ///
    /// # Errors
    /// For an unknown name; the error lists the known ones.
    fn from_str(name: &str) -> Result<Self, Error> {
        Api::ALL
            .into_iter()
            .find(|api| api.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::new(ErrorKind::UnknownApi(name.to_owned())))
    }
}

/// What the keys of a JSON value have told while it was read, and what a walk through it works with.
#[derive(Default)]
pub(crate) struct Body {
    /// The signs that the keys of the outermost object are.
    seen: Signs,
    /// Those that may lie behind its keys.
    behind: Signs,
    /// Whether a key of the outermost object is one of a body's.
    told: bool,
    payload: bool,
    desk: Desk,
}

impl Body {
    /// Begins another value.
    pub(crate) fn begin(&mut self) {
        (self.seen, self.behind) = (0, 0);
        (self.told, self.payload) = (false, false);
    }

    /// Takes a key; one of the outermost object is `outer`. Returns the tables that may keep what it
    /// leads to.
    pub(crate) fn key(&mut self, key: &[u8], outer: bool) -> Tables {
        let told = rules().keys.look_up(key);
        self.payload |= told.payload;
        if outer {
            self.told |= is_body_key(key);
            self.seen |= told.seen;
            self.behind |= told.behind;
        }
        told.kept
    }

    /// The tables that may fit, as far as the keys tell.
    pub(crate) fn tables(&self, wanted: Api) -> Tables {
        let may_fit = |table: &usize| match wanted {
            Api::None => false,
            Api::Auto => {
                let may_be = self.seen | self.behind;
                self.told && !is_out(rules().asked[*table], self.seen, may_be)
            }
            _ => TABLES[*table].api == wanted,
        };
        (0..TABLES.len())
            .filter(may_fit)
            .map(|table| 1 << table)
            .sum()
    }

    /// Whether a key may name a payload in base64.
    pub(crate) fn may_hold_payload(&self) -> bool {
        self.payload
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

/// Whether a key of the outermost object may be one of a body's: a cheap question that spares most
/// documents the walk.
fn is_body_key(key: &[u8]) -> bool {
    matches!(
        key,
        b"messages"
            | b"input"
            | b"contents"
            | b"prompt"
            | b"jsonrpc"
            | b"body"
            | b"requests"
            | b"request"
            | b"batch"
            | b"generateContentRequest"
            | b"generate_content_request"
    )
}

/// What a body keeps.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Whose body it is.
    pub(crate) api: Api,
    /// What stays as it is, in order.
    pub(crate) ranges: Vec<Range<usize>>,
    /// Payloads in base64 (the insides of strings, or `data:` URLs) that are text.
    pub(crate) payloads: Vec<Range<usize>>,
}

/// What to keep of the JSON value that begins at `text[start..]`, where the marks show its
/// structure and `body` has taken its keys. `None` where it is no body.
pub(crate) fn kept(
    text: &[u8],
    start: usize,
    wanted: Api,
    (marks, body): (&mut Marks, &mut Body),
) -> Option<Kept> {
    let may_be = match wanted {
        Api::None => false,
        Api::Auto => body.told,
        _ => true,
    };
    if !may_be || text.get(start) != Some(&b'{') {
        return None;
    }
    let rules = rules();
    let table = recognize(rules, text, start, wanted, (marks, body))?;
    let trie = rules.kept[table].get_or_init(|| tree(&TABLES[table]));
    let mut kept = Kept {
        api: TABLES[table].api,
        ranges: Vec::new(),
        payloads: Vec::new(),
    };
    let with = (marks, &mut body.desk);
    walk(text, start, trie, Signs::MAX, with, &mut |hit| match hit {
        Hit::Keep(range) => kept.ranges.push(range),
        Hit::Payload(range) => kept.payloads.push(range),
        Hit::Sign(_) => {}
    });
    Some(kept)
}

/// The tables, read.
struct Rules {
    /// The signs of all tables.
    signs: Trie,
    keys: Keys,
    /// Which signs each table asks for: all, any, none.
    asked: Vec<[Signs; 3]>,
    /// What each table keeps, once it is asked.
    kept: [OnceLock<Trie>; TABLES.len()],
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut signs = Vec::new();
        let mut keys = Keys::default();
        let mut number = 0_u16;
        let mut asked = Vec::new();
        for (i, table) in TABLES.iter().enumerate() {
            each_pattern(table, |pattern| keys.add_path(i, &pattern));
            asked.push([table.all, table.any, table.none].map(|paths| {
                let mut set = 0;
                for path in paths {
                    let pattern = Pattern::read_sign(path, number);
                    keys.add_sign(&pattern);
                    signs.push(pattern);
                    set |= sign(number);
                    number += 1;
                }
                set
            }));
        }
        Rules {
            signs: Trie::new(signs),
            keys,
            asked,
            kept: Default::default(),
        }
    })
}

/// Tells all that a table keeps.
fn each_pattern(table: &Table, mut tell: impl FnMut(Pattern)) {
    let outer = table.outer.iter();
    outer.for_each(|path| tell(Pattern::read("", path)));
    for &root in table.roots {
        let never = table.never.iter();
        never.for_each(|path| tell(Pattern::read(root, path)));
        for &block in table.blocks {
            let keys = [PROTOCOL_KEYS, IDS].into_iter();
            keys.for_each(|keys| tell(Pattern::members(root, block, keys)));
        }
        let free = table.free.iter();
        free.for_each(|path| tell(Pattern::read_free(root, path)));
    }
}

/// All that a table keeps, as one tree.
fn tree(table: &Table) -> Trie {
    let mut patterns = Vec::new();
    each_pattern(table, |pattern| patterns.push(pattern));
    Trie::new(patterns)
}

/// Whether a table that asks for all, any and none of some signs does not fit, where some were seen
/// and no others may be there than `may_be`.
fn is_out([all, any, none]: [Signs; 3], seen: Signs, may_be: Signs) -> bool {
    all & !may_be != 0 || none & seen != 0 || (any != 0 && any & may_be == 0)
}

/// The table of a body. Signs that are no keys of the outermost object are looked for only where a
/// table depends on them.
fn recognize(
    rules: &Rules,
    text: &[u8],
    start: usize,
    wanted: Api,
    (marks, body): (&mut Marks, &mut Body),
) -> Option<usize> {
    let Body {
        seen, behind, desk, ..
    } = body;
    let mut fits = |table: usize| {
        let asked = rules.asked[table];
        if is_out(asked, *seen, *seen | *behind) {
            return false;
        }
        let [all, any, none] = asked;
        let open = (all | any | none) & *behind & !*seen;
        if open != 0 {
            walk(text, start, &rules.signs, open, (marks, desk), &mut |hit| {
                if let Hit::Sign(number) = hit {
                    *seen |= sign(number);
                }
            });
            *behind &= !open;
        }
        !is_out(asked, *seen, *seen)
    };
    let of_api = |table: usize| wanted == Api::Auto || TABLES[table].api == wanted;
    let tables = || (0..TABLES.len()).filter(|&table| of_api(table));
    tables().find(|&table| fits(table)).or_else(|| {
        // Who names an API knows it: its rules hold for the plain form of a body.
        tables().find(|&table| wanted != Api::Auto && TABLES[table].roots.contains(&""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::json;

    /// What is kept of a text; its keys tell of all that is.
    fn kept_of(text: &str) -> Option<Kept> {
        let mut reader = json::Reader::default();
        let how = json::Reading {
            numbers: true,
            one_line: true,
            nested: true,
            short: false,
        };
        reader.begin(0, 0);
        reader.read(text.as_bytes(), how, true);
        let tables = reader.tables(Api::Auto);
        let kept = reader.kept(text.as_bytes(), 0, Api::Auto);
        for place in 0..text.len() {
            let keeps = |kept: &Kept| kept.ranges.iter().any(|range| range.contains(&place));
            let may_be_kept = reader.openings().tables(place) & tables != 0;
            let is_told = reader.openings().around(place, &mut 0).is_some();
            assert!(
                may_be_kept || !is_told || !kept.as_ref().is_some_and(keeps),
                "{text}: byte {place}"
            );
        }
        kept
    }

    fn told(text: &str) -> Option<Api> {
        kept_of(text).map(|kept| kept.api)
    }

    #[test]
    fn bodies_are_recognized_by_their_form() {
        let chat = Some(Api::OpenAiChat);
        let anthropic = Some(Api::Anthropic);
        for (text, api) in [
            (
                r#"{"model":"m","messages":[{"role":"user","content":"x"}]}"#,
                chat,
            ),
            (
                r#"{"messages":[{"role":"system","content":"x"}],"max_tokens":5,"stop":"x"}"#,
                chat,
            ),
            (
                r#"{"messages":[{"role":"tool","content":"x"}],"max_tokens":5}"#,
                chat,
            ),
            (
                r#"{"messages":[{"role":"user","content":"x"}],"max_tokens":5}"#,
                anthropic,
            ),
            (r#"{"system":"s","messages":[]}"#, anthropic),
            (
                r#"{"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}"#,
                anthropic,
            ),
            (
                r#"{"messages":[{"role":"user","content":[{"text":"x"}]}]}"#,
                Some(Api::Bedrock),
            ),
            (r#"{"model":"m","input":"x"}"#, Some(Api::OpenAiResponses)),
            (
                r#"{"model":"m","input":"x","encoding_format":"float"}"#,
                Some(Api::OpenAiOther),
            ),
            (r#"{"model":"m","prompt":"x"}"#, Some(Api::OpenAiOther)),
            (
                r#"{"contents":[{"parts":[{"text":"x"}]}]}"#,
                Some(Api::Gemini),
            ),
            (r#"{"contents":{"parts":{"text":"x"}}}"#, Some(Api::Gemini)),
            (
                r#"{"model":"m","messages":[],"options":{}}"#,
                Some(Api::Ollama),
            ),
            (
                r#"{"model":"m","prompt":"x","keep_alive":"5m"}"#,
                Some(Api::Ollama),
            ),
            (r#"{"jsonrpc":"2.0","method":"x"}"#, Some(Api::Mcp)),
            (
                r#"{"custom_id":"1","url":"/v1","body":{"messages":[]}}"#,
                chat,
            ),
            (
                r#"{"requests":[{"custom_id":"1","params":{"messages":[]}}]}"#,
                anthropic,
            ),
            (r#"{"name":"x","text":"y"}"#, None),
            (r#"{"messages":"none"}"#, None),
            ("[1]", None),
        ] {
            assert_eq!(told(text), api, "{text}");
        }
    }

    #[test]
    fn every_name_reads_back() {
        for api in Api::ALL {
            assert_eq!(api.name().parse::<Api>().unwrap(), api);
        }
        assert!("opnai".parse::<Api>().is_err());
    }

    #[test]
    fn a_test_holds_whatever_the_order_of_the_keys() {
        let text = r#"{"system":"s","messages":[{"content":[{"data":"AAAA","type":"redacted_thinking"},{"data":"BBBB","type":"new"}]}]}"#;
        let kept = kept_of(text).expect("a body");
        let of = |part: &str| {
            let at = text.find(part).expect("it is there");
            kept.ranges.iter().any(|range| range.contains(&at))
        };
        assert!(of("AAAA") && !of("BBBB"));
    }
}
