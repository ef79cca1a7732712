internal import CCurl

/// The header fields of requests in libcurl's form; requests with the same fields share it.
///
/// - Note: Isolation: on the loop, every member.
final class RequestFields {
    private let fields: [(name: String, value: String)]
    /// libcurl's list; it must not be changed while requests use it.
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    /// The fields of a request that was checked.
    init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
        // Without a value libcurl leaves out what it would add by itself.
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

    /// Whether a request has the same fields.
    func fits(_ others: [(name: String, value: String)]) -> Bool {
        fields.elementsEqual(others) { $0.name == $1.name && $0.value == $1.value }
    }
}
