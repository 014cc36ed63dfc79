//! Addresses that are left alone: those that name nobody, and the networks that a user keeps.

use std::collections::{BTreeMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Names of networks that [`Keep::parse`] knows (RFC 1918, RFC 4193; RFC 3927, RFC 4291;
/// RFC 5737, RFC 3849, RFC 9637).
const NAMED: [(&str, &[&str]); 3] = [
    (
        "private",
        &["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
    ),
    ("link-local", &["169.254.0.0/16", "fe80::/10"]),
    (
        "documentation",
        &[
            "192.0.2.0/24",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "2001:db8::/32",
            "3fff::/20",
        ],
    ),
];

/// Networks that are left alone. The default keeps only what names nobody: loopback, the
/// unspecified address, broadcast, netmasks and wildcard masks.
///
/// An IPv4-mapped IPv6 address counts as its IPv4.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keep {
    networks: Networks,
}

impl Keep {
    /// Reads `private`, `link-local`, `documentation`, CIDR blocks (`10.0.0.0/8`,
    /// `2001:db8::/32`; bits behind the prefix are ignored) and single addresses.
    ///
    /// # Errors
    /// The first word that is none of these.
    pub(crate) fn parse<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Keep, String> {
        let mut networks = Networks::default();
        for word in words {
            let name = word.trim();
            match NAMED
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
            {
                Some((_, named)) => named.iter().for_each(|block| {
                    networks.add(block);
                }),
                None if networks.add(name) => {}
                None => return Err(word.to_owned()),
            }
        }
        Ok(Keep { networks })
    }

    /// Whether `address`, written in its own form, is left alone.
    pub(crate) fn keeps(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        names_nobody(address) || is_mask(address) || self.networks.contains(address)
    }

    /// The same for an address in IPv6 text. A mask is never written as a mapped address.
    pub(super) fn keeps_v6(&self, address: Ipv6Addr) -> bool {
        let canonical = address.to_canonical();
        names_nobody(canonical) || is_mask(address.into()) || self.networks.contains(canonical)
    }
}

/// Blocks of addresses. However many there are, an address is looked up once for each length of
/// prefix that occurs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Networks {
    /// The first bits of networks, by the length of the prefix.
    v4: BTreeMap<u32, HashSet<u128>>,
    v6: BTreeMap<u32, HashSet<u128>>,
}

impl Networks {
    /// Adds a CIDR block or a single address. Returns whether the text is one.
    pub(crate) fn add(&mut self, text: &str) -> bool {
        let Some(Block { network, prefix }) = Block::parse(text) else {
            return false;
        };
        let (networks, bits) = match network {
            IpAddr::V4(v4) => (&mut self.v4, v4_bits(v4)),
            IpAddr::V6(v6) => (&mut self.v6, v6.into()),
        };
        let network = first_bits(bits, prefix);
        networks.entry(prefix).or_default().insert(network);
        true
    }

    /// Whether an address, not a mapped one, lies in one of the blocks.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let (networks, bits) = match address {
            IpAddr::V4(v4) => (&self.v4, v4_bits(v4)),
            IpAddr::V6(v6) => (&self.v6, v6.into()),
        };
        networks
            .iter()
            .any(|(&prefix, networks)| networks.contains(&first_bits(bits, prefix)))
    }
}

fn names_nobody(address: IpAddr) -> bool {
    address.is_loopback() || address.is_unspecified()
}

/// A netmask of eight bits or more (broadcast is the longest), its inverse, as in access lists,
/// or an IPv6 prefix mask of sixteen or more. Shorter ones are addresses too: 224.0.0.0, 240.0.0.0.
fn is_mask(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let bits = u32::from(v4);
            let is_contiguous =
                |b: u32| b.leading_ones() >= 8 && b.count_zeros() == b.trailing_zeros();
            is_contiguous(bits) || is_contiguous(!bits)
        }
        IpAddr::V6(v6) => {
            let bits = u128::from(v6);
            bits.leading_ones() >= 16 && bits.leading_ones() + bits.trailing_zeros() == 128
        }
    }
}

/// The first bits of an address.
#[derive(Clone, Copy)]
struct Block {
    network: IpAddr,
    /// In bits: at most 32 or 128.
    prefix: u32,
}

impl Block {
    fn parse(text: &str) -> Option<Block> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let network: IpAddr = address.parse().ok()?;
        let width = if network.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
            Some(_) => return None,
            None => width,
        };
        let block = Block { network, prefix };
        (prefix <= width).then(|| block.unmapped())
    }

    /// `::ffff:10.0.0.0/104` as `10.0.0.0/8`.
    fn unmapped(self) -> Block {
        match (self.network.to_canonical(), self.prefix.checked_sub(96)) {
            (network @ IpAddr::V4(_), Some(prefix)) if self.network.is_ipv6() => {
                Block { network, prefix }
            }
            _ => self,
        }
    }
}

/// An address of 128 bits without those behind the first `prefix`.
fn first_bits(bits: u128, prefix: u32) -> u128 {
    let behind = 128_u32.saturating_sub(prefix);
    bits & u128::MAX.checked_shl(behind).unwrap_or(0)
}

/// The bits of an IPv4 address as the highest of 128.
fn v4_bits(address: Ipv4Addr) -> u128 {
    u128::from(u32::from(address)) << 96
}
