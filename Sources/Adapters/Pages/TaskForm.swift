public import Inspection
internal import SwedbankPay

/// A form that a page posts for the payer: a task of 3-D Secure.
///
/// Holds values that act for the payer; its description shows none of them.
///
/// - Note: Source: payment session API, form posts.
public struct TaskForm: Hashable, Sendable {
    /// A field of the form.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A field with that name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How many fields a form may have.
    public static let maximumFields = 64
    /// How many bytes all names and values may have together.
    public static let maximumBytes = 256 * 1024
    /// The encoding of a form when a task names none.
    public static let standardType = "application/x-www-form-urlencoded"

    /// Where it goes.
    let address: PageAddress
    /// `post` or `get`.
    let method: String
    /// The encoding, as HTML names it.
    let encoding: String
    /// The fields, in order.
    let fields: [Field]

    /// Checks a task's form.
    ///
    /// - Parameters:
    ///   - url: The task's address.
    ///   - method: The HTTP method; nothing means POST.
    ///   - contentType: The encoding; nothing means ``standardType``.
    ///   - fields: The fields, in the order in which they are sent.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken.
    /// - Throws: ``PageError`` naming the member that a browser could not send as it is.
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
        let type = (contentType ?? Self.standardType).prefix { $0 != ";" }.lowercased()
        let encoding = String(type.filter { $0 != " " })
        guard encoding == Self.standardType || encoding == "multipart/form-data" else {
            throw .malformed(
                member: "contentType",
                reason: "a form is sent as \(Self.standardType) or multipart/form-data"
            )
        }
        // A form sent with GET replaces the address's own query, which therefore becomes fields.
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
            throw .malformed(member: "fields", reason: "they hold more than \(maximumBytes) bytes")
        }
        for field in fields {
            // A browser leaves out fields without a name and replaces the value of this one.
            guard !field.name.isEmpty, field.name.lowercased() != "_charset_" else {
                throw .malformed(member: "fields", reason: "a name is one that no form can send")
            }
            guard Markup.canCarry(field.name), Markup.canCarry(field.value) else {
                throw .malformed(
                    member: "fields",
                    reason: "one holds a character that HTML cannot carry"
                )
            }
        }
    }

    /// The form as markup.
    ///
    /// - Parameters:
    ///   - target: The frame that shows the answer.
    ///   - content: What else stands in it.
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
    /// How many fields; never what they hold.
    public var description: String { "a form of \(fields.count) fields" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskForm {
    /// The form of an action, with the values that were disclosed for the client.
    ///
    /// - Throws: ``PageError/missing(member:)`` when the action is none of 3-D Secure, or hides what is needed.
    public init(
        _ action: ActionView,
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) {
        let members = DisclosedMembers(action)
        guard action.kind == "load3DSMethod" || action.kind == "show3DS" else {
            throw .malformed(member: "kind", reason: "only the actions of 3-D Secure have forms")
        }
        try self.init(
            url: try members.text("url"),
            method: try members.text("method"),
            contentType: try members.text("contentType"),
            fields: try members.fields("fields"),
            allowsInsecureLoopback: allowsInsecureLoopback
        )
    }
}
