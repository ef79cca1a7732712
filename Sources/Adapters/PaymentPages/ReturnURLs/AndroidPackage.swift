internal import EventLog
internal import SwedbankPay

/// The package name of an Android app, for example `com.example.shop`.
///
/// No other text may become part of an intent URL: a name with a semicolon could control what the
/// system starts.
public struct AndroidPackage: Hashable, Sendable {
    /// The name.
    public let name: String

    /// The maximum length of a name.
    public static let maximumLength = 255

    /// Parses a name: two or more parts separated by dots, each a letter followed by letters,
    /// digits and `_`.
    ///
    /// Returns `nil` for any other text.
    ///
    /// - Note: Source: Android, application identifiers.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        for part in parts {
            guard let first = part.first, first.isASCIILetter,
                part.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") })
            else { return nil }
        }
        name = String(text)
    }
}

extension AndroidPackage: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
