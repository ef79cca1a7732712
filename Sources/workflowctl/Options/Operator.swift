internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The operator and the reason, for the record of operators' actions.
struct Operator: Hashable, Sendable {
    /// The operator: as given, or else the user and the machine.
    var name: String
    /// The reason.
    var reason: String?
    /// Whether the operator was named.
    var isNamed: Bool

    /// The maximum length of a name and of a reason, in bytes.
    static let (nameLimit, reasonLimit) = (200, 500)
    /// The number of digits from which on a number may be that of a person or card.
    static let digitsLimit = 9

    /// Returns whether a text can be recorded as somebody's name.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLimit && isFit(text)
    }

    /// Returns whether a text can be recorded in the clear as the evidence of a finding.
    ///
    /// Unlike a reason it may have the PSP's numbers and links, but nothing that a redacted export
    /// would mask: a card, telephone or personal number, an e-mail address, a token, or the secret
    /// part of a link.
    static func isEvidence(_ text: String) -> Bool {
        text.contains { !$0.isWhitespace } && text.utf8.count <= reasonLimit
            && Screen.safe(text) == text
            && !SecretFinder.findsAnything(in: text, style: .text, sparing: [])
    }

    /// Reads the name from `--by`, else from the environment, else from the system, and the reason
    /// from `--reason`.
    ///
    /// - Throws: A usage failure when one of them is too long or may contain a secret, because both
    ///   are recorded in the clear.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) -> Operator {
        let given = options.by ?? environment["WORKFLOWCTL_OPERATOR"].nonEmpty
        if let given {
            guard isName(given) else {
                throw .usage(
                    "operator",
                    "invalid operator name",
                    hint: "use a name or account on one line, with at most \(nameLimit) bytes"
                )
            }
        }
        if let reason = options.reason {
            guard reason.contains(where: { !$0.isWhitespace }), reason.utf8.count <= reasonLimit,
                isFit(reason)
            else {
                throw .usage(
                    "reason",
                    "the reason cannot be recorded",
                    hint:
                        "write one line of at most \(reasonLimit) bytes without URLs, tokens or "
                        + "numbers of \(digitsLimit) digits or more, because a reason is not "
                        + "sealed"
                )
            }
        }
        return Operator(
            name: given ?? systemName(),
            reason: options.reason,
            isNamed: given != nil
        )
    }

    /// Returns the record of an action.
    func acted(_ action: String) -> OperatorActed {
        OperatorActed(by: name, action: action, reason: reason)
    }

    /// Returns the failure for a missing reason.
    func requireReason() throws(Failure) {
        guard reason == nil else { return }
        throw .usage(
            "reason",
            "--reason is required",
            hint: "explain why with --reason TEXT; the reason is recorded in the session's log"
        )
    }

    /// Returns whether a text may be logged in the clear: one line without anything that resembles
    /// an address, a person's or card's number, or a token.
    private static func isFit(_ text: String) -> Bool {
        guard !text.contains("://"), Screen.safe(text) == text else { return false }
        var (digits, run, hasDigit) = (0, 0, false)
        for character in text.unicodeScalars {
            if character.properties.numericType != nil {
                digits += 1
                if digits >= digitsLimit { return false }
            } else if !" -.()/".unicodeScalars.contains(character) {
                digits = 0
            }
            let isToken =
                character.isASCII
                && (Character(character).isLetter || Character(character).isNumber)
            run = isToken || "_+=".unicodeScalars.contains(character) ? run + 1 : 0
            hasDigit = run > 0 && (hasDigit || Character(character).isNumber)
            if run >= 20, hasDigit { return false }
        }
        return true
    }

    private static func systemName() -> String {
        let user = getpwuid(geteuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
        return Screen.safe("\(user ?? "uid-\(geteuid())")@\(host)".prefix(nameLimit))
    }

    /// The name of this machine.
    private static var host: String {
        var host = [CChar](repeating: 0, count: 256)
        let hasHost = gethostname(&host, host.count - 1) == 0
        let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return hasHost ? String(decoding: bytes, as: UTF8.self) : "unknown"
    }

    /// The identity of this process among the nodes of a store.
    static var nodeName: String { Screen.safe("\(host)/\(getpid())".prefix(nameLimit)) }
}
