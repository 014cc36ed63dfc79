//! One rule of a pack: from nodes to what a line is searched with.

use std::sync::Arc;

use super::examples;
use super::field::Problems;
use crate::detect::custom::{BadPattern, CONTEXT, Checksum, Pattern, Rule, Step};
use crate::kind::{Kind, Label};
use crate::scan;
use crate::yaml::{Node, Place, Value};

const MAX_PATTERN: usize = 1_000;
const MAX_DESCRIPTION: usize = 200;
const MAX_STEPS: usize = 8;
const MAX_STRIPPED: usize = 64;
const MAX_KEYWORDS: usize = 100;
const MAX_EXAMPLES: usize = 100;
const MAX_EXAMPLE: usize = 4_096;

const KEYS: [&str; 8] = [
    "type",
    "pattern",
    "checksum",
    "normalize",
    "keywords",
    "examples",
    "counter_examples",
    "description",
];

/// A rule, or a list of terms, as far as it could be read.
pub(super) struct Draft<T> {
    pub(super) place: Place,
    /// The TYPE, where it is one.
    pub(super) kind: Option<Kind>,
    pub(super) description: String,
    /// How many examples, counter-examples or terms it has.
    pub(super) examples: usize,
    pub(super) counter_examples: usize,
    pub(super) problems: Problems,
    pub(super) made: Option<Arc<T>>,
    /// The pattern, as it is written.
    pub(super) pattern: Option<String>,
}

impl<T> Draft<T> {
    pub(super) fn new(place: Place) -> Draft<T> {
        Draft {
            place,
            kind: None,
            description: String::new(),
            examples: 0,
            counter_examples: 0,
            problems: Problems::default(),
            made: None,
            pattern: None,
        }
    }

    pub(super) fn describe(&mut self, node: Option<&Node>) {
        let text = node.and_then(|node| self.problems.text(node, MAX_DESCRIPTION));
        self.description = text.unwrap_or_default().to_owned();
    }
}

/// Reads a rule, and tries its examples.
pub(super) fn read(node: &Node) -> Draft<Rule> {
    let mut draft = Draft::new(node.place);
    let problems = &mut draft.problems;
    let fields = problems.fields(node, KEYS);
    let [
        name,
        written,
        checksum,
        normalize,
        keywords,
        examples,
        counter_examples,
        description,
    ] = fields;
    if let Some(name) = required(problems, node, name, "type") {
        draft.kind = kind(problems, name);
    }
    let pattern = required(problems, node, written, "pattern").and_then(|node| {
        draft.pattern = problems.text(node, MAX_PATTERN).map(str::to_owned);
        pattern(problems, node, draft.pattern.as_deref()?)
    });
    let checksum = checksum.map_or(Some(Checksum::None), |node| self::checksum(problems, node));
    let normalize = normalize.map_or(Vec::new(), |node| steps(problems, node));
    let keywords = keywords.map_or(Vec::new(), |node| self::keywords(problems, node));
    let examples = texts(problems, examples);
    let counter_examples = texts(problems, counter_examples);
    (draft.examples, draft.counter_examples) = (examples.len(), counter_examples.len());
    draft.describe(description);
    if let (Some(kind), Some(pattern), Some(checksum), true) =
        (draft.kind, pattern, checksum, draft.problems.0.is_empty())
    {
        let rule = Rule {
            kind,
            pattern,
            checksum,
            normalize,
            keywords,
        };
        examples::check(&rule, &examples, &counter_examples, &mut draft.problems);
        draft.made = Some(Arc::new(rule));
    }
    draft
}

fn required<'n>(
    problems: &mut Problems,
    rule: &Node,
    field: Option<&'n Node>,
    name: &str,
) -> Option<&'n Node> {
    if field.is_none() && matches!(rule.value, Value::Map(_)) {
        problems.note(rule.place, format!("{name} is missing"));
    }
    field
}

