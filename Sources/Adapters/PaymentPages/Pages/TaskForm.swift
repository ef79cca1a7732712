internal import EventLog
public import Inspection
internal import SwedbankPay

/// A form that a page posts for the payer: a task of 3-D Secure.
///
/// It holds values that give access to the payment; no description shows them.
///
/// - Note: Source: payment session API, form posts.
public struct TaskForm: Hashable, Sendable {
    /// A field of the form.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field with that name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The maximum number of fields.
    public static let maximumFields = 64
    /// The maximum size of all names and values together, in bytes.
    public static let maximumBytes = 256 * 1024
    /// The default encoding, when a task names none.
    public static let standardType = "application/x-www-form-urlencoded"

    /// The address to post to.
    let address: PageAddress
    /// `post` or `get`.
    let method: String
    /// The encoding, with its name in HTML.
    let encoding: String
    /// The fields, in order.
    let fields: [Field]

    /// Validates a task's form.
    ///
    /// - Parameters:
    ///   - url: The task's address.
    ///   - method: The HTTP method; `nil` means POST.
    ///   - contentType: The encoding; `nil` means ``standardType``.
    ///   - fields: The fields, in the order in which they are sent.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Throws: ``PageError``, which names the member that a browser could not send unchanged.
    public init(
        url: String?,
        method: String? = nil,
        contentType: String? = nil,
        fields: [Field],
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) {
        let address = try PageAddress(
            url,
            member: "url",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        let method = (method ?? "POST").lowercased()
        guard method == "post" || method == "get" else {
            throw .malformed(member: "method", reason: "a form is sent with GET or POST")
        }
        let type = (contentType ?? Self.standardType).pieces(between: ";").first ?? ""
        let encoding = type.rewriting(" ", as: "").lowercased()
        guard encoding == Self.standardType || encoding == "multipart/form-data" else {
            throw .malformed(
                member: "contentType",
                reason: "a form is sent as \(Self.standardType) or multipart/form-data"
            )
        }
        // A form sent with GET replaces the address's own query, so the query is converted to
        // fields.
        var all = fields
        if method == "get", let query = AddressParts(address.text)?.query {
            guard let own = try? FormFields(Array(query.utf8)) else {
                throw .malformed(member: "url", reason: "its query cannot be sent by a form")
            }
            all = own.fields.map { Field(name: $0.name, value: $0.value) } + fields
        }
        try Self.check(all)
        self.address = address
        self.method = method
        self.encoding = encoding
        self.fields = all
    }

    private static func check(_ fields: [Field]) throws(PageError) {
        guard fields.count <= maximumFields else {
            throw .tooMany(member: "fields", limit: maximumFields)
        }
        let bytes = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard bytes <= maximumBytes else {
            throw .malformed(member: "fields", reason: "they have more than \(maximumBytes) bytes")
        }
        for field in fields {
            // A browser omits fields without a name and replaces the value of `_charset_`.
            guard !field.name.isEmpty, field.name.lowercased() != "_charset_" else {
                throw .malformed(member: "fields", reason: "one has a name that a form cannot send")
            }
            guard Markup.canCarry(field.name), Markup.canCarry(field.value) else {
                throw .malformed(
                    member: "fields",
                    reason: "one contains a character that HTML cannot represent"
                )
            }
        }
    }

    /// Returns the form as markup.
    ///
    /// - Parameters:
    ///   - target: The frame that shows the response.
    ///   - content: Further content of the form.
    /// - Returns: The markup.
    func markup(target: String, content: String = "") -> String {
        let inputs = fields.map {
            "<input type=\"hidden\" name=\"\(Markup.escaped($0.name))\""
                + " value=\"\(Markup.escaped($0.value))\">\n"
        }.joined()
        return """
            <form id="page-task" method="\(method)" action="\(Markup.escaped(address.text))" \
            enctype="\(encoding)" accept-charset="utf-8" target="\(target)">
            \(inputs)\(content)</form>
            """
    }
}

extension TaskForm: CustomStringConvertible, CustomReflectable {
    /// The number of fields, never their values.
    public var description: String { "a form of \(fields.count) fields" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskForm {
    /// Creates a form from an action whose values were disclosed for the client.
    ///
    /// - Throws: ``PageError/missing(member:)`` or ``PageError/malformed(member:reason:)`` when the
    ///   action does not belong to 3-D Secure, or a required value is masked.
    public init(
        _ action: ActionView,
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) {
        let form: ActionView.Form
        switch action.content {
        case .load3DSMethod(let method, _): form = method
        case .show3DS(let challenge, _): form = challenge
        case .launchApp, .authorizeWallet, .showMenu, .checkIn:
            throw .malformed(member: "kind", reason: "only the actions of 3-D Secure have forms")
        }
        var fields: [Field] = []
        for field in form.fields {
            fields.append(Field(name: field.name, value: try field.value.clear("fields")))
        }
        try self.init(
            url: try form.url.clear("url"),
            method: form.method,
            contentType: form.contentType,
            fields: fields,
            allowsInsecureLoopback: allowsInsecureLoopback
        )
    }
}
