internal import Adapters
internal import Workflow

/// The query of a payment URL, with what the pages that lead back into an app need of it.
///
/// - Note: Source: merchant backend, Android helper and iOS helper.
struct ReturnQuery {
    private let items: [(name: String, value: String)]

    /// The longest name of an app, in bytes.
    static let maximumAppLength = BackendRoot.maximumAppNameLength
    /// How many items a query may have.
    static let maximumItems = 32

    /// Reads a query.
    ///
    /// - Returns: Nothing when it is no query by RFC 3986, or holds anything but text.
    init?(_ query: String?) {
        let parts = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
        guard parts.count <= Self.maximumItems else { return nil }
        var items: [(name: String, value: String)] = []
        for part in parts {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard
                let name = String(
                    validating: PercentEncoding.decoded(part[..<equals]),
                    as: UTF8.self
                ),
                let value = String(
                    validating: PercentEncoding.decoded(part[equals...].dropFirst()),
                    as: UTF8.self
                )
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    /// The one value of that name; nothing when it is missing, or given more than once.
    func only(_ name: String) -> String? {
        let values = items.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// Whether an item occurs at all.
    func has(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// The language of a page; nothing when it is none.
    var language: String? {
        guard let language = only("language") else { return nil }
        let parts = language.utf8.split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        let isLanguage =
            (1...3).contains(parts.count)
            && parts.allSatisfy { part in
                (2...8).contains(part.count)
                    && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
            }
        return isLanguage ? language : nil
    }

    /// The name of the app, fit to be shown; nothing when there is none.
    var app: String? {
        guard let app = only("app"), !app.isEmpty, app.utf8.count <= Self.maximumAppLength,
            app.unicodeScalars.allSatisfy({ !$0.properties.generalCategory.isInvisible })
        else { return nil }
        return app
    }
}

extension Unicode.GeneralCategory {
    /// Whether characters of this kind change how others look, or show nothing.
    fileprivate var isInvisible: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            true
        default: false
        }
    }
}
