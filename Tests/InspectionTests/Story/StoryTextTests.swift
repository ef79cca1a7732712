import EventLog
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

@testable import Inspection

/// The sentences of a story, and the offsets beside them.
@Suite struct StoryTextTests {
    /// Returns the story of a payment.
    private func story(_ spec: DeciderSpec) -> Story {
        let events = spec.log.enumerated().map { index, entry in
            RecordedEvent(
                stream: spec.state.session,
                sequence: SequenceNumber(index + 1),
                at: entry.at,
                event: entry.event,
                metadata: EventMetadata(
                    build: "1.0.0",
                    catalogue: "sample",
                    cause: "input.1",
                    node: "n"
                )
            )
        }
        return Story(of: spec.state.session, events: events, by: spec.decider)
    }

    @Test func `what another device failed to pay is not told as this payer's failure`() {
        let spec = payment().ready(.withSwish).when(.refetch(by: "shop"))
            .when(response: Snapshot.withSwish.with(.sample()))
            .when(outcome: .empty(status: 204)).when(response: .withSwish)
        #expect(spec.decider.guidance(for: spec.state).message == "Please choose how to pay.")
        let words = "\(StoryReport(story(spec), program: "workflowctl", why: false).json)"
        #expect(words.contains("an attempt that was not started here failed"))
        #expect(!words.contains("attempt 0"))
        // The failure of the payer's own attempt is.
        let own = payment().expanded(.card(rank: 1)).when(response: .cardUnderWay)
            .when(response: Snapshot.withSwishAndCard.with(.sample()))
        #expect(own.decider.guidance(for: own.state).message != "Please choose how to pay.")
    }

