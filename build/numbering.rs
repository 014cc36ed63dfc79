//! libphonenumber's metadata as const tables.
//!
//! The meaning of each attribute, and the order in which a number is judged, are those of
//! libphonenumber's `PhoneNumberUtil` (Apache-2.0), which the metadata was written for.

use std::collections::BTreeMap;
use std::fmt::Write;

use phonenumber::Metadata;
use phonenumber::metadata::{DATABASE, Descriptor};
use regex::Regex;

use crate::automaton::{Automaton, Entry, Patterns};
use crate::pattern::{self, Node};

/// How a region writes and dials a number.
struct Plan {
    /// Two letters; `001` for a code that belongs to no region.
    name: String,
    country: usize,
    /// Numbers that look right, of whatever length.
    general: Entry,
    /// Dialled before a country code.
    exit: Entry,
    /// Bit n: numbers of n digits are possible.
    lengths: u32,
    /// Index of the first rule and behind the last.
    rules: (usize, usize),
}

/// A way to take the national prefix off: what goes, what is put in, what stays.
struct Rule {
    /// Digits that go.
    head: Entry,
    /// Digits behind them that stay; 0: none, and `tail` means nothing.
    keep: Entry,
    /// Digits behind those that go; an empty match is one.
    tail: Entry,
    /// Whether the number must end there.
    end: bool,
    /// Digits to put in front of what stays.
    insert: String,
}

struct Country {
    code: u16,
    valid: Entry,
    /// Numbers that are never written without their national prefix inside the country.
    prefixed: Entry,
    /// The plan of the main region.
    plan: usize,
}

/// The tables as Rust source.
pub(crate) fn tables() -> String {
    let mut automaton = Automaton::new();
    let mut plans = Vec::new();
    let mut rules = Vec::new();
    let mut countries = Vec::new();
    let mut mains = Vec::new();
    for code in 1..1000_u16 {
        let Some(regions) = DATABASE.by_code(&code) else {
            continue;
        };
        let main = regions[0];
        let valid = valid(&mut automaton, &regions);
        check(&automaton, valid, &regions);
        countries.push(Country {
            code,
            valid,
            prefixed: prefixed(&mut automaton, main),
            plan: 0,
        });
        mains.push((main.id().to_owned(), countries.len() - 1));
        for region in regions {
            plans.push(plan(
                &mut automaton,
                &mut rules,
                region,
                countries.len() - 1,
            ));
        }
    }
    plans.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    for (name, country) in mains {
        countries[country].plan = plans
            .iter()
            .position(|plan| plan.name == name && plan.country == country)
            .expect("each region has a plan");
    }
    write(&automaton, &plans, &rules, &countries)
}

/// Plans by name; those of no region last, as no one can name them.
fn sort_key(plan: &Plan) -> (bool, &str, usize) {
    (plan.name == "001", &plan.name, plan.country)
}

