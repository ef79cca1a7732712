internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay
internal import Workflow

/// The summary of the checkout demonstration, and what to try next.
struct CheckoutReport {
    let result: CheckoutDemo.Result
    let location: StoreLocation
    /// The temporary folder; `nil` when a store was given.
    let folder: String?
    let invocation: Invocation

    private static let titles = ["a checkout in a browser", "the native session of its order"]

    /// Prints the summary.
    func printReport(on stage: Sink) {
        let style = stage.style
        stage.write(style.paint("What the logs prove", .heading) + "\n")
        let mark = result.isAsExpected ? style.paint("ok ", .good) : style.paint("NOT", .bad)
        for (index, log) in result.logs.enumerated() {
            let outcome = log.state.outcome?.rawValue ?? "not ended"
            let confirmed = log.state.confirmation == nil ? "not confirmed" : "confirmed"
            let check =
                result.checks[index].divergence == nil
                ? "replays identically" : "replays differently"
            let chain =
                result.verifications[index].first == nil ? "chain valid" : "chain damaged"
            stage.write(
                "  " + mark
                    + " \(Screen.padded(Self.titles[index], to: 32))\(outcome), \(confirmed), "
                    + "\(log.events.count) events, \(check), \(chain)\n"
            )
        }
        let paid = result.ledger?.attempts.count { $0.state == .paid } ?? 0
        stage.write(
            "      the PSP has \(paid) payment\(paid == 1 ? "" : "s") and called back "
                + "\(result.callbacks) time\(result.callbacks == 1 ? "" : "s")\n"
        )
        guard let session = result.logs.first?.state.session else { return }
        let (program, store) = (invocation.program, location.option)
        var steps = [
            ("show the checkout, event by event", "\(program) log \(session.short) \(store)"),
            ("replay it, step by step", "\(program) replay \(session.short) --step \(store)"),
            ("verify both logs", "\(program) verify \(store)"),
        ]
        if let folder { steps.append(("clean up", "rm -r \(folder)")) }
        stage.write("\n" + style.paint("Try next", .heading) + "\n")
        for (words, command) in steps {
            stage.write("  " + style.paint("# \(words)", .dim) + "\n")
            stage.write("  " + style.paint(command, .accent) + "\n")
        }
    }

    /// The summary as JSON, in the format of the other demonstration.
    var json: JSONValue {
        [
            "asExpected": .bool(result.isAsExpected),
            "store": .string(location.text),
            "sessions": .array(
                result.logs.enumerated().map { index, log in
                    [
                        "session": .string("\(log.state.session)"),
                        "scenario": .string(Self.titles[index]),
                        "reference": .string(log.state.reference ?? ""),
                        "outcome": JSONValue(log.state.outcome?.rawValue),
                        "events": .integer(Int64(log.events.count)),
                        "agrees": .bool(result.checks[index].divergence == nil),
                        "sound": .bool(result.verifications[index].first == nil),
                        "asExpected": .bool(result.isAsExpected),
                    ]
                }
            ),
        ]
    }
}
