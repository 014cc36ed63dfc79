//! What fails half-way lets no value out: readers and writers that fail at every byte, pipes that
//! close, disks that are full, signals.

#[path = "faults/library.rs"]
mod library;
#[cfg(unix)]
#[path = "faults/program.rs"]
mod program;
#[path = "faults/ways.rs"]
mod ways;

mod cmd;
