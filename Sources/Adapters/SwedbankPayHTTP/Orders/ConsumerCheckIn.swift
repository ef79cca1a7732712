internal import SwedbankPay

/// A started check-in: where the payer identifies themselves.
///
/// - Note: Source: merchant backend API, consumers.
public struct ConsumerCheckIn: Hashable, Sendable {
    /// The script of the check-in form.
    public var view: OrderOperation?
    /// The page of the earlier, deprecated flow.
    public var redirect: OrderOperation?
    /// The check-in's token, if the response has one.
    public var token: String?
}

extension ConsumerCheckIn {
    /// Reads a response.
    init(_ response: ResponseObject, _ reader: OrderResponseReader) throws(SnapshotRefusal) {
        let operations = try reader.operations(of: response)
        self.init(
            view: operations.first { $0.rel == .viewConsumer },
            redirect: operations.first { $0.rel.rawValue == "redirect-consumer-identification" },
            token: response.text("token")
        )
    }
}

extension ConsumerCheckIn: CustomStringConvertible, CustomReflectable {
    /// A fixed text without any part of the check-in.
    public var description: String { "check-in" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
