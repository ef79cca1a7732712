import Foundation

/// What really happened at the PSP, according to the sandbox's ledger.
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

        /// Whether the PSP did what was requested, whatever the caller received.
        var wasCarriedOut: Bool {
            // A response that was only late is the PSP's own, and may be a refusal.
            let isRefusal = outcome.hasPrefix("delay") && status >= 400
            return outcome == "ok" || (outcome.hasSuffix("-after-processing") && !isRefusal)
        }
    }

    var orders: [Order]
    var entries: [Entry]

    /// Reads the ledger of a place's sandbox.
    static func read(of place: Place) async throws -> Ledger {
        try JSONDecoder().decode(Ledger.self, from: await place.call("/sandbox/ledger"))
    }

    /// Returns the rows of one order.
    func rows(of order: String) -> [Entry] { entries.filter { $0.order == order } }
}
