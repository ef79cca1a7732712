/// Reads the fields of a request body and collects everything that is wrong.
///
/// Each reading function returns a usable value even after an error, so that one response can list
/// all errors; ``finish()`` then rejects the body.
struct BodyReader {
    private let body: JSON
    private(set) var problems: [FieldProblem] = []

    init(_ body: JSON) {
        self.body = body
        if case .object = body {
        } else {
            problems.append(FieldProblem(name: "body", description: "must be a JSON object"))
        }
    }

    /// Records that a field is not accepted.
    mutating func refuse(_ path: String, _ description: String) {
        problems.append(FieldProblem(name: path, description: description))
    }

    /// Records a member that the sandbox does not know; an empty name is shown as quotes.
    mutating func refuseUnknown(_ name: String, in prefix: String) {
        refuse(prefix + (name.isEmpty ? "\"\"" : name), "is not known to the sandbox")
    }

    /// Throws the problem document if any field was wrong.
    func finish() throws(ProblemDetail) {
        guard problems.isEmpty else { throw .inputError(problems) }
    }

    /// Whether the member is present, null included.
    func has(_ path: String) -> Bool { body.value(at: path) != nil }

    /// The raw value; `nil` when absent or null.
    func value(_ path: String) -> JSON? {
        guard let value = body.value(at: path), value != .null else { return nil }
        return value
    }

    /// A required, non-empty string.
    mutating func string(_ path: String) -> String {
        guard let text = optionalString(path) else {
            if value(path) == nil { refuse(path, "is required") }
            return ""
        }
        if text.isEmpty { refuse(path, "must not be empty") }
        return text
    }

    /// A string; `nil` when absent or null.
    mutating func optionalString(_ path: String) -> String? {
        guard let value = value(path) else { return nil }
        guard case .string(let text) = value else {
            refuse(path, "must be a string")
            return nil
        }
        return text
    }

    /// A required whole number.
    mutating func integer(_ path: String) -> Int {
        guard let number = optionalInteger(path) else {
            if value(path) == nil { refuse(path, "is required") }
            return 0
        }
        return number
    }

    /// A whole number; `nil` when absent or null.
    mutating func optionalInteger(_ path: String) -> Int? {
        guard let value = value(path) else { return nil }
        guard case .integer(let number) = value else {
            refuse(path, "must be an integer")
            return nil
        }
        return number
    }

    /// A whole number that some clients send as a number and others as a string.
    ///
    /// - Note: Source: payment session API, `prepare-payment`: one SDK sends screen sizes and the
    ///   time zone as strings, the other as integers.
    mutating func lenientInteger(_ path: String) {
        guard let value = value(path) else { return refuse(path, "is required") }
        switch value {
        case .integer: break
        case .string(let text):
            if Int(text) == nil { refuse(path, "must be an integer or a string of digits") }
        case .null, .bool, .number, .array, .object:
            refuse(path, "must be an integer or a string of digits")
        }
    }

    /// A required Boolean.
    mutating func bool(_ path: String) -> Bool {
        guard let flag = optionalBool(path) else {
            if value(path) == nil { refuse(path, "is required") }
            return false
        }
        return flag
    }

    /// A Boolean; `nil` when absent or null.
    mutating func optionalBool(_ path: String) -> Bool? {
        guard let value = value(path) else { return nil }
        guard case .bool(let flag) = value else {
            refuse(path, "must be true or false")
            return nil
        }
        return flag
    }

    /// A list of strings; `nil` when absent or null.
    mutating func optionalStrings(_ path: String) -> [String]? {
        guard let value = value(path) else { return nil }
        guard case .array(let elements) = value else {
            refuse(path, "must be a list of strings")
            return nil
        }
        let texts = elements.compactMap(\.text)
        if texts.count != elements.count { refuse(path, "must be a list of strings") }
        return texts
    }

    /// The number of elements of a list, 0 when it is absent; rejects anything but a list.
    mutating func count(_ path: String) -> Int {
        guard let value = value(path) else { return 0 }
        guard case .array(let elements) = value else {
            refuse(path, "must be a list")
            return 0
        }
        return elements.count
    }
}
