import Adapters
import Testing

/// The page of a challenge in a real browser.
@Suite struct ChallengePageTests {
    static let values = [
        "eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ+/==", "a&b=c;d", "å€😀\"<>'", "100% + 1", "", "a%2Bb",
    ]

    /// The body that the standard requires for these fields.
    static let body =
        "creq=eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ%2B%2F%3D%3D&submit=a%26b%3Dc%3Bd"
        + "&na%26me=%C3%A5%E2%82%AC%F0%9F%98%80%22%3C%3E%27&action=100%25+%2B+1&id=&x=a%252Bb"

    private func fields() -> [TaskForm.Field] {
        // Names that would shadow a form's own members are sent like all others.
        zip(["creq", "submit", "na&me", "action", "id", "x"], Self.values)
            .map { .init(name: $0, value: $1) }
    }

    private func form(_ url: String, fields: [TaskForm.Field]? = nil) throws -> TaskForm {
        try TaskForm(url: url, fields: fields ?? self.fields(), allowsInsecureLoopback: true)
    }

    @Test func `F-15: the issuer receives the challenge's form byte for byte`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs")
            let form = try form(browser.issuer + "/acs?transaction=1&x=2")
            try await browser.serve(Page.challenge(form), at: "/challenge")
            try await browser.open(browser.site + "/challenge")
            try await browser.wait(for: "location.pathname === '/acs'")
            let request = try #require(try await browser.requests(to: "/acs").first)
            #expect(request.method == "POST")
            #expect(request.path == "/acs?transaction=1&x=2")
            #expect(request.contentType == "application/x-www-form-urlencoded")
            #expect(request.body == Self.body)
            #expect(request.origin == browser.site)
            #expect(request.referer == browser.site + "/")
        }
    }

    @Test func `without scripts the payer continues with a button`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs")
            let form = try form(browser.issuer + "/acs")
            try await browser.serve(Page.challenge(form), at: "/challenge")
            try await browser.open(browser.site + "/challenge", scripts: false)
            try await browser.wait(for: "document.getElementById('page-continue').offsetWidth > 0")
            #expect(try await browser.requests(to: "/acs").isEmpty)
            try await browser.click("#page-continue")
            try await browser.wait(for: "location.pathname === '/acs'")
            #expect(try await browser.requests(to: "/acs").first?.body == Self.body)
        }
    }

    @Test func `a challenge page in a frame opens the issuer's page outside the frame`()
        async throws
    {
        try await withBrowser { browser in
            try await browser.serve("/acs")
            let page = try Page.challenge(form(browser.issuer + "/acs"))
            try await browser.serve(page, at: "/challenge")
            try await browser.serve("/shop", "<!doctype html><iframe src='/challenge'></iframe>")
            try await browser.open(browser.site + "/shop")
            try await browser.wait(for: "location.pathname === '/acs'")
        }
    }

    @Test func `a challenge in a frame reports that it is shown`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs", "<!doctype html><p id='here'>bank</p>")
            let page = try Page.challenge(
                form(browser.issuer + "/acs"),
                place: .frame(limit: .seconds(10)),
                allowsInsecureLoopback: true
            )
            try await browser.serve(page, at: "/challenge")
            try await browser.open(browser.site + "/challenge")
            try await browser.wait(toldBy: "shown")
            try await browser.wait(for: "!!document.getElementById('here')", in: "/acs")
            #expect(try await browser.requests(to: "/acs").first?.body == Self.body)
        }
    }

    @Test func `a payer can retry a challenge that did not load`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs", behaviour: "reset")
            try await browser.serve("/", behaviour: "reset")
            let page = try Page.challenge(
                form(browser.issuer + "/acs"),
                place: .frame(limit: .seconds(10)),
                allowsInsecureLoopback: true
            )
            try await browser.serve(page, at: "/challenge")
            try await browser.open(browser.site + "/challenge")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed unreachable")
            try await browser.serve("/acs")
            try await browser.serve("/")
            try await browser.click("#page-retry")
            try await browser.wait(toldBy: "shown")
            let posts = try await browser.requests(to: "/acs").filter { $0.method == "POST" }
            #expect(posts.count >= 2 && posts.allSatisfy { $0.body == Self.body })
        }
    }

    @Test func `a challenge that never loads fails with timeout`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs", behaviour: "hang")
            let page = try Page.challenge(
                form(browser.issuer + "/acs"),
                place: .frame(limit: .milliseconds(600)),
                allowsInsecureLoopback: true
            )
            try await browser.serve(page, at: "/challenge")
            try await browser.open(browser.site + "/challenge")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed timeout")
        }
    }

    @Test func `a challenge redirected to an untrusted server is blocked`() async throws {
        try await withBrowser { browser in
            let elsewhere = browser.site.replacing("127.0.0.1", with: "odd.localhost") + "/odd"
            try await browser.serve("/odd")
            try await browser.serve("/acs", status: 307, headers: [("Location", elsewhere)])
            let form = try form(browser.issuer + "/acs")
            try await browser.serve(Page.challenge(form), at: "/challenge")
            try await browser.open(browser.site + "/challenge")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed blocked")
            #expect(try await browser.requests(to: "/odd").isEmpty)
        }
    }
}