/// The kind that a TYPE names: none that is built in.
pub(super) fn kind(problems: &mut Problems, node: &Node) -> Option<Kind> {
    let name = problems.text(node, usize::MAX)?;
    let label = Label::new(name);
    if label.is_none() {
        problems.note(
            node.place,
            "a type is 1 to 32 of A-Z, 0-9 and _, and begins with a letter",
        );
    }
    if Kind::ALL.iter().any(|kind| kind.label() == name) {
        problems.note(
            node.place,
            "this type is built in; a rule needs one of its own",
        );
        return None;
    }
    label.map(Kind::Custom)
}

fn pattern(problems: &mut Problems, node: &Node, text: &str) -> Option<Pattern> {
    // Rules see a text in its plain form; a character that is never in it would never be found.
    for (i, c) in text.chars().enumerate() {
        if let Some(plain) = scan::stands_for(c) {
            let code = u32::from(c);
            let what = match plain.as_str() {
                "" => format!("a rule never sees U+{code:04X}, which is invisible; leave it out"),
                _ => format!("a rule sees {plain:?} in the place of U+{code:04X}; write that"),
            };
            problems.note(node.place_of(i), what);
            return None;
        }
    }
    match Pattern::compile(text) {
        Ok(pattern) => Some(pattern),
        Err(bad) => {
            let place = match &bad {
                BadPattern::Syntax(_, at) => node.place_of(*at),
                _ => node.place,
            };
            problems.note(place, bad.to_string());
            None
        }
    }
}

fn checksum(problems: &mut Problems, node: &Node) -> Option<Checksum> {
    let word = problems.word(node, &Checksum::ALL.map(Checksum::name))?;
    Checksum::ALL
        .into_iter()
        .find(|checksum| checksum.name() == word)
}

/// `[upper, lower, strip: " -"]`
fn steps(problems: &mut Problems, node: &Node) -> Vec<Step> {
    let items = problems.items(node, MAX_STEPS);
    let mut steps = Vec::new();
    for item in items {
        if let Value::Map(_) = item.value {
            let [strip] = problems.fields(item, ["strip"]);
            let signs = strip.and_then(|strip| problems.text(strip, MAX_STRIPPED));
            steps.extend(signs.map(|signs| Step::Strip(signs.to_owned())));
            continue;
        }
        match problems.word(item, &["upper", "lower", "strip: SIGNS"]) {
            Some("upper") => steps.push(Step::Upper),
            Some("lower") => steps.push(Step::Lower),
            Some(_) => problems.note(item.place, "strip needs the signs: strip: \" -\""),
            None => {}
        }
    }
    if steps.contains(&Step::Upper) && steps.contains(&Step::Lower) {
        problems.note(node.place, "upper and lower do not go together");
    }
    steps
}

fn keywords(problems: &mut Problems, node: &Node) -> Vec<String> {
    let items = problems.items(node, MAX_KEYWORDS);
    let mut keywords = Vec::new();
    for item in items {
        let Some(word) = problems.text(item, CONTEXT) else {
            continue;
        };
        let word = scan::plain(word);
        let trimmed = word.trim();
        if trimmed.is_empty()
            || trimmed != word
            || word.contains(char::is_control)
            || word.len() > CONTEXT
        {
            let most = format!("a keyword has 1 to {CONTEXT} bytes, without white space around it");
            problems.note(item.place, most);
            continue;
        }
        keywords.push(word);
    }
    if items.is_empty() {
        problems.note(
            node.place,
            "this list is empty: leave it out where no keyword is needed",
        );
    }
    keywords
}

/// The texts of a list, each with its node.
fn texts<'n>(problems: &mut Problems, node: Option<&'n Node>) -> Vec<(&'n Node, &'n str)> {
    let items = node.map_or(&[][..], |node| problems.items(node, MAX_EXAMPLES));
    items
        .iter()
        .filter_map(|item| Some((item, problems.text(item, MAX_EXAMPLE)?)))
        .collect()
}
