package import EventLog

/// Identifies a request of a caller, so that the caller can repeat it without knowing whether it
/// was carried out.
///
/// The engine records the key in the `meta` of the events that follow from the request at once: in
/// one transaction with them, for ever, and readable at every node. The log has only digests: of
/// the caller with the key, and of what the caller sent.
public struct RequestKey: Hashable, Sendable {
    /// The digest of the caller and the key.
    private let name: String
    /// The digest of what the request contains.
    private let content: String

    /// The number of hexadecimal digits of each digest.
    private static let digits = 32
    /// Separates the cause of events from the key of the request that caused them.
    private static let separator = "#"

    /// Creates the key of a request.
    ///
    /// - Parameters:
    ///   - key: The key that the caller chose.
    ///   - caller: The caller; keys of different callers are different.
    ///   - content: What the request contains, in the same form each time.
    public init(_ key: String, of caller: String, content: [UInt8]) {
        name = Self.digest(of: Array("\(caller.utf8.count) \(caller)\(key)".utf8))
        self.content = Self.digest(of: content)
    }

    private static func digest(of bytes: [UInt8]) -> String {
        String("\(HashChain.hash(bytes))".prefix(digits))
    }

    /// An earlier request with the same key.
    package struct Earlier: Hashable, Sendable {
        /// The first event that followed from it.
        package var sequence: SequenceNumber
        /// Whether it was the same request.
        package var isSame: Bool
    }

    /// Looks for a request with this key among the events of a session.
    ///
    /// - Returns: `nil` when there was none, or none that changed anything.
    package func find(in events: some Sequence<RecordedEvent>) -> Earlier? {
        for event in events {
            let parts = event.metadata.cause.pieces(between: Self.separator)
            guard parts.count == 2, parts[1].hasPrefix(name + ".") else { continue }
            return Earlier(
                sequence: event.sequence,
                isSame: parts[1].hasSuffix("." + content)
            )
        }
        return nil
    }

    /// Bits that are the same for the same key of the same caller, for references that have to be.
    var bits: UInt64 { HashChain.hash(Array("reference:\(name)".utf8)).words.0 }

    /// The cause of the events that follow from the request.
    func cause(_ cause: String) -> String { "\(cause)\(Self.separator)\(name).\(content)" }
}

extension String {
    /// The cause of events, with the key of the request if it has one.
    package func caused(by key: RequestKey?) -> String { key?.cause(self) ?? self }
}
