//! Rows.
use std::fmt;

/// How many.
pub const LIMIT: usize = 10;

#[derive(Debug, Clone)]
pub struct Store<T> {
    /// The rows.
    pub rows: Vec<T>,
    path: String,
}

enum Mode {
    Fast,
    Slow(u8),
}

pub trait Sink {
    fn write(&self, text: &str);
}

impl<T> Store<T> {
    pub fn new(path: String) -> Self {
        Self { rows: vec![], path }
    }
}

impl<T: Clone> fmt::Display for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.path)
    }
}

macro_rules! row {
    ($x:expr) => { $x };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_empty() {
        assert!(true);
    }
}
