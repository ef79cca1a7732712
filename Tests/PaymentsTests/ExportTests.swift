import Foundation
import Testing

/// `import Payments` is enough to name every type in the declarations of `Payments`.
@Suite struct ExportTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The types of the language and of Foundation, and the names of type parameters.
    private static let known: Set<String> = [
        "AsyncSequence", "Bool", "Card", "Duration", "Encoder", "Error", "Int", "Int64", "Mirror",
        "Sendable", "String", "UInt8", "Value", "Void",
    ]

    /// The types of members of payment orders and views, and the vaults.
    private static let parts: Set<String> = [
        "Amount", "EnvironmentVault", "InvalidAmount", "KeyCommandVault", "KeyFileVault",
        "Language", "MoneyState", "OrderItem", "PayeeInfo", "Payer", "PaymentMethodName",
        "PaymentOrderPurpose", "PaymentOrderURLs", "SequenceNumber",
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns what a pattern captures in a text, each match once.
    private static func names(
        _ pattern: Regex<(Substring, Substring)>,
        in text: String
    ) -> Set<String> {
        Set(text.matches(of: pattern).map { String($0.1) })
    }

    @Test func `Payments exports the types of other modules that its declarations name`() throws {
        let declarations = try Self.text("Documentation/api/Payments.txt")
        // A name after a dot is that of a nested type or a member.
        let named = Self.names(/(?:^|[^\w.])([A-Z]\w*)/, in: declarations)
        let own = Self.names(/(?:struct|enum|class) ([A-Z]\w*)/, in: declarations)
        let exported = Self.names(
            /@_exported public import \w+ \w+\.(\w+)/,
            in: try Self.text("Sources/Payments/Exports.swift")
        )
        #expect(own.isSuperset(of: ["Payment", "PaymentService", "PaymentError", "ClientAction"]))
        #expect(named.subtracting(own).subtracting(Self.known).union(Self.parts) == exported)
    }
}
