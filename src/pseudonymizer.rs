//! The engine: immutable, cheap to clone, shared between threads; and its builder.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::allow::AllowList;
use crate::counts::Counts;
use crate::detect::custom::{self, Custom};
use crate::detect::{Options, ip, phone};
use crate::error::{Error, ErrorKind};
use crate::finding::Finding;
use crate::kind::Kinds;
use crate::pseudonym::{Key, Pseudonyms, placeholder};
use crate::scan::{self, NearMiss, Rules};
use crate::stream::lane::{Lane, Piece};
use crate::stream::{self, Stream};
use crate::view::api::Api;
use crate::view::{Format, JsonNumbers, Settings};

/// How many bytes [`Pseudonymizer::copy`] reads at once: what stays in the second cache level.
const CHUNK: usize = 128 * 1024;

/// Finds identifiers and replaces them by placeholders.
///
/// It holds no state but its settings and the key, so it may be shared between threads and cloned
/// at no cost. The same value gets the same placeholder in every process that has the same key,
/// scope and hash length.
///
/// ```
/// # fn main() -> Result<(), nymize::Error> {
/// use nymize::{Key, Kind, Kinds, Pseudonymizer};
///
/// let engine = Pseudonymizer::builder(Key::from_bytes([7; 32])).regions(["NL"]).build()?;
/// let clean = engine.filter("mail jan@example.com, bel 06-12345678");
/// assert!(clean.starts_with("mail [[EMAIL_") && clean.ends_with("]]"));
///
/// // For one call, other kinds:
/// let phones = engine.with_kinds(Kinds::NONE.with(Kind::Phone));
/// assert!(phones.filter("mail jan@example.com").contains("jan@"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Pseudonymizer {
    rules: Arc<Rules>,
    pseudonyms: Arc<Pseudonyms>,
    view: Settings,
}

/// Settings for a [`Pseudonymizer`]. It does no I/O; it demands a [`Key`].
#[must_use]
pub struct Builder {
    key: Key,
    kinds: Kinds,
    regions: Vec<String>,
    keep_ips: Vec<String>,
    allow: AllowList,
    custom_rules: Vec<Arc<custom::Rule>>,
    custom_terms: Vec<Arc<custom::Terms>>,
    scope: String,
    hash_length: usize,
    view: Settings,
}

impl Builder {
    /// Which kinds are looked for. Default: all.
    pub fn kinds(mut self, kinds: Kinds) -> Self {
        self.kinds = kinds;
        self
    }

    /// The regions (two-letter codes of libphonenumber such as `NL`, in either case) whose national
    /// phone numbers are looked for, in order: a number belongs to the first for which it holds.
    /// Default: none, so that only international numbers and the North American shape are found.
    pub fn regions<I>(mut self, regions: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.regions = regions.into_iter().map(|r| r.as_ref().to_owned()).collect();
        self
    }

    /// IP addresses that are left alone, besides loopback, unspecified, broadcast and netmasks:
    /// `private`, `link-local`, `documentation`, or CIDR blocks. Default: none.
    pub fn keep_ips<I>(mut self, words: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.keep_ips = words.into_iter().map(|w| w.as_ref().to_owned()).collect();
        self
    }

    /// Values that are found and left as they are. Default: none.
    pub fn allow(mut self, allow: AllowList) -> Self {
        self.allow = allow;
        self
    }

    /// Rules and terms that are looked for besides the built-in kinds.
    pub(crate) fn custom(
        mut self,
        rules: impl IntoIterator<Item = Arc<custom::Rule>>,
        terms: impl IntoIterator<Item = Arc<custom::Terms>>,
    ) -> Self {
        self.custom_rules.extend(rules);
        self.custom_terms.extend(terms);
        self
    }

