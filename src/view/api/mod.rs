//! Request bodies of LLM providers: which parts of them must reach the provider as they are.
//!
//! To recognize a body only ever exempts what [`tables`] names; all else is filtered.

mod pattern;
mod tables;
mod trie;
mod walk;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::OnceLock;

use self::pattern::Pattern;
use self::tables::{IDS, PROTOCOL_KEYS, TABLES, Table};
use self::trie::Trie;
use self::walk::{Hit, walk};
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

/// Whether a key of the outermost object may be one of a body's: a cheap question that spares most
/// documents the walk.
pub(super) fn is_body_key(key: &[u8]) -> bool {
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
/// structure. `None` where it is no body.
pub(crate) fn kept(text: &[u8], start: usize, wanted: Api, marks: &mut Marks) -> Option<Kept> {
    if wanted == Api::None || text.get(start) != Some(&b'{') {
        return None;
    }
    let rules = rules();
    let table = recognize(rules, text, start, wanted, marks)?;
    let mut kept = Kept {
        api: TABLES.get(table)?.api,
        ranges: Vec::new(),
        payloads: Vec::new(),
    };
    let trie = rules.kept.get(table)?;
    walk(text, start, trie, marks, &mut |hit| match hit {
        Hit::Keep(range) => kept.ranges.push(range),
        Hit::Payload(range) => kept.payloads.push(range),
        Hit::Sign(_) => {}
    });
    Some(kept)
}

/// The tables, read.
struct Rules {
    /// The signs of all tables, and how many there are.
    signs: Trie,
    count: usize,
    /// Which signs each table asks for: all, any, none.
    asked: Vec<[Range<u16>; 3]>,
    kept: Vec<Trie>,
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut signs = Vec::new();
        let mut number = 0_u16;
        let mut asked = Vec::new();
        for table in TABLES {
            asked.push([table.all, table.any, table.none].map(|paths| {
                let first = number;
                for path in paths {
                    signs.push(Pattern::read_sign(path, number));
                    number += 1;
                }
                first..number
            }));
        }
        Rules {
            count: signs.len(),
            signs: Trie::new(signs),
            asked,
            kept: TABLES.iter().map(patterns).map(Trie::new).collect(),
        }
    })
}

/// All that a table keeps.
fn patterns(table: &Table) -> Vec<Pattern> {
    let mut all: Vec<Pattern> = table
        .outer
        .iter()
        .map(|path| Pattern::read("", path))
        .collect();
    for &root in table.roots {
        all.extend(table.never.iter().map(|path| Pattern::read(root, path)));
        for &block in table.blocks {
            all.extend([PROTOCOL_KEYS, IDS].map(|keys| Pattern::members(root, block, keys)));
        }
        let free = table.free.iter();
        all.extend(free.map(|path| Pattern::read_free(root, path)));
    }
    all
}

/// The table of a body.
fn recognize(
    rules: &Rules,
    text: &[u8],
    start: usize,
    wanted: Api,
    marks: &mut Marks,
) -> Option<usize> {
    let mut seen = vec![false; rules.count];
    walk(text, start, &rules.signs, marks, &mut |hit| {
        if let Hit::Sign(sign) = hit
            && let Some(seen) = seen.get_mut(usize::from(sign))
        {
            *seen = true;
        }
    });
    let of_api = |table: usize| wanted == Api::Auto || TABLES[table].api == wanted;
    let fits = |table: usize| {
        let [all, any, none] = rules.asked[table].clone().map(|signs| {
            let signs = usize::from(signs.start)..usize::from(signs.end);
            &seen[signs]
        });
        all.iter().all(|&s| s)
            && !none.iter().any(|&s| s)
            && (any.is_empty() || any.contains(&true))
    };
    let tables = || (0..TABLES.len()).filter(|&table| of_api(table));
    tables().find(|&table| fits(table)).or_else(|| {
        // Who names an API knows it: its rules hold for the plain form of a body.
        tables().find(|&table| wanted != Api::Auto && TABLES[table].roots.contains(&""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<Api> {
        kept(text.as_bytes(), 0, Api::Auto, &mut Marks::default()).map(|kept| kept.api)
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
        let kept = kept(text.as_bytes(), 0, Api::Auto, &mut Marks::default()).expect("a body");
        let of = |part: &str| {
            let at = text.find(part).expect("it is there");
            kept.ranges.iter().any(|range| range.contains(&at))
        };
        assert!(of("AAAA") && !of("BBBB"));
    }
}
