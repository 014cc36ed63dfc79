//! From bytes to disjoint findings: one pass over byte classes names the places that have a shape,
//! detectors judge them, and overlaps are decided.

mod anchor;
mod classes;
mod explain;
mod fold;
mod judge;
mod marks;
mod openings;
mod page;
mod select;
mod shapes;
mod sight;

pub use self::explain::NearMiss;
pub(crate) use self::explain::near_misses;
pub(crate) use self::fold::{plain, stands_for};
pub(crate) use self::judge::{Judge, LEFT_RAW, RIGHT_RAW, Rules};
pub(crate) use self::marks::Marks;
pub(crate) use self::openings::{Form, MAX_CONTEXT, Opening, Openings};
