internal import EventLog

/// The content of a PSP callback to the merchant: the order that something happened to.
///
/// - Note: Source: server callbacks, payloads: `paymentOrder.id` is the only identifier to rely on.
struct CallbackNotice: Hashable, Sendable {
    /// The order's path.
    let order: String

    /// Reads the notice from a body; `nil` for any other body.
    init?(_ body: [UInt8]) {
        guard body.count <= Self.longestBody,
            let json = try? ForeignJSON(
                parsing: body,
                maximumDepth: Self.depth,
                repairsText: true
            ),
            let id = json.object?["paymentOrder"]?.object?["id"]?.string, !id.isEmpty
        else { return nil }
        order = id
    }

    /// The maximum size of a callback's body in bytes.
    static let longestBody = 1 << 16
    /// The maximum nesting depth of a callback's body.
    private static let depth = 16

    /// Whether it concerns the order of a session, as far as the order is known.
    func isAbout(_ state: SessionState) -> Bool {
        let known = state.checkout?.order?.id ?? state.confirmation?.order
        return known.map { $0 == order } ?? true
    }
}
