internal import EventLog
internal import HTTPTypes
internal import Service

extension Page {
    /// The page instead of one that cannot be shown: it never looks like an empty one.
    init(showing problem: ServiceProblem, at path: String, in words: Words) {
        let isAltered = problem.code.hasPrefix("log.")
        let title = isAltered ? words.alteredTitle : words.title(of: problem)
        let session = BrowserInput.parts(of: path)?.dropFirst(2).first.flatMap { SessionID($0) }
        var content: HTML = "<div class=\"band bad\" role=\"alert\"><h1>\(title)</h1>"
        if isAltered {
            content += "<p>\(words.altered)</p>"
            if let session {
                content += "<p>\(words.alteredHint(session.description))</p>"
            }
        } else {
            content += "<p lang=\"en\">\(problem.sentence)</p><p>\(words.advice(on: problem))</p>"
        }
        content += """
            </div><p><a class="button" href="/console/payments">\(words.back)</a></p>
            <p class="faint">\(words.code(problem.code)) · <a href="/errors/\(problem.code)">\(words.errorPage)</a></p>
            """
        self.init(
            title: title,
            section: nil,
            status: HTTPResponse.Status(code: problem.status),
            content: content
        )
    }
}

extension ServiceProblem {
    /// What happened and what to do, as sentences.
    var sentence: String {
        ([detail] + [hint].compactMap(\.self)).map { text in
            text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
        }.joined(separator: " ")
    }
}
