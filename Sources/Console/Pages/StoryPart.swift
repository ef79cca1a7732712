internal import EventLog
internal import Inspection
internal import Service
internal import SwedbankPay

/// The story of a payment in plain words, with the events behind each sentence, and what to do.
extension PaymentFrame {
    var storyPage: Page { page(.story, short + sentences + facts) }

    /// What somebody on the telephone needs.
    private var short: HTML {
        let turn = story.standing.turn
        let who = TurnName(rawValue: turn.word).map(words.name) ?? turn.word
        return """
            <section class="short" aria-labelledby="short"><h2 id="short">\(words.inShort)</h2>
            <p class="summary" lang="en">\(end.summary) \(evidence(story.standing.sequences))</p>
            <p lang="en">\(end.money) \(evidence(story.standing.starts))</p>
            <p><b>\(words.nextMove):</b> \(who). <span lang="en">\(end.turn)</span></p>
            \(end.payerMessage.map(message))\(steps)\(actions)</section>

            """
    }

    /// What the payer may be told, ready to be copied.
    private func message(for payer: String) -> HTML {
        let (text, language) = words.payerMessage(payer)
        return """
            <div class="payer"><p class="label" id="tell">\(words.tellPayer)</p>
            <blockquote id="payer-message" aria-labelledby="tell" lang="\(language.rawValue)">\(text)</blockquote>
            <copy-text for="payer-message" hidden><button type="button">\(words.copy)</button>
            <span role="status" data-done="\(words.copied)"></span></copy-text></div>
            """
    }

    private var steps: HTML {
        let steps = evidence.isImported ? [] : end.steps("workflowctl")
        guard !steps.isEmpty else { return .none }
        return """
            <h3>\(words.toDo)</h3><ol class="steps">\(steps.html { step in
                let command: HTML? = step.command.map { "<br><code>\($0)</code>" }
                return "<li lang=\"en\">\(step.words.prefix(1).uppercased() + step.words.dropFirst())\(command)</li>"
            })</ol>
            """
    }

    private var sentences: HTML {
        let begin = story.sentences.first?.at ?? story.state.openedAt
        let texts = StoryText(story, by: clock).sentences
        return """
            <section aria-labelledby="told"><h2 id="told">\(words.whatHappened)</h2>
            <ol class="story">\(zip(story.sentences, texts).html { sentence, text in
                item(sentence, text, since: begin)
            })</ol></section>

            """
    }

    private func item(
        _ sentence: Story.Sentence,
        _ english: String,
        since begin: Instant
    ) -> HTML {
        let (text, language) = words.told(sentence.fact, in: story, english: english)
        return """
            <li class="\(sentence.fact.style)"><time datetime="\(sentence.at.description)" \
            title="\(clock.second(sentence.at))">\(StoryReport.offset(sentence.at, begin))</time> \
            <span class="told" lang="\(language.rawValue)">\(text)</span> \(evidence(sentence.sequences))</li>

            """
    }

    private var facts: HTML {
        var facts: [(String, HTML)] = [(words.identifier, "<code>\(session.description)</code>")]
        if let reference = view.reference { facts.append((words.reference, "\(reference)")) }
        if let first = log.events.first {
            facts.append((words.opened, "\(clock.second(first.at))"))
        }
        if let last = log.events.last {
            facts.append((words.lastEvent, "\(clock.second(last.at))"))
        }
        facts.append((words.name(of: .events), "\(log.events.count)"))
        if let attempt = view.attempt {
            facts.append(
                (words.attempt, "\(attempt.number): \(words.name(of: attempt.choice.instrument))")
            )
        }
        if let problem = view.problem?.problem {
            let name = problem.kind?.rawValue ?? problem.type ?? ""
            facts.append((words.problem, "\(name)"))
        }
        if let asOf = money.asOf { facts.append((words.pspRead, "\(clock.second(asOf))")) }
        return """
            <section aria-labelledby="facts"><h2 id="facts">\(words.details)</h2>
            <dl class="facts">\(facts.html { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" })</dl></section>

            """
    }
}

extension Story.Fact {
    /// How a sentence looks; its words say the same.
    fileprivate var style: HTML {
        switch self {
        case .ended(.paid): "good"
        case .ended, .attemptFailed, .problem, .trouble, .interrupted, .unreadable,
            .notAcknowledged, .order(.refused):
            "bad"
        case .silence: "waiting"
        case .person, .note, .retryAsked, .abortAsked: "person"
        case .unknown: "unknown"
        case .takenIn, .takenInAgain, .offered, .attempt, .begun, .page, .asked, .reported,
            .returned, .calledBack, .failureTold, .order:
            ""
        }
    }
}

extension Words {
    var inShort: String { self("In short", "I korthet") }
    var nextMove: String { self("Next move", "Nästa steg") }
    var tellPayer: String { self("Tell the payer", "Säg till betalaren") }
    var copy: String { self("Copy", "Kopiera") }
    var copied: String { self("Copied", "Kopierat") }
    var toDo: String { self("What to do", "Att göra") }
    var whatHappened: String { self("What happened", "Vad som hände") }
    var identifier: String { self("Identifier", "Identifierare") }
    var lastEvent: String { self("Last event", "Senaste händelse") }
    var attempt: String { self("Attempt", "Försök") }
    var pspRead: String { self("PSP's newest response", "PSP:ns senaste svar") }
}
