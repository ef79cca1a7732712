import Foundation

/// An address as parsed by another parser than the one under test.
struct AddressReading {
    private let components: URLComponents?

    init(_ text: String) { components = URLComponents(string: text) }

    /// Returns the decoded values of all items with a name.
    func values(of name: String) -> [String?] {
        (components?.queryItems ?? []).filter { $0.name == name }.map(\.value)
    }

    /// Returns the only value of a name.
    func value(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// The names of all query items.
    var names: [String] { (components?.queryItems ?? []).map(\.name) }

    var host: String? { components?.host }
}
