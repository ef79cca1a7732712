import Adapters
import EventLog
import Inspection
import SwedbankPay
import Synchronization

@testable import workflowctl

/// The output of a command that it would write to a terminal.
final class FalseTerminal: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    /// Creates a simulated terminal with a number of columns.
    func sink(columns: Int?, style: Style) -> Sink {
        Sink(isTerminal: columns != nil, columns: columns, style: style) { [self] more in
            bytes.withLock { $0 += more }
        }
    }

    /// Returns an invocation with this output.
    func invocation(
        on loop: UVLoop,
        columns: Int? = 80,
        environment: [String: String] = [:],
        input: [UInt8] = []
    ) -> Invocation {
        let style = Style.of(terminal: columns != nil, choice: .auto, environment: environment)
        let sink = sink(columns: columns, style: style)
        return Invocation(
            environment: environment,
            output: sink,
            diagnostics: sink,
            readInput: { _ in input },
            now: { Instant(microseconds: 1_000_000) },
            loop: loop,
            program: "workflowctl"
        )
    }
}
