package import SwedbankPay

/// What stands in the query of a page that brings a payer back.
///
/// Each name counts only when it stands there once: two values would be read differently by two readers.
package struct ReturnItems: Hashable, Sendable {
    private let items: [AddressParts.QueryItem]

    /// Reads the query of an address.
    ///
    /// - Throws: When it is no query to the letter of RFC 3986, or has more than ``ReturnRequest/maximumItems`` items.
    package init(of address: String) throws(ReturnURLError) {
        guard let parts = AddressParts(address), parts.fragment == nil else {
            throw .malformed("the query", reason: "it has to be percent-encoded")
        }
        items = parts.queryItems
        guard items.count <= ReturnRequest.maximumItems else {
            throw .malformed(
                "the query",
                reason: "it has more than \(ReturnRequest.maximumItems) items"
            )
        }
    }

    /// The one value of an item that has to be there.
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

    /// The name of the app, fit to stand on the button; nothing when none is given.
    package func appName() throws(ReturnURLError) -> String? {
        let name = try optionalValue(of: "app")
        if let name { try BackendRoot.check(appName: name) }
        return name
    }

    /// Whether they say that the universal link was tried in vain.
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
            throw .malformed(name, reason: "it has to be a text in UTF-8")
        }
        return text
    }
}
