/// One row of the PSP's problem catalogue.
struct ProblemRow: Sendable, Equatable {
    /// The part of the type after ``ProblemDetail/typePrefix``.
    let slug: String
    /// The documented HTTP status; `nil` when there is none.
    let status: Int?

    /// The default status, when neither the catalogue nor the scenario names one.
    static let usualStatus = 403

    /// The rows of a slug; two of the slugs have more than one status.
    static func rows(of slug: String) -> [ProblemRow] {
        catalogue.filter { $0.slug == slug }
    }

    /// Parses lines with a status, or a dash, and a slug.
    static func read(_ lines: String) -> [ProblemRow] {
        lines.pieces(between: "\n").compactMap { line in
            let words = line.pieces(between: " ")
            guard words.count == 2 else { return nil }
            return ProblemRow(slug: String(words[1]), status: Int(words[0]))
        }
    }
}

/// A problem requested by a scenario.
///
/// - Note: Source: problem catalogue of the PSP.
public struct ScriptedProblem: Sendable, Equatable {
    /// The type without its usual prefix, such as `creditcard/carddeclined`; or a whole URI for a
    /// type that the catalogue does not have.
    public var slug: String
    /// The HTTP status; `nil` means that of the catalogue.
    public var status: Int?
    /// A short text for people; `nil` means the sandbox's own.
    public var title: String?
    /// A longer text for people; `nil` means the sandbox's own.
    public var detail: String?

    /// Creates a problem.
    public init(
        _ slug: String,
        status: Int? = nil,
        title: String? = nil,
        detail: String? = nil
    ) {
        self.slug = slug
        self.status = status
        self.title = title
        self.detail = detail
    }

    /// Whether the catalogue has the type, or it is a URI of its own.
    var isKnown: Bool { slug.utf8.contains("://".utf8) || !ProblemRow.rows(of: slug).isEmpty }

    /// The problem in the PSP's form.
    var problem: ProblemDetail {
        ProblemDetail(
            slug: slug,
            status: status ?? ProblemRow.rows(of: slug).first?.status ?? ProblemRow.usualStatus,
            title: title ?? String(slug.pieces(between: "/").last ?? ""),
            detail: detail ?? "The scenario asked for this problem."
        )
    }
}
