import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import Testing
import Workflow

@testable import Inspection

/// The content of a payment's diagram.
@Suite struct SequenceDiagramTests {
    @Test(arguments: GoldenLogs.names)
    func `every event of a log is drawn once, in order`(name: String) throws {
        let log = try GoldenLogs.log(in: GoldenLogs.text(name))
        let diagram = SequenceDiagram(log)
        var next: SequenceNumber = 1
        for step in diagram.steps where step.shape != .gap {
            #expect(step.places.lowerBound == next)
            #expect(!step.text.isEmpty)
            next = step.places.upperBound + 1
        }
        #expect(next == SequenceNumber(log.events.count).next)
        #expect(diagram.lanes.contains(.engine) && diagram.lanes == diagram.lanes.sorted())
    }

    @Test func `a decline and a second attempt are drawn as messages between the participants`()
        throws
    {
        let log = try GoldenLogs.log(in: GoldenLogs.text("payment-declined-then-swish"))
        let source = MermaidText.text(SequenceDiagram(log))
        let grammar = try #require(MermaidGrammar(source))
        #expect(
            grammar.participants == [
                "payer": "Payer", "app": "App or page", "engine": "Engine", "psp": "PSP",
            ]
        )
        let wanted: [MermaidGrammar.Statement] = [
            .message(from: "payer", sign: "->>", to: "engine", text: "7 attempt 1: saved card 1"),
            .message(
                from: "engine",
                sign: "->>",
                to: "psp",
                text: "11 sends start-payment-attempt"
            ),
            .message(
                from: "psp",
                sign: "-->>",
                to: "engine",
                text: "12 start-payment-attempt returned 200 after 3 ms"
            ),
            .note(
                over: ["psp"],
                text: "14 ✖ creditcard/acquirerinsufficientfunds: "
                    + "REJECTED_BY_ACQUIRER_INSUFFICIENT_FUNDS; the payer has to act"
            ),
            .note(
                over: ["payer", "psp"],
                text: "27 ● completed, as the PSP reported"
            ),
        ]
        for statement in wanted { #expect(grammar.statements.contains(statement), "\(statement)") }
        #expect(grammar.statements.count == 27)
    }

    @Test func `a challenge adds the bank's lane; a request with unknown outcome is a lost arrow`()
        throws
    {
        let challenge = try GoldenLogs.log(in: GoldenLogs.text("payment-saved-card-challenge"))
        #expect(SequenceDiagram(challenge).lanes.contains(.bank))
        let failed = try Forge.rechained(
            GoldenLogs.text("every-event"),
            replacing: #""reach":"answered""#,
            with: #""reach":"maybeSent""#
        )
        let diagram = SequenceDiagram(try GoldenLogs.log(in: failed))
        let lost = diagram.steps.filter {
            $0.shape == .message(from: .engine, to: .psp, .lost) && $0.tone == .bad
        }
        #expect(lost.map(\.number) == ["8"])
        #expect(MermaidText.text(diagram).contains("engine-xpsp: 8 "))
    }

    @Test func `a long gap is one step, and so are consecutive polls without a change`() throws {
        let text = try GoldenLogs.text("payment-swish-this-device")
        let log = try GoldenLogs.log(in: text)
        let first = log.events[0]
        func event(
            _ sequence: SequenceNumber,
            _ seconds: Int64,
            _ event: SessionEvent
        ) -> RecordedEvent {
            RecordedEvent(
                stream: log.session,
                sequence: sequence,
                at: first.at + .seconds(seconds),
                event: event,
                metadata: first.metadata
            )
        }
        let nothing = SessionEvent.fetched(
            Fetched(cause: Rel(rawValue: "get-payment"), digest: .zero, snapshot: nil)
        )
        let events =
            [first] + (2...9).map { event(SequenceNumber($0), Int64($0), nothing) } + [
                event(10, 3800, .completed(Completed(evidence: .redirectToCompleteURL)))
            ]
        let diagram = SequenceDiagram(try made(events, log.session))
        #expect(diagram.steps.map(\.number) == ["1", "2–9", "10", "10"])
        #expect(diagram.steps[1].text == "8 polls: no change")
        #expect(diagram.steps[2].shape == .gap)
        #expect(diagram.steps[2].text == "1 h 3 min without an event")
    }

    @Test func `a diagram stops at the step limit and says how many events it leaves out`() throws {
        let log = try GoldenLogs.log(in: GoldenLogs.text("payment-swish-this-device"))
        let first = log.events[0]
        let limit = SequenceDiagram.stepLimit
        let events = (1...SequenceNumber(limit) + 50).map { sequence in
            RecordedEvent(
                stream: log.session,
                sequence: sequence,
                at: first.at,
                event: sequence == 1 ? first.event : .retryRequested(RetryRequested(by: "ann")),
                metadata: first.metadata
            )
        }
        let diagram = SequenceDiagram(try made(events, log.session))
        #expect(diagram.steps.count == limit + 1)
        #expect(diagram.steps.last?.text.hasPrefix("50 more events are not drawn") == true)
        let drawing = SVGDrawing(diagram)
        // No side of a picture of it is longer.
        #expect(max(drawing.size.height, drawing.size.width) < 32_000)
    }

    @Test(
        arguments: [
            (Duration.milliseconds(450), "450 ms", "+0.45 s"), (.seconds(59), "59 s", "+59.00 s"),
            (.milliseconds(3_250), "3.2 s", "+3.25 s"),
            (.seconds(200), "3 min 20 s", "+3:20"), (.seconds(7500), "2 h 5 min", "+2:05:00"),
            (.seconds(86_400 * 4 + 11_000), "4 d 3 h", "+4 d 3 h"),
            (.seconds(-1), "0 ms", "+0.00 s"),
        ]
    )
    func `durations are shown in at most their two largest units`(
        duration: Duration,
        words: String,
        offset: String
    ) {
        #expect(duration.spoken == words)
        #expect(duration.offset == offset)
    }

    /// Returns a log of events, with a sound chain.
    private func made(_ events: [RecordedEvent], _ session: SessionID) throws -> SessionLog {
        var previous = Digest256.zero
        var records: [StoredRecord] = []
        for event in events {
            let encoded = EventCodec.encode(event)
            let hash = HashChain.hash(previous, encoded.canonical)
            records.append(
                StoredRecord(
                    stream: session,
                    sequence: event.sequence,
                    type: EventCodec.typeName(of: event.event),
                    at: event.at,
                    canonical: encoded.canonical,
                    previous: previous,
                    hash: hash,
                    seals: []
                )
            )
            previous = hash
        }
        return try SessionLog(session, records)
    }
}
