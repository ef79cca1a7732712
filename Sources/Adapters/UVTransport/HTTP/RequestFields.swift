internal import CCurl
internal import HTTPTypes

/// The header fields of requests in libcurl's form, shared by requests with the same fields.
///
/// - Note: Isolation: all members on the loop.
final class RequestFields {
    private let fields: HTTPFields
    /// libcurl's list; it must not change while requests use it.
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    /// Creates the list from the fields of a checked request.
    init(_ fields: HTTPFields = [:]) {
        self.fields = fields
        // A field without a value makes libcurl omit its own default.
        var lines = ["Expect:"]
        if !fields.contains(.contentType) { lines.append("Content-Type:") }
        for field in fields {
            let (name, value) = (field.name.rawName, field.value)
            lines.append(value.allSatisfy { $0 == " " } ? "\(name);" : "\(name): \(value)")
        }
        for line in lines { list = curl_slist_append(list, line) ?? list }
    }

    deinit { curl_slist_free_all(list) }

    /// Whether these are the fields of another request as well.
    func fits(_ others: HTTPFields) -> Bool { fields == others }
}