    @Test func `a refused request is told with the PSP's reason, unless that is sealed`() {
        func cause(_ title: OutsideText, _ detail: OutsideText?, _ status: Int) -> String {
            let document = ProblemDocument(type: "about:blank", title: title, detail: detail)
            let failed = OperationFailed(
                effect: EffectID(rawValue: "1-capture-1"),
                rel: .capture,
                reach: .responded,
                code: "http.status",
                status: status,
                document: document,
                durationMilliseconds: 1,
                tryNumber: 1
            )
            return Story.Cause(failed).words
        }
        #expect(
            cause("Not allowed", "limit exceeded", 403)
                == "the PSP returned HTTP 403: \"Not allowed: limit exceeded\""
        )
        #expect(cause(.sealed(.sample("a")), nil, 403) == "the PSP returned HTTP 403")
        #expect(cause("Oops", nil, 500) == "the PSP returned a server error (HTTP 500)")
    }

    /// Returns the payment after its requests had this outcome until the engine stopped trying.
    private func failing(
        _ spec: DeciderSpec,
        with outcome: ProviderResponse.Outcome
    ) -> DeciderSpec {
        var failing = spec
        for _ in 0..<20 where failing.state.problem == nil {
            failing = failing.when(outcome: outcome)
        }
        return failing
    }

    @Test(
        arguments: [
            (Duration.zero, "+0:00.0"), (.milliseconds(42_150), "+0:42.1"),
            (.milliseconds(3_599_900), "+59:59.9"), (.seconds(3600), "+1:00:00"),
            (.seconds(86_399), "+23:59:59"), (.seconds(86_400), "+1d 0:00"),
            (.seconds(1_842_120), "+21d 7:42"),
            (.seconds(8_701_500), "+100d 17:05"),
            (.seconds(220_928_400), "+2557d"), (.seconds(-1), "+0:00.0"),
        ]
    )
    func `an offset of a day or more has the days`(since: Duration, offset: String) {
        #expect(StoryReport.offset(ManualClock.noon + since, ManualClock.noon) == offset)
        // The left column of a story is followed by a blank.
        #expect(offset.count < Paragraphs.margin)
    }

    @Test func `a sentence about a later day is aligned with the others`() {
        let late = payment().when(.open(.sample())).after(.seconds(1_842_120))
            .given(.retryRequested(RetryRequested(by: "ann")))
        let form = TextForm(isTerminal: false, columns: nil, style: .plain)
        let text = StoryReport(story(late), program: "workflowctl", why: false).text(for: form)
        let lines = text.words.split(separator: "\n")
        #expect(lines.contains("+0:00.0     The payment session was opened at api.psp.example."))
        #expect(lines.contains("+21d 7:42   ann requested a retry."), "\(lines)")
    }

    @Test func `a failure is described once, and its explanation is not repeated in full`() throws {
        let first = failing(payment().when(.open(.sample())), with: .notSent)
        let told = story(failing(first.when(.retry(by: "ann")), with: .notSent))
        #expect(
            told.sentences.map(\.fact.kind) == [
                "takenIn", "trouble", "problem", "retryAsked", "trouble", "problem",
            ]
        )
        let failures = told.sentences.compactMap { sentence -> String? in
            guard case .trouble(let trouble) = sentence.fact else { return nil }
            return
                "The request to read the payment's state failed \(trouble.count) times: the PSP could not be reached (http.connect)."
        }
        try #require(failures.count == 2)
        #expect(
            StoryText(told).sentences == [
                "The payment session was opened at api.psp.example.",
                failures[0] + " Reading changes nothing, so the engine can repeat it at any time.",
                "The engine stopped trying. The PSP has to fix the cause; waiting may help. While the session is open, 'retry' makes the engine read it and continue.",
                "ann requested a retry.", failures[1],
                "The engine stopped trying. The PSP has to fix the cause.",
            ]
        )
        // Before the problem is recorded, the sentence about the failures says how they ended.
        let before = StoryText(story(payment().when(.open(.sample())).when(outcome: .notSent)))
        #expect(before.sentences.last?.contains("The engine continues at ") == true)
    }

    @Test func `the name of the problem with which failures ended is kept`() {
        let systemError = ProviderResponse.Outcome.refused(500, .sample("systemerror"))
        let spec = failing(payment().when(.open(.sample())), with: systemError)
        let texts = StoryText(story(spec)).sentences
        #expect(texts.count == 3)
        #expect(texts.last?.hasPrefix("After the last response (") == true, "\(texts)")
        #expect(texts.last?.contains("systemerror, 500), the engine stopped trying.") == true)
        #expect(texts.last?.contains("failed") == false)
    }

    @Test(arguments: [
        (
            "order.access-unavailable",
            "it was not sent, because this installation could not obtain the access token or headers for it"
        ),
        (
            "engine.secret-missing",
            "it was not sent, because a sealed value that it needs could not be opened"
        ),
        ("order.foreign-domain", "this installation does not allow requests to that address"),
        ("http.circuit-open", "it was held back, because many requests to the PSP had failed"),
        ("http.queue-full", "it was not sent, because too many requests were waiting"),
        ("http.shutdown", "it was not sent, because the engine was stopping"),
        ("order.malformed-value", "it was not sent, because this installation could not build it"),
        (
            "http.tls-expired",
            "it was not sent, because the host's certificate is expired or not yet valid"
        ),
        (
            "http.tls-authorities",
            "it was not sent, because this installation's file of certificate authorities cannot be read"
        ),
        ("http.unreachable", "the PSP could not be reached"),
        ("http.timeout", "the PSP could not be reached"),
    ])
    func `only a request that could not reach the PSP is said not to have reached it`(
        code: String,
        words: String
    ) {
        let cause = Story.Cause(code: code, status: nil, reach: .notSent, duration: .zero)
        #expect(cause.words == "\(words) (\(code))")
    }

    @Test func `a missing access token is described as the operator's problem, not the PSP's`() {
        let noAccess = ProviderResponse.Outcome.failed(
            reach: .notSent,
            code: "order.access-unavailable",
            isTransient: true
        )
        let spec = failing(payment().when(.checkout(.open(.sample()))), with: noAccess)
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        let text = StoryText(story(spec)).sentences.joined(separator: "\n")
        #expect(text.contains("could not obtain the access token"), "\(text)")
        #expect(text.contains("The operator has to fix the source of the access token"), "\(text)")
        #expect(!text.contains("could not be reached"), "\(text)")
        #expect(!text.contains("The PSP has to fix"), "\(text)")
        let view = SessionView(spec.state, by: spec.decider, disclosing: .masked)
        let shown = ViewText(view, style: .plain).text.words
        #expect(shown.contains("the operator has to act"), "\(shown)")
        #expect(!shown.contains("the PSP has to act"), "\(shown)")
    }
}
