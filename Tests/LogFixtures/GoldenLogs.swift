import EventLog
import Foundation
package import Inspection
import SwedbankPay

/// The logs that are kept forever.
package enum GoldenLogs {
    /// The directory of the logs.
    package static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Logs").resolvingSymlinksInPath().path

    /// The logs that the program reads; the others require the upcasters of a test.
    package static let names = [
        "address-known", "checkout", "every-event", "failed-by-whom", "payment-aborted",
        "payment-declined-then-swish", "payment-page", "payment-saved-card-challenge",
        "payment-swish-this-device",
    ]

    /// Text with which an outsider might break out of any context in which it is displayed, as
    /// JSON.
    package static let hostile =
        #"\"><script>window.stolen=1</script>;#35;%%{init}%% \n end\#u{2028}\#u{202e}]]>&lt;{{x}} "#
        + #"--> wrap: title: javascript:alert(1)`$(id)' A->>B: x"#

    /// Returns the text of a log.
    package static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name).ndjson", encoding: .utf8)
    }

    /// Returns the log in a text.
    package static func log(in text: String) throws -> SessionLog {
        let records = try text.split(separator: "\n").map { try LogLine.decode(Array($0.utf8)) }
        return try SessionLog(records[0].stream, records)
    }

    /// Returns a log with hostile texts of the PSP and the merchant.
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
