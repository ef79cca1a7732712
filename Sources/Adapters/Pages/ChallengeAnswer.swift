internal import EventLog
internal import SwedbankPay

/// What the issuer's page handed over at the end of a challenge.
///
/// The response is a secret of the payment; no description shows it.
public enum ChallengeAnswer: Hashable, Sendable {
    /// The challenge response, to be handed in whatever it says.
    case completed(cRes: String)
    /// The issuer's page reports an error instead of a response; the code where it gave one.
    case failed(code: String?)

    /// The longest challenge response that is taken, in bytes.
    public static let maximumLength = 64 * 1024

    /// Reads what came to the notification address.
    ///
    /// The response is the field `cres`, in any letter case, of the posted form or of the address's query; posted
    /// twice it has to be the same. Without one, a field `erro`, `error` or `errorCode` is an error that the issuer
    /// reports.
    ///
    /// - Parameters:
    ///   - url: The address with its query, as it was asked for; a path with a query will do.
    ///   - contentType: The type of the posted form; nothing means a form.
    ///   - body: What was posted.
    /// - Throws: ``ChallengeAnswerError`` when there is no response or more than one.
    ///
    /// - Note: Source: payment session API, 3DS challenge result.
    public init(
        url: String? = nil,
        contentType: String? = nil,
        body: [UInt8] = []
    ) throws(ChallengeAnswerError) {
        var forms: [FormFields] = []
        if !body.isEmpty {
            let type = (contentType ?? TaskForm.standardType).prefix { $0 != ";" }
            guard type.filter({ $0 != " " }).lowercased() == TaskForm.standardType else {
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
    ) throws(ChallengeAnswerError)
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

    /// A short word that is fit for a log.
    private static func isCode(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 16
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F }
    }
}

extension ChallengeAnswer: CustomStringConvertible, CustomReflectable {
    /// What became of it; never the response.
    public var description: String {
        switch self {
        case .completed: "a challenge response"
        case .failed(let code): "an error of the issuer" + (code.map { ": \($0)" } ?? "")
        }
    }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why what came to the notification address is no answer to a challenge.
public enum ChallengeAnswerError: Error, Hashable, Sendable, CaseIterable {
    /// There is no field `cres`.
    case missing
    /// The field `cres` has no value.
    case empty
    /// There are two responses, and they differ.
    case contradiction
    /// It is longer than any response is.
    case tooLong
    /// It is no form, or the response holds what none has.
    case malformed
    /// It was posted as something else than a form.
    case unknownForm

    /// A code that stays what it is.
    public var code: String { "page.no-challenge-response" }
}

extension ChallengeAnswerError: CustomStringConvertible {
    /// What is wrong; what came is never quoted.
    public var description: String {
        switch self {
        case .missing: "nothing called 'cres' came to the notification address"
        case .empty: "the challenge response is empty"
        case .contradiction: "two different challenge responses came at once"
        case .tooLong:
            "the challenge response is longer than \(ChallengeAnswer.maximumLength) bytes"
        case .malformed: "what came to the notification address is no challenge response"
        case .unknownForm: "the challenge response has to come as a form"
        }
    }
}
