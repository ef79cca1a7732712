import EventLog
import Foundation
package import Inspection
import SwedbankPay

/// The logs that are kept forever, as the program reads them.
package enum GoldenLogs {
    /// Their folder.
    package static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Logs").resolvingSymlinksInPath().path

    /// All of them.
    package static let names = [
        "address-known", "answer-after-the-limit", "answer-paid-though-refused",
        "answer-refund-failed-later", "answer-reversed-in-part", "answer-takes-payment-back",
        "captures-refused", "charge-under-way", "checkout", "every-event", "failed-by-whom",
        "money-resolved", "payment-aborted",
        "payment-declined-then-swish", "payment-page", "payment-saved-card-challenge",
        "payment-swish-this-device",
    ]

    /// Text with which outsiders might try to break out of any output, as JSON.
    package static let hostile =
        #"\"><script>window.stolen=1</script>;#35;%%{init}%% \n end\#u{2028}\#u{202e}]]>&lt;{{x}} "#
        + #"--> wrap: title: javascript:alert(1)`$(id)' A->>B: x"#

    /// Returns the text of one.
    package static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name).ndjson", encoding: .utf8)
    }

    /// The canonical bytes of the records of all, several times, so that there are enough of them
    /// to train a compression dictionary.
    package static func records() throws -> [[UInt8]] {
        let lines = try names.flatMap { name in
            try text(name).split(separator: "\n").map {
                try LogLine.decode(Array($0.utf8)).canonical
            }
        }
        return Array(repeating: lines, count: 1 + 1_000 / max(1, lines.count)).flatMap(\.self)
    }

    /// Returns the log in a text.
    package static func log(in text: String) throws -> SessionLog {
        let records = try text.split(separator: "\n").map { try LogLine.decode(Array($0.utf8)) }
        return try SessionLog(records[0].stream, records)
    }

    /// Returns one of them in which the PSP and the merchant use hostile text.
    package static func hostileText() throws -> String {
        let declined = try text("payment-declined-then-swish")
        let forged = try Forge.rechained(
            declined,
            replacing: "REJECTED_BY_ACQUIRER_INSUFFICIENT_FUNDS",
            with: hostile
        )
        return try Forge.rechained(forged, replacing: "demo-declined", with: hostile)
    }
}
