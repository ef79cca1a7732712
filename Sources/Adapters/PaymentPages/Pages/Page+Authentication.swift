internal import Inspection

extension Page {
    /// The page that performs the 3-D Secure method: it posts the form into a hidden frame and
    /// reports the result.
    ///
    /// Events: `done` when the issuer's page has loaded; `failed` with `unreachable`, `offline` or
    /// `blocked`; `timedOut` after the limit, which the engine also applies by itself. The frame
    /// stays so that the issuer's page can finish; the page waits for `retention` before it
    /// continues to ``PageReporting/resultURL``.
    ///
    /// A browser does not reveal to a page whether a frame shows an error page. Therefore the page
    /// checks once whether the issuer's server can be reached; an HTTP error goes unnoticed, and a
    /// server that forbids requests from pages of other origins (`Cross-Origin-Resource-Policy`)
    /// counts as unreachable.
    ///
    /// - Parameters:
    ///   - form: The task's form.
    ///   - limit: The time limit for the method.
    ///   - retention: How long this page stays after the issuer's page has loaded.
    ///   - trustedOrigins: Origins to which the issuer's page may navigate the frame, in addition
    ///     to its own.
    ///   - reporting: How the host is notified.
    ///   - words: The texts of the page.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Returns: The page.
    /// - Throws: ``PageError``, which names the invalid member.
    /// - Note: Source: payment session API, 3DS method result; time-outs.
    public static func threeDSMethod(
        _ form: TaskForm,
        limit: Duration = .seconds(10),
        retention: Duration = .seconds(2),
        trustedOrigins: [String] = [],
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords(),
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) -> Page {
        let words = try words.checked()
        let reporting = try reporting.checked(allowsInsecureLoopback: allowsInsecureLoopback)
        let trusted = try trusted(trustedOrigins, allowsInsecureLoopback: allowsInsecureLoopback)
        let origin = form.address.origin
        // When finished, the issuer's page posts to the 3-D Secure server in the same frame.
        let notification = form.methodNotificationURL.flatMap {
            try? PageAddress($0, member: "", allowsInsecureLoopback: allowsInsecureLoopback).origin
        }
        let frames = [origin] + (notification.map { [$0] } ?? []) + trusted
        var data = PageData(page: "threeDSMethod", reporting: reporting)
        data.set("origin", origin)
        data.set("limit", limit)
        data.set("retention", retention)
        return Page(
            language: words.language,
            title: words.title,
            body: """
                <main>
                <p>\(Markup.escaped(words.progress))</p>
                <iframe id="page-frame" name="page-frame" class="hidden-frame" title="-" \
                aria-hidden="true" tabindex="-1"></iframe>
                \(form.markup(target: "page-frame"))
                </main>
                """,
            script: .method,
            data: data,
            policy: ContentSecurityPolicy(
                script: .method,
                frames: frames,
                forms: frames,
                connections: [origin],
                ancestors: reporting.ancestors
            )
        )
    }

    /// The frame in which the challenge is shown.
    public enum ChallengePlace: Hashable, Sendable {
        /// It replaces the page, in the topmost frame.
        case top
        /// It replaces the page, in the frame that shows the page.
        case here
        /// In a frame that fills the page; the page watches it load and offers to try again.
        case frame(limit: Duration)
    }

    /// The page that shows the challenge: it posts the form automatically, or by a button where
    /// scripts do not run.
    ///
    /// In a frame, the events are `shown`, and `failed` with `unreachable`, `timeout`, `offline` or
    /// `blocked`; the payer may then try again, which posts the form anew. Otherwise the page is
    /// replaced once the form is posted: a web view learns of a failure from its own loading
    /// events.
    ///
    /// - Parameters:
    ///   - form: The task's form.
    ///   - place: The frame in which the challenge is shown.
    ///   - notificationURL: Where the issuer's page posts the result; needed only for a frame.
    ///   - trustedOrigins: Origins to which the form or the frame may be redirected, in addition to
    ///     the issuer's.
    ///   - reporting: How the host is notified.
    ///   - words: The texts of the page.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Returns: The page.
    /// - Throws: ``PageError``, which names the invalid member.
    /// - Note: Source: payment session API, 3DS challenge result.
    public static func challenge(
        _ form: TaskForm,
        place: ChallengePlace = .top,
        notificationURL: String? = nil,
        trustedOrigins: [String] = [],
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords(),
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) -> Page {
        let words = try words.checked()
        let reporting = try reporting.checked(allowsInsecureLoopback: allowsInsecureLoopback)
        var allowed = [form.address.origin]
        allowed += try trusted(trustedOrigins, allowsInsecureLoopback: allowsInsecureLoopback)
        let button =
            "<p><button id=\"page-continue\" type=\"submit\">\(Markup.escaped(words.goOn))</button></p>\n"
        var data = PageData(page: "challenge", reporting: reporting)
        guard case .frame(let limit) = place else {
            let target = place == .top ? "_top" : "_self"
            return Page(
                language: words.language,
                title: words.title,
                body: """
                    <main>
                    <p>\(Markup.escaped(words.progress))</p>
                    \(form.markup(target: target, content: button))
                    </main>
                    """,
                script: .challenge,
                data: data,
                policy: ContentSecurityPolicy(
                    script: .challenge,
                    forms: allowed,
                    ancestors: reporting.ancestors
                )
            )
        }
        if notificationURL != nil {
            allowed.append(
                try PageAddress(
                    notificationURL,
                    member: "notificationURL",
                    allowsInsecureLoopback: allowsInsecureLoopback
                ).origin
            )
        }
        data.set("origin", form.address.origin)
        data.set("limit", limit)
        return Page(
            language: words.language,
            title: words.title,
            body: """
                <main class="whole">
                \(trouble(words))
                <iframe id="page-frame" name="page-frame" title="\(Markup.escaped(words.title))"></iframe>
                \(form.markup(target: "page-frame", content: "<noscript>\(button)</noscript>"))
                </main>
                """,
            script: .framedChallenge,
            data: data,
            policy: ContentSecurityPolicy(
                script: .framedChallenge,
                frames: allowed,
                forms: allowed,
                connections: [form.address.origin],
                ancestors: reporting.ancestors
            )
        )
    }

    /// The message for the payer when something did not load.
    static func trouble(_ words: PageWords) -> String {
        """
        <div id="page-trouble" role="alert" hidden>
        <p>\(Markup.escaped(words.trouble))</p>
        <p><button id="page-retry" type="button">\(Markup.escaped(words.again))</button></p>
        </div>
        """
    }

    /// The maximum number of origins that a host may trust in addition to those of the payment.
    static let maximumOrigins = 32

    /// Validates the origins that a host trusts.
    static func trusted(
        _ origins: [String],
        allowsInsecureLoopback: Bool
    ) throws(PageError) -> [String] {
        guard origins.count <= maximumOrigins else {
            throw .tooMany(member: "trustedOrigins", limit: maximumOrigins)
        }
        for origin in origins {
            guard
                PageAddress.isOrigin(origin, allowsInsecureLoopback: allowsInsecureLoopback)
            else {
                throw .malformed(
                    member: "trustedOrigins",
                    reason: "each must be an origin such as https://acs.example"
                )
            }
        }
        return origins
    }
}
