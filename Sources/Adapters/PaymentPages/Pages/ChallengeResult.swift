internal import EventLog
internal import SwedbankPay

/// The result that the issuer's page posted at the end of a challenge.
///
/// The challenge response is a secret of the payment; no description shows it.
public enum ChallengeResult: Hashable, Sendable {
    /// The challenge response, to be submitted whatever its content.
    case completed(cRes: String)
    /// The issuer's page reported an error instead of a response, with its code if it has one.
    case failed(code: String?)

    /// The maximum length of a challenge response in bytes.
    public static let maximumLength = 64 * 1024

    /// Reads the request received at the notification address.
    ///
    /// The response is the field `cres`, in any letter case, of the posted form or of the address's
    /// query; if it occurs more than once, the values must be equal. Without it, a field `erro`,
    /// `error` or `errorCode` is an error that the issuer reports.
    ///
    /// - Parameters:
    ///   - url: The requested address with its query; a path with a query is enough.
    ///   - contentType: The type of the posted form; `nil` means a form.
    ///   - body: The posted body.
    /// - Throws: ``ChallengeResultError`` when there is no response, or two that differ.
    /// - Note: Source: payment session API, 3DS challenge result.
    public init(
        url: String? = nil,
        contentType: String? = nil,
        body: [UInt8] = []
    ) throws(ChallengeResultError) {
        var forms: [FormFields] = []
        if !body.isEmpty {
            let type = (contentType ?? TaskForm.standardType).pieces(between: ";").first ?? ""
            guard type.rewriting(" ", as: "").lowercased() == TaskForm.standardType else {
                throw .unknownForm
            }
            forms.append(try Self.form(body))
        }
        if let query = url?.utf8.drop(while: { $0 != UInt8(ascii: "?") }).dropFirst(),
            !query.isEmpty
        {
            forms.append(try Self.form(query.prefix { $0 != UInt8(ascii: "#") }))
        }
        let responses = forms.flatMap { $0.values(named: "cres") }.filter { !$0.isEmpty }
        if let response = responses.first {
            guard responses.allSatisfy({ $0 == response }) else { throw .contradiction }
            guard response.utf8.count <= Self.maximumLength else { throw .tooLong }
            guard response.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .malformed
            }
            self = .completed(cRes: response)
            return
        }
        for name in ["errorCode", "erro", "error"] {
            guard let given = forms.flatMap({ $0.values(named: name) }).first else { continue }
            self = .failed(code: Self.isCode(given) ? given : nil)
            return
        }
        throw forms.contains { $0.fields.contains { $0.name.lowercased() == "cres" } }
            ? .empty : .missing
    }

    private static func form(
        _ bytes: some Sequence<UInt8>
    ) throws(ChallengeResultError)
        -> FormFields
    {
        do {
            return try FormFields(Array(bytes))
        } catch {
            switch error {
            case .tooLong, .tooManyFields: throw .tooLong
            case .notText: throw .malformed
            }
        }
    }

    /// Whether a text is a short identifier that may be logged.
    private static func isCode(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 16
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F }
    }
}

extension ChallengeResult: CustomStringConvertible, CustomReflectable {
    /// The kind of result, never the response.
    public var description: String {
        switch self {
        case .completed: "a challenge response"
        case .failed(let code): "an error of the issuer" + (code.map { ": \($0)" } ?? "")
        }
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a request to the notification address is not a valid challenge result.
@nonexhaustive
public enum ChallengeResultError: Error, Hashable, Sendable, CaseIterable {
    /// There is no field `cres`.
    case missing
    /// The field `cres` has no value.
    case empty
    /// There are two responses, and they differ.
    case contradiction
    /// The response is longer than any valid response.
    case tooLong
    /// The body is not a form, or the response contains invalid characters.
    case malformed
    /// The content type is not that of a form.
    case unknownForm

    /// A stable code.
    public var code: String { "page.no-challenge-response" }
}

extension ChallengeResultError: CustomStringConvertible {
    /// The error, without quoting the request.
    public var description: String {
        switch self {
        case .missing: "the notification URL received no 'cres'"
        case .empty: "the challenge response is empty"
        case .contradiction: "the notification URL received two different challenge responses"
        case .tooLong:
            "the challenge response is longer than \(ChallengeResult.maximumLength) bytes"
        case .malformed: "the notification URL received something other than a challenge response"
        case .unknownForm: "the challenge response must be sent as a form"
        }
    }
}
