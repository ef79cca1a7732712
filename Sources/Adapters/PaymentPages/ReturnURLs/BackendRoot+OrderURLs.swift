public import EventLog
public import SwedbankPay

extension BackendRoot {
    /// The maximum length of an order's identifier in a payment URL.
    public static let maximumIDLength = 128
    /// The maximum length of an app's name in bytes.
    public static let maximumAppNameLength = 200

    /// Returns the addresses of an order whose pages this backend serves.
    ///
    /// - Parameters:
    ///   - app: The app to which the payer returns; `nil` for a web page, which needs no payment
    ///     URL.
    ///   - id: A random identifier that distinguishes this order's payment URL from others, see
    ///     ``randomID(from:)``.
    ///   - callback: The address for the PSP's callbacks.
    ///   - termsOfService: The address of the terms of service.
    ///   - logo: The address of the merchant's logo.
    /// - Returns: The addresses.
    /// - Throws: ``ReturnURLError`` when the identifier, the language or the app's name is invalid.
    /// - Note: Source: URL set of the mobile SDKs' helpers.
    public func orderURLs(
        for app: ReturningApp?,
        id: String,
        callback: String? = nil,
        termsOfService: String? = nil,
        logo: String? = nil
    ) throws(ReturnURLError) -> PaymentOrderURLs {
        var payment: String?
        if let app { payment = try paymentURL(for: app, id: id) }
        return PaymentOrderURLs(
            hosts: [address],
            complete: address + "complete",
            cancel: address + "cancel",
            payment: payment,
            callback: callback,
            logo: logo,
            termsOfService: termsOfService
        )
    }

    /// Returns the payment URL of an order: opened in a browser, it leads back to the app.
    ///
    /// Every value is percent-encoded, so that it cannot alter other parts of the address.
    ///
    /// - Throws: ``ReturnURLError`` when the identifier, the language or the app's name is invalid.
    /// - Note: Source: URL set of the mobile SDKs' helpers.
    public func paymentURL(
        for app: ReturningApp,
        id: String
    ) throws(ReturnURLError) -> String {
        guard !id.isEmpty else { throw .missing("the order's id") }
        guard id.utf8.count <= Self.maximumIDLength, id.utf8.allSatisfy(\.isUnreserved) else {
            throw .malformed(
                "the order's id",
                reason: "it must be 1 to \(Self.maximumIDLength) letters, digits, -, ., _ or ~"
            )
        }
        switch app {
        case .android(let package):
            return address(of: .androidIntent)
                + QueryText([("package", package.name), ("id", id)]).text
        case .iOS(let scheme, let language, let name):
            try Self.check(language: language)
            var items = [("scheme", scheme.name), ("language", language.rawValue), ("id", id)]
            if let name {
                try Self.check(appName: name)
                items.append(("app", name))
            }
            return address(of: .universalLink) + QueryText(items).text
        }
    }

    /// Creates an unguessable identifier: a random UUID.
    public static func randomID(from random: some RandomSource) -> String {
        var bytes = random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }

    static func check(language: Language) throws(ReturnURLError) {
        guard language.isWellFormed else {
            throw .malformed("language", reason: "it must be a language such as sv-SE")
        }
    }

    static func check(appName name: String) throws(ReturnURLError) {
        guard !name.isEmpty, name.utf8.count <= maximumAppNameLength,
            !name.unicodeScalars.contains(where: \.properties.generalCategory.isInvisible)
        else {
            throw .malformed(
                "app",
                reason: "it must be 1 to \(maximumAppNameLength) bytes of visible characters"
            )
        }
    }
}

extension Unicode.GeneralCategory {
    /// Whether characters of this category are invisible, or change how others are displayed.
    fileprivate var isInvisible: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            true
        default: false
        }
    }
}

/// A query of names and values, percent-encoded: a space becomes `%20`, never `+`.
struct QueryText {
    /// The query with its question mark.
    let text: String

    init(_ items: [(String, String)]) {
        text =
            "?"
            + items.map { PercentEncoding.encoded($0.0) + "=" + PercentEncoding.encoded($0.1) }
            .joined(separator: "&")
    }
}
