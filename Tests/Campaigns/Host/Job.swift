import Foundation

/// One payment that the host has to complete.
struct Job: Codable, Sendable {
    /// What the payer does.
    enum Kind: String, Codable, Sendable {
        /// Pays with the app on this device.
        case swishHere
        /// Pays with the app on another device.
        case swishThere
        /// Pays with the saved card of rank 1, whatever its issuer requires.
        case card
        /// Chooses the saved card before the order exists.
        case cardByItself
        /// Is declined with the card, then pays with Swish.
        case declinedThenSwish
        /// Enters a card on the PSP's page.
        case newCard
        /// Selects a method in the PSP's menu.
        case menu
        case applePay
        case googlePay
        /// Cancels.
        case abort
        /// Pays an order that the host creates and captures.
        case checkout
    }

    /// The number, counted from 0.
    var number: Int
    var kind: Kind
    /// The merchant's reference, by which a restarted host finds the session.
    var reference: String
    /// The PSP's base URL.
    var provider: String
    /// The session URL; `nil` for a checkout.
    var url: String?
    /// The PSP's identifier of the order; `nil` for a checkout.
    var order: String?
    /// The order of a checkout, as JSON.
    var document: String?
    /// The captures of a checkout, in minor units.
    var captures: [Int64]?

    /// Reads the jobs in a file.
    static func read(_ path: String) throws -> [Job] {
        try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Job.self, from: $0) }
    }
}

/// A deliberate bug in the host.
enum Sabotage: String, Sendable {
    /// Calls the PSP twice for each attempt.
    case startTwice
    /// Acknowledges an attempt before the engine has recorded it, and ends.
    case acknowledgeEarly
    /// Counts the first batch of events as published, and never sends it.
    case skipBatch
}
