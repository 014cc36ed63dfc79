//! What walls leave open.

use std::ops::Range;

use super::Walls;

impl Walls {
    /// The open spaces of `span` between the walls, in order.
    pub(crate) fn gaps(&self, span: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = span.start.max(self.left);
        let ends = self
            .ranges
            .iter()
            .cloned()
            .chain(std::iter::once(span.end..span.end));
        ends.filter_map(move |wall| {
            let gap = start..wall.start.min(span.end);
            start = start.max(wall.end);
            (gap.start < gap.end).then_some(gap)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_no_wall_covers() {
        let mut walls = Walls::default();
        walls.reset(3, &[10..12, 12..15, 20..30]);
        walls.build(5..7);
        let gaps = |span| walls.gaps(span).collect::<Vec<_>>();
        assert_eq!(gaps(0..40), [3..5, 7..10, 15..20, 30..40]);
        assert_eq!(gaps(6..25), [7..10, 15..20]);
        assert_eq!(gaps(16..18), vec![16..18; 1]);
        assert!(gaps(21..29).is_empty());
        assert!(gaps(0..2).is_empty());
    }
}
