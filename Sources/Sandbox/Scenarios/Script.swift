/// The PSP's responses to the requests of an order's operations, request by request.
///
/// Each operation has its own list of steps. A request without a remaining step behaves normally.
public struct Script: Sendable, Equatable {
    /// The maximum number of steps over all operations.
    public static let limit = 10_000

    /// The steps in order, by the `rel` of the operation; `session` is reading the session by its
    /// URL.
    public var steps: [String: [Step]]

    /// Creates a script, by default an empty one.
    public init(_ steps: [String: [Step]] = [:]) {
        self.steps = steps
    }
}

/// The PSP's reaction to one request of an operation.
public struct Step: Sendable, Equatable {
    /// The requests that a step applies to.
    public enum Requests: Sendable, Equatable {
        /// This many requests.
        case times(Int)
        /// All remaining requests.
        case rest
    }

    /// The response to the request.
    public enum Response: Sendable, Equatable {
        /// As without a script.
        case normal
        /// The response or the connection is disturbed.
        case disturbed(Fault.Kind)
        /// The operation takes effect, and the attempt ends with a problem in the session.
        case problem(ScriptedProblem)
        /// The operation is refused with a problem document.
        case refusal(ScriptedProblem, retryAfterSeconds: Int? = nil)
        /// The response consists of these bytes.
        case literal(LiteralResponse)
    }

    /// The delay of the response, or of the failure.
    public var after: Duration
    /// The response to the request.
    public var response: Response
    /// Whether the operation takes effect before its refusal, fault or literal response.
    public var takesEffect: Bool
    /// When the operation takes effect after its refusal, fault or literal response; `nil` means
    /// never.
    public var lateEffect: LateEffect?
    /// The requests that the step applies to.
    public var requests: Requests

    /// Creates a step.
    public init(
        _ response: Response = .normal,
        after: Duration = .zero,
        takesEffect: Bool = false,
        lateEffect: LateEffect? = nil,
        requests: Requests = .times(1)
    ) {
        self.response = response
        self.after = after
        self.takesEffect = takesEffect
        self.lateEffect = lateEffect
        self.requests = requests
    }
}

/// A response as written in a scenario, with placeholders for the order's own addresses.
public struct LiteralResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The text of the body, with placeholders such as `{{base}}` or
    /// `{{href:get-payment/Swish#1}}`.
    public var body: String
    /// The media type; `nil` means JSON, or a problem document for statuses of 400 and above.
    public var contentType: String?
    /// The value of `Retry-After`.
    public var retryAfterSeconds: Int?

    /// Creates a response.
    public init(
        status: Int = 200,
        body: String = "",
        contentType: String? = nil,
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.body = body
        self.contentType = contentType
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// A script, and how far each operation has advanced in it.
struct ScriptPlan: Sendable {
    private let script: Script
    private var seen: [String: Int] = [:]

    init(_ script: Script) {
        self.script = script
    }

    /// Counts a request and returns its step; `nil` when none is left for it.
    mutating func nextStep(for rel: String) -> Step? {
        guard let steps = script.steps[rel] else { return nil }
        seen[rel, default: 0] += 1
        var number = seen[rel] ?? 1
        for step in steps {
            switch step.requests {
            case .rest: return step
            case .times(let count):
                if number <= count { return step }
                number -= count
            }
        }
        return nil
    }
}