/// The kinds of number that count for validity. Standard-rate, short, emergency and carrier
/// numbers do not, nor does what cannot be dialled from abroad.
fn kinds(region: &Metadata) -> Vec<&Descriptor> {
    let all = region.descriptors();
    [
        all.premium_rate(),
        all.toll_free(),
        all.shared_cost(),
        all.voip(),
        all.personal_number(),
        all.pager(),
        all.uan(),
        all.voicemail(),
        all.fixed_line(),
        all.mobile(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn mask(lengths: &[u16]) -> u32 {
    lengths.iter().fold(0, |mask, length| mask | 1 << length)
}

/// The lengths that any kind of number of the region may have.
fn lengths(region: &Metadata) -> u32 {
    kinds(region)
        .into_iter()
        .fold(0, |all, kind| all | mask(kind.possible_length()))
}

/// The numbers that are valid in one of the regions of a country code. The first region that
/// claims a number, by its leading digits or because it knows its kind, decides.
fn valid(automaton: &mut Automaton, regions: &[&Metadata]) -> Entry {
    const GENERAL: u16 = 0;
    const LEADING: u16 = 1;
    const FIRST_KIND: u16 = 2;
    let mut patterns = Patterns::default();
    let mut masks = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        let base = u16::try_from(index * 16).expect("few regions");
        let all = region.descriptors();
        patterns.whole(
            &pattern::parse(all.general().national_number().as_str()),
            base + GENERAL,
        );
        if let Some(leading) = region.leading_digits() {
            patterns.prefix(&pattern::parse(leading.as_str()), base + LEADING);
        }
        for (tag, kind) in (base + FIRST_KIND..).zip(kinds(region)) {
            patterns.whole(&pattern::parse(kind.national_number().as_str()), tag);
            masks.push((tag, mask(kind.possible_length())));
        }
    }
    let masks: BTreeMap<u16, u32> = masks.into_iter().collect();
    automaton.compile(&patterns, &|tags, length| {
        for (index, region) in regions.iter().enumerate() {
            let base = u16::try_from(index * 16).expect("few regions");
            let known = tags.contains(&(base + GENERAL))
                && tags
                    .iter()
                    .filter(|&&tag| (base + FIRST_KIND..base + 16).contains(&tag))
                    .any(|tag| masks[tag] & (1 << length) != 0);
            let claimed = match region.leading_digits() {
                Some(_) => tags.contains(&(base + LEADING)),
                None => known,
            };
            if claimed {
                return known;
            }
        }
        false
    })
}

/// Holds the automaton to the metadata's own examples, by way of another engine: a pattern that
/// [`pattern`] reads otherwise than it is meant must stop the build.
fn check(automaton: &Automaton, valid: Entry, regions: &[&Metadata]) {
    for region in regions {
        let general = region.descriptors().general();
        let whole = format!("^(?x:{})$", general.national_number().as_str());
        let whole = Regex::new(&whole).expect("a pattern of the metadata");
        for example in kinds(region).into_iter().filter_map(|kind| kind.example()) {
            let name = region.id();
            assert!(whole.is_match(example), "{name}: {example} is no example");
            assert!(
                automaton.accepts(valid, example),
                "{name}: {example} is lost"
            );
        }
    }
}

/// The numbers whose usual format has a national prefix that may not be left out.
fn prefixed(automaton: &mut Automaton, main: &Metadata) -> Entry {
    let mut patterns = Patterns::default();
    for (index, format) in main.formats().iter().enumerate() {
        let tag = u16::try_from(index * 2).expect("few formats");
        patterns.whole(&pattern::parse(format.pattern().as_str()), tag);
        if let Some(leading) = format.leading_digits().last() {
            patterns.prefix(&pattern::parse(leading.as_str()), tag + 1);
        }
    }
    automaton.compile(&patterns, &|tags, _| {
        main.formats()
            .iter()
            .zip((0..).step_by(2))
            .find(|(format, tag)| {
                tags.contains(tag)
                    && (format.leading_digits().is_empty() || tags.contains(&(tag + 1)))
            })
            .is_some_and(|(format, _)| {
                !format.is_national_prefix_optional()
                    && format.national_prefix().is_some_and(adds_to_group)
            })
    })
}

/// Whether a formatting rule puts more than brackets around the first group: `$NP$FG`, `0$FG`.
fn adds_to_group(rule: &str) -> bool {
    !rule.is_empty() && !matches!(rule.trim_matches(['(', ')']), "$FG" | "$1")
}

fn plan(
    automaton: &mut Automaton,
    rules: &mut Vec<Rule>,
    region: &Metadata,
    country: usize,
) -> Plan {
    let general = region.descriptors().general().national_number().as_str();
    let first = rules.len();
    let prefix = region
        .national_prefix_for_parsing()
        .map(|prefix| prefix.as_str().to_owned())
        .or_else(|| region.national_prefix().map(str::to_owned));
    if let Some(prefix) = prefix {
        let node = pattern::parse(&prefix);
        match region.national_prefix_transform_rule() {
            None => rules.push(Rule::plain(automaton, &[node])),
            Some(transform) => transforms(automaton, rules, &node, transform),
        }
    }
    Plan {
        name: region.id().to_owned(),
        country,
        general: automaton.whole(&pattern::parse(general)),
        exit: region.international_prefix().map_or(0, |prefix| {
            automaton.whole(&pattern::parse(prefix.as_str()))
        }),
        lengths: lengths(region),
        rules: (first, rules.len()),
    }
}

impl Rule {
    fn plain(automaton: &mut Automaton, nodes: &[Node]) -> Rule {
        let head = automaton.whole(&Node::All(nodes.to_vec()));
        Rule {
            head,
            keep: 0,
            tail: 0,
            end: false,
            insert: String::new(),
        }
    }
}

/// Splits a prefix with a transform rule, such as `0?(?:(11|…)15)?` and `9$1`, into rules, the
/// preferred one first. The last group is what stays; digits before it in the rule are put in.
fn transforms(automaton: &mut Automaton, rules: &mut Vec<Rule>, node: &Node, transform: &str) {
    let (insert, _) = transform
        .split_once('$')
        .expect("a transform rule keeps a group");
    let branches = match node {
        Node::Any(branches) => branches.clone(),
        other => vec![other.clone()],
    };
    for branch in branches
        .into_iter()
        .flat_map(|branch| alternatives(&branch))
    {
        let Some(group) = branch
            .iter()
            .rposition(|node| matches!(node, Node::Group(_)))
        else {
            rules.push(Rule::plain(automaton, &branch));
            continue;
        };
        let end = branch.last() == Some(&Node::End);
        let tail = &branch[group + 1..branch.len() - usize::from(end)];
        rules.push(Rule {
            head: automaton.whole(&Node::All(branch[..group].to_vec())),
            keep: automaton.whole(&branch[group]),
            tail: automaton.whole(&Node::All(tail.to_vec())),
            end,
            insert: insert.to_owned(),
        });
    }
}

/// The branch with its optional groups, and without them: flat lists of nodes.
fn alternatives(branch: &Node) -> Vec<Vec<Node>> {
    let mut lists = vec![Vec::new()];
    let nodes = match branch {
        Node::All(nodes) => nodes.clone(),
        other => vec![other.clone()],
    };
    for node in nodes {
        match node {
            Node::Repeat {
                node,
                min: 0,
                max: 1,
            } if node.captures() => {
                let without = lists.clone();
                for list in &mut lists {
                    list.extend(match &*node {
                        Node::All(inner) => inner.clone(),
                        other => vec![other.clone()],
                    });
                }
                lists.extend(without);
            }
            node => lists.iter_mut().for_each(|list| list.push(node.clone())),
        }
    }
    lists
}

fn write(automaton: &Automaton, plans: &[Plan], rules: &[Rule], countries: &[Country]) -> String {
    let mut out = String::new();
    let states = &automaton.states;
    let regions = plans.iter().filter(|plan| plan.name != "001").count();
    let mut line = |text: String| writeln!(out, "{text}").expect("a String takes all");
    line(format!(
        "pub(super) static STATES: [[u16; 10]; {}] = {states:?};",
        states.len()
    ));
    let mut indices = vec![0; 1000];
    for (index, country) in countries.iter().enumerate() {
        indices[usize::from(country.code)] = index + 1;
    }
    line(format!(
        "pub(super) static CODES: [u8; 1000] = {indices:?};"
    ));
    line(format!(
        "pub(super) static COUNTRIES: [Country; {}] = [",
        countries.len()
    ));
    for Country {
        code,
        valid,
        prefixed,
        plan,
    } in countries
    {
        line(format!(
            "Country {{ code: {code}, valid: {valid}, prefixed: {prefixed}, plan: {plan} }},"
        ));
    }
    line("];".to_owned());
    line(format!("pub(super) const REGIONS: usize = {regions};"));
    line(format!(
        "pub(super) static PLANS: [Plan; {}] = [",
        plans.len()
    ));
    for Plan {
        name,
        country,
        general,
        exit,
        lengths,
        rules: (first, last),
    } in plans
    {
        line(format!(
            "Plan {{ name: {name:?}, country: {country}, general: {general}, exit: {exit}, \
             lengths: {lengths:#x}, rules: ({first}, {last}) }},"
        ));
    }
    line("];".to_owned());
    line(format!(
        "pub(super) static RULES: [Rule; {}] = [",
        rules.len()
    ));
    for Rule {
        head,
        keep,
        tail,
        end,
        insert,
    } in rules
    {
        line(format!(
            "Rule {{ head: {head}, keep: {keep}, tail: {tail}, end: {end}, insert: b{insert:?} }},"
        ));
    }
    line("];".to_owned());
    out
}