    /// A label that the key is derived with, so that placeholders of two scopes (tenants,
    /// providers, sessions) cannot be joined. Default, and the empty label: none.
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = scope.into();
        self
    }

    /// How many hex digits a placeholder's hash has: an even number from 8 to 64. Default: 8.
    pub fn hash_length(mut self, digits: usize) -> Self {
        self.hash_length = digits;
        self
    }

    /// How texts are read. Default: [`Format::Auto`], in every method alike.
    ///
    /// Only [`Pseudonymizer::stream`] and [`Pseudonymizer::copy`] can refuse a text that is not of
    /// [`Format::Json`]; `find` and `filter` read it as [`Format::Auto`] does.
    pub fn format(mut self, format: Format) -> Self {
        self.view.format = format;
        self
    }

    /// What becomes of a JSON number that is a card number. Default: [`JsonNumbers::Quote`].
    pub fn json_numbers(mut self, numbers: JsonNumbers) -> Self {
        self.view.numbers = numbers;
        self
    }

    /// Whose request bodies JSON texts may be: their ids, enums, signatures, encrypted parts and
    /// payloads in base64 are left alone. Default: [`Api::Auto`].
    pub fn api(mut self, api: Api) -> Self {
        self.view.api = api;
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// For an unknown region, an IP word that is no CIDR block, an entry of the allow list that is
    /// none, a hash length out of range, or rule packs that are too big together.
    pub fn build(self) -> Result<Pseudonymizer, Error> {
        if !placeholder::is_digit_count(self.hash_length) {
            return Err(Error::new(ErrorKind::BadHashLength(self.hash_length)));
        }
        let regions = self
            .regions
            .iter()
            .map(|name| {
                phone::Region::parse(name).ok_or_else(|| {
                    Error::new(ErrorKind::UnknownRegion {
                        name: name.clone(),
                        near: phone::Region::near(name),
                    })
                })
            })
            .collect::<Result<_, _>>()?;
        let ip_keep = ip::Keep::parse(self.keep_ips.iter().map(String::as_str))
            .map_err(|word| Error::new(ErrorKind::BadIpKeep(word)))?;
        let options = Options { regions, ip_keep };
        let custom = match self.custom_rules.is_empty() && self.custom_terms.is_empty() {
            true => None,
            false => Some(
                Custom::new(self.custom_rules, self.custom_terms)
                    .ok_or_else(|| Error::new(ErrorKind::TooManyRules))?,
            ),
        };
        let key = self.key.scoped(&self.scope);
        let allow = match self.allow.is_empty() {
            true => None,
            false => Some(Arc::new(self.allow.compile(find_all(custom.clone()))?)),
        };
        let rules = Rules::new(&self.kinds, options, custom, self.hash_length);
        let rules = rules.with_allow(allow);
        Ok(Pseudonymizer {
            rules: Arc::new(rules),
            pseudonyms: Arc::new(Pseudonyms::new(&key, self.hash_length)),
            view: self.view,
        })
    }
}

/// Finds all that there is in a text, whatever kinds an engine looks for. National phone numbers are
/// left out: which number one is depends on the regions of an engine.
fn find_all(custom: Option<Custom>) -> impl Fn(&[u8]) -> Vec<Finding> {
    let options = Options::default();
    let rules = Rules::new(&Kinds::ALL, options, custom, placeholder::DEFAULT_DIGITS);
    let rules = Arc::new(rules);
    let view = Settings {
        format: Format::Text,
        ..Settings::default()
    };
    move |text| {
        let mut found = Vec::new();
        look(rules.clone(), view, text, |piece| {
            if let Piece::Found(finding, ..) = piece {
                found.push(finding);
            }
        });
        found
    }
}

