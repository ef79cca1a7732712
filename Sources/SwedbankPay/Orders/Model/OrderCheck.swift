internal import EventLog

/// The check of one document: the rules, and the problems found so far in the order of the fields.
struct OrderCheck {
    let rules: OrderRules
    private(set) var problems: [FieldProblem] = []

    init(_ rules: OrderRules) { self.rules = rules }

    var limits: OrderLimits { rules.limits }

    /// Whether the maximum number of problems was found, so that no more are reported.
    var isFull: Bool { problems.count >= limits.problems }

    /// Records a problem.
    mutating func refuse(_ path: String, _ advice: String) {
        if !isFull { problems.append(FieldProblem(path, advice)) }
    }

    /// Records a problem unless a condition holds.
    mutating func require(_ holds: Bool, _ path: String, _ advice: @autoclosure () -> String) {
        if !holds { refuse(path, advice()) }
    }

    /// Checks a text that must be present.
    mutating func text(_ text: String, at path: String, upTo limit: Int? = nil) {
        guard !text.isEmpty else { return refuse(path, "must not be empty") }
        let limit = limit ?? limits.text
        require(text.utf16.count <= limit, path, "must have at most \(limit) characters")
        require(
            !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" },
            path,
            "must not contain control characters"
        )
    }

    /// Checks a text that may be absent, but not empty.
    mutating func optionalText(_ text: String?, at path: String, upTo limit: Int? = nil) {
        if let text { self.text(text, at: path, upTo: limit) }
    }

    /// Checks a text of ASCII letters and digits.
    mutating func alphanumeric(_ text: String, at path: String, upTo limit: Int) {
        self.text(text, at: path, upTo: limit)
        require(
            text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit },
            path,
            "must consist of the letters A-Z and a-z and digits"
        )
    }

    /// Checks an e-mail address; only what can't be one is refused.
    mutating func email(_ text: String?, at path: String) {
        guard let text else { return }
        let parts = text.pieces(between: "@", omittingEmptySubsequences: false)
        let isAddress =
            parts.count == 2 && !parts.contains { $0.isEmpty }
            && !text.contains { $0.isWhitespace }
        require(isAddress, path, "must be an e-mail address")
        optionalText(text, at: path)
    }

    /// Checks a mobile number.
    mutating func msisdn(_ text: String?, at path: String) {
        guard let text else { return }
        require(
            MSISDN(text) != nil,
            path,
            "must be +, the country code and the number, 7 to 15 digits without spaces"
        )
    }

    /// Checks an ISO 3166-1 alpha-2 country code.
    mutating func country(_ text: String?, at path: String) {
        guard let text else { return }
        let isCode = text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        require(isCode, path, "must be two capital letters, a country of ISO 3166-1")
    }

    /// Checks a list of countries.
    mutating func countries(_ codes: [String]?, at path: String) {
        for (index, code) in list(codes ?? [], at: path) { country(code, at: "\(path)[\(index)]") }
    }

    /// Checks a list of method names.
    mutating func instruments(_ names: [PaymentMethodName]?, at path: String) {
        for (index, name) in list(names ?? [], at: path) {
            text(name.rawValue, at: "\(path)[\(index)]")
        }
    }

    /// The elements of a list with their indices, after checking the list's length.
    mutating func list<Element>(
        _ elements: [Element],
        at path: String,
        upTo limit: Int? = nil
    ) -> [(Int, Element)] {
        let limit = limit ?? limits.elements
        require(elements.count <= limit, path, "must have at most \(limit) elements")
        return Array(elements.prefix(limit).enumerated().map { ($0.offset, $0.element) })
    }

    /// Checks a web address; an absent one is valid.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - path: The path of its field.
    ///   - allowsAppScheme: Whether an app's own scheme is valid, too.
    mutating func url(_ text: String?, at path: String, allowsAppScheme: Bool = false) {
        guard let text else { return }
        guard !text.isEmpty else { return refuse(path, "must not be empty") }
        guard text.utf8.count <= limits.urlBytes else {
            return refuse(path, "must have at most \(limits.urlBytes) bytes")
        }
        guard let parts = AddressParts(text) else {
            return refuse(path, "must be an absolute URL, percent-encoded where necessary")
        }
        if allowsAppScheme, CallbackScheme(parts.scheme) != nil {
            return require(
                parts.userinfo == nil && (parts.host?.isEmpty == false || parts.path.count > 1),
                path,
                "must have a host or path after the app's scheme, and no user name"
            )
        }
        guard parts.scheme == "https" || parts.scheme == "http" else {
            return refuse(path, "must be an https URL")
        }
        guard let host = parts.host, APIAddress.isPlainHost(host), parts.userinfo == nil else {
            return refuse(path, "must have a plain host, and no user name")
        }
        guard parts.scheme == "http" else { return }
        guard APIAddress.isLoopback(host) else { return refuse(path, "must be an https URL") }
        require(
            rules.allowsInsecureLoopback,
            path,
            "must be an https URL; http to this machine needs the permission for insecure loopback"
        )
    }
}
