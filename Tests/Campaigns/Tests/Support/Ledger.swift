import Foundation

/// What really happened at the PSP, as the sandbox's ledger tells it.
struct Ledger: Decodable {
    struct Order: Decodable {
        struct Attempt: Decodable {
            var number: Int
            var method: String
            var state: String
        }

        var order: String
        var status: String
        var attempts: [Attempt]
        var authorizedAmount: Int
        var capturedAmount: Int
        var captures: Int
        var refusedDuplicates: Int
        var requests: [String: Int]
        var doubles: [String]
    }

    struct Entry: Decodable {
        var sequence: Int
        var order: String
        var rel: String
        var status: Int
        var outcome: String

        /// Whether the PSP did what it was asked for, whatever the caller was told.
        var wasCarriedOut: Bool { outcome == "ok" || outcome.hasSuffix("-after-processing") }
    }

    var orders: [Order]
    var entries: [Entry]

    /// What the sandbox of a place has seen.
    static func read(of place: Place) async throws -> Ledger {
        try JSONDecoder().decode(Ledger.self, from: await place.call("/sandbox/ledger"))
    }

    /// The rows of one order.
    func rows(of order: String) -> [Entry] { entries.filter { $0.order == order } }
}
