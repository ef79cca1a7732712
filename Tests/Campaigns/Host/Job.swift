import Foundation

/// One payment that the host has to bring to its end.
struct Job: Codable, Sendable {
    /// What the payer does.
    enum Kind: String, Codable, Sendable {
        /// Pays with the app on this device.
        case swishHere
        /// Pays with the app on another device.
        case swishThere
        /// Pays with the saved card of rank 1, whatever its bank wants.
        case card
        /// Chose the saved card before the order existed.
        case cardByItself
        /// Is declined with the card, then pays with Swish.
        case declinedThenSwish
        /// Types in a card on the PSP's page.
        case newCard
        /// Chooses in the PSP's menu.
        case menu
        case applePay
        case googlePay
        /// Gives up.
        case abort
        /// Pays an order that the host creates, and the host captures it.
        case checkout
    }

    /// Counted from 0.
    var number: Int
    var kind: Kind
    /// The merchant's reference, by which a restarted host finds the session again.
    var reference: String
    /// The PSP's base URL.
    var provider: String
    /// The session URL; nothing for a checkout.
    var url: String?
    /// The PSP's name of the order; nothing for a checkout.
    var order: String?
    /// For a checkout: the order as JSON.
    var document: String?
    /// For a checkout: what is captured, in minor units.
    var captures: [Int64]?

    /// Reads the jobs of a file.
    static func read(_ path: String) throws -> [Job] {
        try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Job.self, from: $0) }
    }
}

/// How the host is broken on purpose.
enum Sabotage: String, Sendable {
    /// Calls the PSP twice for each attempt.
    case startTwice
    /// Tells of an attempt before the engine has it, and ends.
    case acknowledgeEarly
}
