//! From bytes to disjoint findings: one pass over byte classes names the places that have a shape,
//! detectors judge them, and overlaps are decided.

mod anchor;
mod classes;
mod fold;
mod judge;
mod marks;
mod openings;
mod select;
mod shapes;

pub(crate) use self::judge::{Judge, LEFT_RAW, RIGHT_RAW, Rules};
pub(crate) use self::marks::Marks;
pub(crate) use self::openings::{Form, MAX_CONTEXT, Opening, Openings};
