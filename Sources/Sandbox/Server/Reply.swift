/// What the PSP answers, before it becomes bytes on a connection.
struct Reply: Sendable {
    /// The kinds of bodies the sandbox sends.
    enum Body: Sendable {
        case none
        case json(JSON)
        case problem(JSON)
        case html(String)
        case script(String)
        /// Text under a media type that need not be true.
        case raw(String, contentType: String)
        /// Streamed filler of at least this many bytes, in chunks.
        case filler(Int)
    }

    var status: Int
    var body: Body
    /// Where a redirect leads.
    var location: String?
    /// What a page may load and run.
    var contentSecurityPolicy: String?
    /// Whether pages of any origin may read it.
    var isShared = false
    /// When the client may come again.
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
