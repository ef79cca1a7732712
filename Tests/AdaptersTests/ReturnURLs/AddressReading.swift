import Foundation

/// An address as another reader than the one under test reads it.
struct AddressReading {
    private let components: URLComponents?

    init(_ text: String) { components = URLComponents(string: text) }

    /// The decoded values of all items of that name.
    func values(of name: String) -> [String?] {
        (components?.queryItems ?? []).filter { $0.name == name }.map(\.value)
    }

    /// The only value of a name.
    func value(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// The names of all items.
    var names: [String] { (components?.queryItems ?? []).map(\.name) }

    /// The host.
    var host: String? { components?.host }
}
