import Foundation

/// What really happened at the PSP, as the sandbox's ledger tells it.
struct Ledger: Decodable {
    struct Order: Decodable {
        struct Attempt: Decodable {
            var number: Int
            var method: String
            var state: String
            var transaction: Int
            var started: String
        }

        struct Movement: Decodable {
            var transaction: Int
            var kind: String
            var amount: Int
            var at: String
        }

        var order: String
        var status: String
        var attempts: [Attempt]
        var movements: [Movement]
        var authorizedAmount: Int
        var capturedAmount: Int
        var captures: Int
        var refusedDuplicates: Int
        var requests: [String: Int]
        var doubles: [String]
    }

    struct Entry: Decodable {
        var sequence: Int
        var at: String
        var order: String
        var rel: String
        var status: Int
        var outcome: String

        /// Whether the PSP did what it was asked for, whatever the caller was told.
        var wasCarriedOut: Bool {
            // An answer that was only late is the PSP's own, and may be a refusal.
            let isRefusal = outcome.hasPrefix("delay") && status >= 400
            return outcome == "ok" || (outcome.hasSuffix("-after-processing") && !isRefusal)
        }
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
