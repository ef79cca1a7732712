/// The sender and the recipient of an event, among the participants of a payment.
package struct EventLanes: Hashable, Sendable {
    /// The participants, from the payer's side to the issuer's.
    package enum Lane: Int, CaseIterable, Comparable, Sendable {
        /// The person who pays.
        case payer
        /// The merchant's app or web page.
        case app
        /// The engine.
        case engine
        /// The payment service provider.
        case psp
        /// The issuer's page, or the app of Swish or a wallet.
        case bank

        package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }

        /// The lane's name, consisting of letters only.
        var name: String {
            switch self {
            case .payer: "payer"
            case .app: "app"
            case .engine: "engine"
            case .psp: "psp"
            case .bank: "bank"
            }
        }

        /// The lane's name as a heading.
        package var heading: String { self == .psp ? "PSP" : name }
    }

    /// The sender.
    package var from: Lane
    /// The recipient; the same lane when the event stays there.
    package var to: Lane

    init(_ from: Lane, _ to: Lane) {
        self.from = from
        self.to = to
    }
}
