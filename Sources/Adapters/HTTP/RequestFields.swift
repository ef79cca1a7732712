internal import CCurl

/// The header fields of requests in libcurl's form, shared by requests with the same fields.
///
/// - Note: Isolation: all members on the loop.
final class RequestFields {
    private let fields: [(name: String, value: String)]
    /// libcurl's list; it must not change while requests use it.
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    /// Creates the list from the fields of a checked request.
    init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
        // A field without a value makes libcurl omit its own default.
        var lines = ["Expect:"]
        if !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        for (name, value) in fields {
            lines.append(value.allSatisfy { $0 == " " } ? "\(name);" : "\(name): \(value)")
        }
        for line in lines { list = curl_slist_append(list, line) ?? list }
    }

    deinit { curl_slist_free_all(list) }

    /// Whether these are the fields of another request as well.
    func fits(_ others: [(name: String, value: String)]) -> Bool {
        fields.elementsEqual(others) { $0.name == $1.name && $0.value == $1.value }
    }
}
