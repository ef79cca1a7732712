internal import EventLog

/// What the PSP's call to the merchant says: which order something happened to.
///
/// - Note: Source: server callbacks, payloads: `paymentOrder.id` is the only identifier to go by.
struct CallbackNotice: Hashable, Sendable {
    /// The order's path.
    let order: String

    /// The notice in a body; nil for anything else.
    init?(_ body: [UInt8]) {
        guard body.count <= Self.longestBody, let json = try? JSONValue(parsing: body),
            case .object = json, let paymentOrder = json["paymentOrder"],
            case .string(let id)? = paymentOrder["id"], !id.isEmpty
        else { return nil }
        order = id
    }

    /// The most bytes that a call may have.
    static let longestBody = 1 << 16

    /// Whether it is about the order of a session, as far as that is known.
    func isAbout(_ state: SessionState) -> Bool {
        let known = state.checkout?.order?.id ?? state.confirmation?.order
        return known.map { $0 == order } ?? true
    }
}
