import Foundation

/// A URL as another parser than the one under test reads it.
struct AddressReading {
    private let components: URLComponents?

    init(_ text: String) { components = URLComponents(string: text) }

    /// Returns the decoded values of all query items with a name.
    func values(of name: String) -> [String?] {
        (components?.queryItems ?? []).filter { $0.name == name }.map(\.value)
    }

    /// Returns the only value of a query item.
    func value(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// The names of all query items.
    var names: [String] { (components?.queryItems ?? []).map(\.name) }

    /// The host.
    var host: String? { components?.host }
}
