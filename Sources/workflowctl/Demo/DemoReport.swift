internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay

/// The summary of the demonstration, and what to try next.
struct DemoReport {
    let results: [DemoResult]
    let location: StoreLocation
    /// The temporary folder; `nil` when a store was given.
    let folder: String?
    let invocation: Invocation

    /// Whether everything is as expected.
    var isAsExpected: Bool {
        results.count == DemoScenario.all.count && results.allSatisfy(\.isAsExpected)
    }

    /// Prints the summary.
    func printReport(on stage: Sink) {
        let style = stage.style
        stage.write(style.paint("What the logs prove", .heading) + "\n")
        for result in results { stage.write(line(result, style) + "\n") }
        let (program, store) = (invocation.program, location.option)
        var steps: [(String, String)] = [("list the payments", "\(program) list \(store)")]
        if let card = results.first(where: { $0.scenario.letter == "b" })?.session {
            steps.append(
                ("show the card payment, event by event", "\(program) log \(card.short) \(store)")
            )
            steps.append(
                ("replay it, step by step", "\(program) replay \(card.short) --step \(store)")
            )
        }
        if let declined = results.first(where: { $0.scenario.letter == "c" }) {
            let problem = declined.log.events.first {
                if case .problem = $0.event { true } else { false }
            }
            steps.append(
                (
                    "show the state when the card was declined",
                    "\(program) replay \(declined.session.short) --at \(problem?.sequence ?? 1) \(store)"
                )
            )
        }
        steps.append(("verify the whole store", "\(program) verify \(store)"))
        steps.append(
            (
                "export the logs and verify the export",
                "\(program) export \(store) | \(program) verify -"
            )
        )
        steps.append(("make a payment by hand", "\(program) sandbox --port 8093"))
        if let folder { steps.append(("clean up", "rm -r \(folder)")) }
        stage.write("\n" + style.paint("Try next", .heading) + "\n")
        for (words, command) in steps {
            stage.write("  " + style.paint("# \(words)", .dim) + "\n")
            stage.write("  " + style.paint(command, .accent) + "\n")
        }
    }

    private func line(_ result: DemoResult, _ style: Style) -> StyledText {
        let mark = result.isAsExpected ? style.paint("ok ", .good) : style.paint("NOT", .bad)
        let outcome = result.log.state.outcome?.rawValue ?? "not ended"
        let check = result.check.divergence == nil ? "replays identically" : "replays differently"
        let chain = result.verification.first == nil ? "chain valid" : "chain damaged"
        let paid = result.ledger?.attempts.count { $0.state == .paid } ?? 0
        let words =
            " (\(result.scenario.letter)) " + Screen.padded(outcome, to: 10)
            + "\(result.log.events.count) events, \(check), \(chain), "
            + "the PSP has \(paid) payment\(paid == 1 ? "" : "s")" + others(result)
        return "  " + mark + words
    }

    /// Describes what others did with the money, which the log of an ended payment cannot know.
    private func others(_ result: DemoResult) -> String {
        guard let ledger = result.ledger else { return "" }
        let isOthers = ledger.attempts.contains { $0.startedBy == .otherDevice }
        let back = ledger.reversedAmount
        return (isOthers ? ", made on another device" : "")
            + (back > 0 ? "; the PSP refunded \(text(back, ledger)) afterwards" : "")
    }

    private func text(_ amount: Int, _ ledger: LedgerOrder) -> String {
        MinorUnits.words(Amount(Int64(amount)), of: ledger.currency)
    }

    var json: JSONValue {
        [
            "asExpected": .bool(isAsExpected),
            "store": .string(location.text),
            "sessions": .array(
                results.map { result in
                    [
                        "session": .string("\(result.session)"),
                        "scenario": .string(result.scenario.title),
                        "reference": .string(result.scenario.reference),
                        "outcome": JSONValue(result.log.state.outcome?.rawValue),
                        "events": .integer(Int64(result.log.events.count)),
                        "agrees": .bool(result.check.divergence == nil),
                        "sound": .bool(result.verification.first == nil),
                        "asExpected": .bool(result.isAsExpected),
                    ]
                }
            ),
        ]
    }
}
