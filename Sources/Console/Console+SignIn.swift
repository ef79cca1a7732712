internal import Adapters
internal import HTTPTypes
internal import Inspection
internal import Service

/// Who somebody is: by a token that they presented, or by what a trusted proxy says.
extension Console {
    /// The cookie of somebody who is signed in.
    ///
    /// A browser sends it to this origin only, never with a request that another site causes, and
    /// no script reads it.
    ///
    /// - Note: Source: RFC 6265bis, section 4.1.3.2 (`__Host-`).
    private static let sessionCookie = "__Host-console"

    static func cookie(of session: BrowserSession) -> HTTPField {
        cookie(sessionCookie, session.claim, seconds: BrowserSession.idle.components.seconds)
    }

    private static func cookie(_ name: String, _ value: String, seconds: Int64) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
        )
    }

    /// Who sends a request, with the session that says so, if it is one.
    ///
    /// Pages show nothing that only a client needs in order to act: the role of a driver counts for
    /// nothing here.
    func sender(
        of head: HTTPRequest,
        from source: String?
    ) async throws(ServiceProblem) -> (caller: Caller?, session: BrowserSession?) {
        // Whom the proxy names counts before a cookie that somebody else may have left.
        if var person = api.person(in: head, from: source) {
            person.roles.remove(.driver)
            return (person, nil)
        }
        var session: BrowserSession?
        if let claim = BrowserInput.cookie(Self.sessionCookie, in: head) {
            session = try await api.browserSession(claim)
        }
        guard var caller = session?.caller else { return (nil, nil) }
        caller.roles.remove(.driver)
        return (caller, session)
    }

    /// The response to what needs no name; `nil` for everything else.
    func respondToAnybody(
        _ head: HTTPRequest,
        _ parts: [String],
        _ form: [String: String],
        _ source: String?,
        _ words: Words
    ) async throws(ServiceProblem) -> ServiceResponse? {
        switch (head.method, parts.count == 1 ? parts[0] : "") {
        case (.get, "sign-in"):
            let next = BrowserInput.query(of: head.path ?? "/")["next"]
            return response(with: Self.signIn(next, nil, words), to: head, for: nil, words)
        case (.post, "sign-in"): return try await signIn(form, head, source, words)
        case (.post, "sign-out"):
            var response = ServiceResponse.redirect(to: "/console/sign-in")
            response.head.headerFields.append(Self.cookie(Self.sessionCookie, "", seconds: 0))
            return response
        case (.post, "language"):
            guard let language = form["language"].flatMap(Language.init) else { return nil }
            var response = ServiceResponse.redirect(to: Self.ownPath(form["next"]))
            let year: Int64 = 365 * 86_400
            response.head.headerFields.append(
                Self.cookie(Self.languageCookie, language.rawValue, seconds: year)
            )
            return response
        default: return nil
        }
    }

    private func signIn(
        _ form: [String: String],
        _ head: HTTPRequest,
        _ source: String?,
        _ words: Words
    ) async throws(ServiceProblem) -> ServiceResponse {
        let token = (form["token"] ?? "").filter { !$0.isWhitespace }
        guard let session = try await api.signIn(with: token, from: source) else {
            var page = Self.signIn(form["next"], words.tokenRefused, words)
            page.status = .forbidden
            return response(with: page, to: head, for: nil, words)
        }
        var response = ServiceResponse.redirect(to: Self.ownPath(form["next"]))
        response.head.headerFields.append(Self.cookie(of: session))
        return response
    }

    /// The response to somebody who is not known.
    ///
    /// A link on another site, as in a message, comes without the cookie: the page goes on by
    /// itself to the same address, which then comes from here.
    func comeIn(_ head: HTTPRequest, _ words: Words) -> ServiceResponse {
        let path = Self.ownPath(head.path)
        guard head.method == .get, BrowserInput.comesFromElsewhere(head) else {
            let wasKnown = BrowserInput.cookie(Self.sessionCookie, in: head) != nil
            let next = head.method == .get ? path : nil
            var page = Self.signIn(next, wasKnown ? words.sessionOver : nil, words)
            page.status = .unauthorized
            return response(with: page, to: head, for: nil, words)
        }
        let page = Page(
            title: words.oneMoment,
            content: """
                <h1>\(words.oneMoment)</h1>
                <p><a class="button" href="\(path)">\(words.goOn)</a></p>
                """
        )
        var response = response(with: page, to: head, for: nil, words)
        response.head.headerFields[FieldName.name("Refresh")] = "0; url=\(path)"
        return response
    }

    private static func signIn(_ next: String?, _ note: String?, _ words: Words) -> Page {
        Page(
            title: words.signIn,
            content: """
                <div class="narrow"><h1>\(words.signIn)</h1>
                \(note.map { "<p class=\"band caution\" role=\"alert\">\($0)</p>" as HTML })
                <form method="post" action="/console/sign-in">
                <input type="hidden" name="next" value="\(ownPath(next))">
                <label for="token">\(words.token)</label>
                <input id="token" name="token" type="password" required autocomplete="current-password" maxlength="200" aria-describedby="token-hint">
                <p id="token-hint" class="hint">\(words.tokenHint)</p>
                <button class="primary">\(words.signIn)</button></form></div>
                """
        )
    }

    /// The longest path that is gone back to.
    private static let pathLimit = 2000

    /// A path of the console, or its first page instead of anything else: nobody is led elsewhere.
    static func ownPath(_ path: String?) -> String {
        guard let path, path.utf8.count <= pathLimit, path.hasPrefix(Self.path + "/"),
            !path.hasPrefix(Self.path + "/sign-"),
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return Self.path + "/payments" }
        return path
    }
}
