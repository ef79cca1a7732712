internal import SwedbankPay

/// The sentences of a story as text: none of them repeats in full what an earlier one has
/// explained.
package struct StoryText {
    /// The text of each sentence of the story, in the same order.
    package private(set) var sentences: [String] = []
    /// The explanations that were given.
    private var given: Set<String> = []

    /// Writes the sentences of a story.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - clock: The clock in which times are printed.
    package init(_ story: Story, by clock: DisplayClock = .utc) {
        for index in story.sentences.indices {
            let text = text(at: index, of: story, by: clock)
            sentences.append(text)
        }
    }

    /// The text of the sentence at an index.
    private mutating func text(
        at index: Int,
        of story: Story,
        by clock: DisplayClock
    ) -> String {
        let fact = story.sentences[index].fact
        switch fact {
        case .trouble(let trouble):
            let text = explained(StoryWords.failures(trouble), StoryWords.clauses(on: trouble))
            let next = index + 1 < story.sentences.count ? story.sentences[index + 1].fact : nil
            let isEndNext = next.map { trouble.ends(with: $0) } ?? false
            return isEndNext ? text : text + StoryWords.ending(of: trouble, by: clock)
        case .attemptFailed(let tried, let problem, let advice):
            return explained(
                StoryWords.failure(of: tried, problem),
                StoryWords.clauses(on: problem, advice)
            )
        case .problem(let problem, let advice):
            var text = StoryWords.text(problem)
            if index > 0, case .trouble(let trouble) = story.sentences[index - 1].fact,
                trouble.ends(with: fact)
            {
                text = StoryWords.end(of: trouble, with: problem)
            }
            return explained(text, StoryWords.clauses(on: problem, advice))
        default: return StoryWords.text(fact, in: story, by: clock)
        }
    }

    /// A text with its explanation; what was explained before is shortened or left out.
    private mutating func explained(_ text: String, _ clauses: [StoryWords.Clause]) -> String {
        let words = clauses.compactMap { clause in
            given.insert(clause.words).inserted ? clause.words : clause.again
        }
        return ([text] + words).joined(separator: " ")
    }
}

extension Story.Trouble {
    /// Whether the next sentence is the problem with which these failures ended, so that the two
    /// are about the same failure.
    fileprivate func ends(with next: Story.Fact) -> Bool {
        guard case .problem(let problem, _) = next, problem.kind == .requestFailed,
            ending == .gaveUp || ending == .refused
        else { return false }
        return problem.rel?.purpose == rel.purpose
    }
}
