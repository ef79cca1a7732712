/// Who an event goes from and to, among those who take part in a payment.
package struct EventLanes: Hashable, Sendable {
    /// Those who take part, from the payer's side to the bank's.
    package enum Lane: Int, CaseIterable, Comparable, Sendable {
        /// The person who pays.
        case payer
        /// The merchant's app or web page.
        case app
        /// This engine.
        case engine
        /// The payment service provider.
        case psp
        /// The bank's page, or the app of Swish or a wallet.
        case bank

        package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }

        /// The lane's name, of letters alone.
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
        var heading: String { self == .psp ? "PSP" : name }
    }

    /// Where it comes from.
    var from: Lane
    /// Where it goes; the same lane when it stays there.
    var to: Lane

    init(_ from: Lane, _ to: Lane) {
        self.from = from
        self.to = to
    }
}
