package import SwedbankPay

/// The query items of a page that returns a payer to an app.
///
/// Each name may occur only once: with two values, two readers could use different ones.
package struct ReturnItems: Hashable, Sendable {
    private let items: [AddressParts.QueryItem]

    /// Reads the query of an address.
    ///
    /// - Throws: ``ReturnURLError`` when it is not a valid RFC 3986 query, or has more than
    ///   ``ReturnRequest/maximumItems`` items.
    package init(of address: String) throws(ReturnURLError) {
        guard let parts = AddressParts(address), parts.fragment == nil else {
            throw .malformed("the query", reason: "it must be percent-encoded")
        }
        items = parts.queryItems
        guard items.count <= ReturnRequest.maximumItems else {
            throw .malformed(
                "the query",
                reason: "it has more than \(ReturnRequest.maximumItems) items"
            )
        }
    }

    /// The single value of a required item.
    package func value(of name: String) throws(ReturnURLError) -> String {
        guard let value = try optionalValue(of: name) else { throw .missing(name) }
        return value
    }

    /// The language of the page with the button.
    package func language() throws(ReturnURLError) -> Language {
        let language = Language(rawValue: try value(of: "language"))
        try BackendRoot.check(language: language)
        return language
    }

    /// The name of the app for the button; `nil` when none is given.
    package func appName() throws(ReturnURLError) -> String? {
        let name = try optionalValue(of: "app")
        if let name { try BackendRoot.check(appName: name) }
        return name
    }

    /// Whether the items mean that the universal link did not work.
    var areFallback: Bool {
        items.contains {
            $0.name == Array("fallback".utf8)
                && $0.value.map { String(decoding: $0, as: UTF8.self).lowercased() } == "true"
        }
    }

    private func optionalValue(of name: String) throws(ReturnURLError) -> String? {
        let values = items.filter { $0.name == Array(name.utf8) }.map(\.value)
        guard let first = values.first else { return nil }
        guard values.count == 1 else {
            throw .malformed(name, reason: "it must not be given more than once")
        }
        guard let first, let text = String(validating: first, as: UTF8.self) else {
            throw .malformed(name, reason: "it must be UTF-8 text")
        }
        return text
    }
}
