public import EventLog
public import Inspection
public import SwedbankPay

/// The PSP's configuration of a wallet, by name.
///
/// - Note: Source: payment session API, task `wallet-sdk`.
public struct WalletConfiguration: Sendable {
    /// A value.
    public enum Value: Hashable, Sendable {
        /// A text.
        case text(String)
        /// A list of texts.
        case texts([String])
        /// A Boolean.
        case bool(Bool)
    }

    private var values: [String: Value] = [:]
    private var names: Set<String> = []
    private var unreadable: Set<String> = []

    /// The maximum size of a text in bytes.
    public static let maximumTextBytes = 512
    /// The maximum number of elements of a list.
    public static let maximumElements = 64

    /// Creates a configuration with these values.
    public init(_ values: [String: Value]) { self.values = values }

    /// Creates the configuration of a task.
    ///
    /// - Parameters:
    ///   - task: The task, of which only the expected values are used.
    ///   - secrets: The available plaintexts.
    public init(_ task: IntegrationTask, secrets: SecretTable) {
        for expectation in task.expects {
            switch expectation.value {
            case .sealed(let sealed): add(expectation.name, secrets[sealed].map { .text($0) })
            case .string(let text): add(expectation.name, .text(text))
            case .strings(let texts): add(expectation.name, .texts(texts))
            case .bool(let truth): add(expectation.name, .bool(truth))
            case .integer(let number): add(expectation.name, .text(String(number)))
            case .null: add(expectation.name, nil)
            case .unknown: unreadable.insert(expectation.name)
            }
        }
    }

    /// Creates the configuration from a client action's request: a JSON object of the values by
    /// name.
    ///
    /// A value that is still masked counts as unavailable.
    public init(request: JSONValue) {
        guard case .object(let members) = request else { return }
        for member in members {
            switch member.value {
            case .string(let text):
                // The mask that is shown in place of a sealed value.
                add(member.name, text.hasPrefix("•••") ? nil : .text(text))
            case .bool(let truth): add(member.name, .bool(truth))
            case .integer(let number): add(member.name, .text(String(number)))
            case .array(let elements):
                let texts = elements.compactMap { element -> String? in
                    guard case .string(let text) = element else { return nil }
                    return text
                }
                if texts.count == elements.count {
                    add(member.name, .texts(texts))
                } else {
                    unreadable.insert(member.name)
                }
            case .null: add(member.name, nil)
            case .object: unreadable.insert(member.name)
            }
        }
    }

    /// Creates the configuration from an action whose values were disclosed for the client.
    ///
    /// - Throws: ``WalletError`` when the action is not `authorizeWallet`.
    public init(_ action: ActionView) throws(WalletError) {
        guard case .authorizeWallet(let wallet) = action.content else {
            throw .missing(member: "request")
        }
        self.init(request: wallet.request)
    }

    /// Adds a value; when a name occurs twice, its value is ambiguous and unreadable.
    private mutating func add(_ name: String, _ value: Value?) {
        if !names.insert(name).inserted { unreadable.insert(name) }
        values[name] = value
    }

    /// A required, non-empty text.
    func text(_ name: String) throws(WalletError) -> String {
        guard let text = try textIfAny(name), !text.isEmpty else { throw .missing(member: name) }
        return text
    }

    /// An optional text.
    func textIfAny(_ name: String) throws(WalletError) -> String? {
        switch try value(name) {
        case nil: return nil
        case .text(let text):
            guard text.utf8.count <= Self.maximumTextBytes, Markup.canCarry(text) else {
                throw .malformed(member: name, reason: "it is too long or cannot be shown")
            }
            return text
        case .texts, .bool: throw .malformed(member: name, reason: "it must be a string")
        }
    }

    /// A required, non-empty list.
    func texts(_ name: String) throws(WalletError) -> [String] {
        guard let texts = try textsIfAny(name), !texts.isEmpty else {
            throw .missing(member: name)
        }
        return texts
    }

    /// An optional list.
    func textsIfAny(_ name: String) throws(WalletError) -> [String]? {
        switch try value(name) {
        case nil: return nil
        case .texts(let texts):
            guard texts.count <= Self.maximumElements,
                texts.allSatisfy({ Self.isWord($0) })
            else {
                throw .malformed(
                    member: name,
                    reason: "it must be at most \(Self.maximumElements) short words"
                )
            }
            return texts
        case .text, .bool:
            throw .malformed(member: name, reason: "it must be a list of strings")
        }
    }

    /// A Boolean, also as the text `true` or `false`; `false` when absent, which is the wallet's
    /// own default.
    func bool(_ name: String) throws(WalletError) -> Bool {
        switch try value(name) {
        case nil: return false
        case .bool(let truth): return truth
        case .text(let text) where text.lowercased() == "true": return true
        case .text(let text) where text.lowercased() == "false": return false
        case .text, .texts: throw .malformed(member: name, reason: "it must be true or false")
        }
    }

    /// An amount as a decimal text, which stays unchanged.
    ///
    /// - Parameters:
    ///   - name: The name of the value.
    ///   - decimals: How many digits may follow the decimal point.
    /// - Returns: The amount.
    /// - Throws: ``WalletError`` when the amount is missing or invalid.
    func amount(_ name: String, decimals: ClosedRange<Int>) throws(WalletError) -> String {
        let text = try text(name)
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
        guard areDigits, let whole = parts.first, whole.count <= 15,
            whole.count == 1 || whole.first != UInt8(ascii: "0"),
            parts.count == 1 || parts.count == 2 && decimals.contains(parts[1].count)
        else {
            throw .malformed(
                member: name,
                reason: "it must be a decimal number such as 100.00, without a sign"
            )
        }
        return text
    }

    /// A code of this many capital letters.
    func code(_ name: String, letters: Int) throws(WalletError) -> String {
        let text = try text(name)
        guard Self.isCode(text, letters: letters) else {
            throw .malformed(member: name, reason: "it must be \(letters) capital letters")
        }
        return text
    }

    /// Whether a text is a code of this many capital letters.
    static func isCode(_ text: some StringProtocol, letters: Int) -> Bool {
        text.utf8.count == letters && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || "_- ".utf8.contains($0)
            }
    }

    private func value(_ name: String) throws(WalletError) -> Value? {
        guard !unreadable.contains(name) else {
            throw .malformed(member: name, reason: "it was given twice, or has an unknown type")
        }
        return values[name]
    }
}

extension WalletConfiguration: CustomStringConvertible, CustomReflectable {
    /// The number of values, never the values.
    public var description: String { "a wallet's configuration of \(values.count) values" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
