/// A response of the PSP, before it becomes bytes on a connection.
struct Reply: Sendable {
    /// The kinds of bodies that the sandbox sends.
    enum Body: Sendable {
        case none
        case json(JSON)
        case problem(JSON)
        case html(String)
        case script(String)
        /// Text with a media type that need not be correct.
        case raw(String, contentType: String)
        /// Streamed filler of at least this many bytes, in chunks.
        case filler(Int)
    }

    var status: Int
    var body: Body
    /// The target of a redirect.
    var location: String?
    /// The Content-Security-Policy of a page.
    var contentSecurityPolicy: String?
    /// Whether pages of any origin may read it.
    var isShared = false
    /// When the client may retry.
    var retryAfterSeconds: Int?

    /// A JSON document with status 200.
    static func ok(_ document: JSON) -> Reply { Reply(status: 200, body: .json(document)) }

    /// Status 204.
    static let noContent = Reply(status: 204, body: .none)

    /// A page with status 200.
    static func page(_ html: String) -> Reply { Reply(status: 200, body: .html(html)) }

    /// A refusal.
    static func problem(_ problem: ProblemDetail) -> Reply {
        Reply(status: problem.status, body: .problem(problem.document))
    }
}
