internal import SwedbankPay

/// A check-in that has begun: where the payer identifies.
///
/// - Note: Source: merchant backend API, consumers.
public struct ConsumerCheckIn: Hashable, Sendable {
    /// The script of the check-in's form.
    public var view: OrderOperation?
    /// The page of the earlier way, which is deprecated.
    public var redirect: OrderOperation?
    /// The check-in's token, if the answer has one.
    public var token: String?
}

extension ConsumerCheckIn {
    /// Reads an answer.
    init(_ answer: AnswerObject, _ reader: OrderAnswerReader) throws(SnapshotRefusal) {
        let operations = try reader.operations(of: answer)
        self.init(
            view: operations.first { $0.rel == .viewConsumer },
            redirect: operations.first { $0.rel.rawValue == "redirect-consumer-identification" },
            token: answer.text("token")
        )
    }
}

extension ConsumerCheckIn: CustomStringConvertible, CustomReflectable {
    /// Nothing of the check-in.
    public var description: String { "check-in" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