/// Tells the pieces of a filtered text.
fn look(rules: Arc<Rules>, view: Settings, text: &[u8], mut tell: impl FnMut(Piece<'_>)) {
    Lane::new(rules, view)
        .give(text, true, &mut |piece| {
            tell(piece);
            Ok(())
        })
        .expect("this sink takes all, and what is no JSON is text");
}

impl Pseudonymizer {
    /// Begins an engine with its key.
    pub fn builder(key: Key) -> Builder {
        Builder {
            key,
            kinds: Kinds::ALL,
            regions: Vec::new(),
            keep_ips: Vec::new(),
            allow: AllowList::default(),
            custom_rules: Vec::new(),
            custom_terms: Vec::new(),
            scope: String::new(),
            hash_length: placeholder::DEFAULT_DIGITS,
            view: Settings::default(),
        }
    }

    /// The same engine for other kinds; the key and all else are shared.
    #[must_use]
    pub fn with_kinds(&self, kinds: Kinds) -> Pseudonymizer {
        Pseudonymizer {
            rules: Arc::new(self.rules.with_kinds(kinds)),
            ..self.clone()
        }
    }

    /// The same engine for texts of another format; the key and all else are shared.
    #[must_use]
    pub fn with_format(&self, format: Format) -> Pseudonymizer {
        let view = Settings {
            format,
            ..self.view
        };
        Pseudonymizer {
            view,
            ..self.clone()
        }
    }

    /// The findings in `text`, in order and disjoint; their ranges are in bytes.
    ///
    /// A finding may be a JSON number, which only [`Pseudonymizer::filter`] replaces so that the
    /// text stays JSON.
    pub fn find(&self, text: &str) -> Vec<Finding> {
        self.find_bytes(text.as_bytes())
    }

    /// The findings in bytes of any encoding that holds ASCII; an invalid byte is an edge.
    pub fn find_bytes(&self, text: &[u8]) -> Vec<Finding> {
        let mut found = Vec::new();
        self.look(text, |piece| {
            if let Piece::Found(finding, ..) = piece {
                found.push(finding);
            }
        });
        found
    }

    /// Tells the pieces of the filtered text.
    fn look(&self, text: &[u8], tell: impl FnMut(Piece<'_>)) {
        let format = match self.view.format {
            Format::Json => Format::Auto,
            format => format,
        };
        let view = Settings {
            format,
            ..self.view
        };
        look(self.rules.clone(), view, text, tell);
    }

    /// `text` with each finding replaced by its placeholder; borrowed where nothing was found.
    pub fn filter<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.filter_bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(
                String::from_utf8(bytes).expect("findings begin and end between characters"),
            ),
        }
    }

    /// Like [`Pseudonymizer::filter`], for bytes. Every byte outside a finding stays as it is.
    pub fn filter_bytes<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut out = None;
        let mut seen = 0;
        self.look(text, |piece| {
            if let Piece::Raw(bytes) = piece {
                seen += bytes.len();
                if let Some(out) = &mut out {
                    Vec::extend_from_slice(out, bytes);
                }
                return;
            }
            let out = out.get_or_insert_with(|| {
                let mut out = Vec::with_capacity(text.len());
                out.extend_from_slice(&text[..seen]);
                out
            });
            match piece {
                Piece::Found(finding, raw, level) => {
                    seen += raw.len();
                    stream::render(&self.pseudonyms, &finding, level, out);
                }
                Piece::Added(quote) => out.extend_from_slice(quote.bytes()),
                Piece::Raw(bytes) => out.extend_from_slice(bytes),
            }
        });
        out.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// The placeholder of a finding: `[[TYPE_hash]]`.
    pub fn placeholder(&self, finding: &Finding) -> String {
        let mut out = Vec::with_capacity(placeholder::MAX_LEN);
        self.pseudonyms
            .render(finding.kind().label(), finding.canonical(), &mut out);
        String::from_utf8(out).expect("a placeholder is ASCII")
    }

    /// The findings in `text` that are left as they are, as the allow list says; in order.
    pub fn allowed(&self, text: &[u8]) -> Vec<Finding> {
        let mut found = self.with_nothing_allowed().find_bytes(text);
        found.retain(|finding| self.rules.allows(finding));
        found
    }

    /// The same engine without its allow list.
    fn with_nothing_allowed(&self) -> Pseudonymizer {
        let rules = Rules::clone(&self.rules).with_allow(None);
        Pseudonymizer {
            rules: Arc::new(rules),
            ..self.clone()
        }
    }

    /// Places in `text` that have the shape of a kind, and why they are no value of it, in order.
    /// For people who wonder why something was not found.
    pub fn near_misses(&self, text: &[u8]) -> Vec<NearMiss> {
        let found = self.with_nothing_allowed().find_bytes(text);
        scan::near_misses(&self.rules, text, &found)
    }

    /// A filter for a text that arrives in pieces.
    pub fn stream(&self) -> Stream {
        Stream::new(self.rules.clone(), self.pseudonyms.clone(), self.view)
    }

    /// Filters all of `input` to `output`, and says how much was replaced.
    ///
    /// Complete lines are written as soon as they are read; memory does not grow with the input.
    ///
    /// # Errors
    /// When reading or writing fails. What was held back is then dropped, never written raw.
    pub fn copy(&self, mut input: impl Read, mut output: impl Write) -> Result<Counts, Error> {
        let mut stream = self.stream();
        let mut chunk = vec![0; CHUNK];
        loop {
            match input.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => stream.push_to(&chunk[..n], &mut output)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::new(ErrorKind::Read(error))),
            }
        }
        stream.finish_to(&mut output)?;
        output
            .flush()
            .map_err(|error| Error::new(ErrorKind::Write(error)))?;
        Ok(stream.counts().clone())
    }
}

impl fmt::Debug for Pseudonymizer {
    /// Shows no key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pseudonymizer").finish_non_exhaustive()
    }
}
