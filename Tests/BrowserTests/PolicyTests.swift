import Adapters
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The pages' content security policies in a real browser.
@Suite(.threat("T-41")) struct PolicyTests {
    private func page(_ browser: Browser) throws -> Page {
        let form = try TaskForm(
            url: browser.issuer + "/acs",
            fields: [.init(name: "creq", value: "x")],
            allowsInsecureLoopback: true
        )
        return try Page.challenge(
            form,
            place: .frame(limit: .seconds(20)),
            allowsInsecureLoopback: true
        )
    }

    /// What an attacker would want to add to a page.
    private static let planted = """
        <script>window.stolen = "inline";</script>
        <img src="x" onerror="window.stolen = 'handler'">
        <script src="ORIGIN/evil.js"></script>
        <iframe src="ORIGIN/evil"></iframe>
        <form id="evil-form" action="ORIGIN/evil"></form>
        <base href="ORIGIN/">
        <style>body { color: red }</style>

        """

    @Test(.tags(.repeatedThoroughly), arguments: Tier.isThorough ? [true, false] : [true])
    func `planted scripts, forms, frames and styles have no effect in a page`(
        byHeader: Bool
    ) async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs")
            try await browser.serve("/evil")
            try await browser.serve(
                "/evil.js",
                "window.stolen = 'file';",
                headers: [("Content-Type", "text/javascript")]
            )
            let page = try page(browser)
            let evil = browser.site.replacing("127.0.0.1", with: "evil.localhost")
            var html = page.html.replacing(
                "</main>",
                with: Self.planted.replacing("ORIGIN", with: evil) + "</main>"
            )
            // Each of the two policies has to suffice alone.
            var headers = page.headers.map { ($0.name.rawName, $0.value) }
            if byHeader {
                html = html.replacing(
                    #/<meta http-equiv="Content-Security-Policy"[^>]*>/#,
                    with: ""
                )
            } else {
                headers.removeAll { $0.0 == "Content-Security-Policy" }
            }
            try await browser.serve("/challenge", html, headers: headers)
            try await browser.open(browser.site + "/challenge")
            try await browser.wait(for: "document.readyState === 'complete'")
            #expect(try await browser.evaluate("typeof window.stolen") == .text("undefined"))
            #expect(try await browser.evaluate("document.baseURI").text.hasPrefix(browser.site))
            let color = "getComputedStyle(document.body).color"
            #expect(try await browser.evaluate(color) == .text("rgb(0, 0, 0)"))
            _ = try await browser.evaluate("document.getElementById('evil-form').submit()")
            try await browser.wait(for: "document.documentElement.dataset.blocked")
            let eval = "try { eval('1') } catch (error) { error.name }"
            #expect(try await browser.evaluate(eval) == .text("EvalError"))
            let asked = try await browser.requests().map(\.path)
            #expect(asked.filter { $0.hasPrefix("/evil") } == [])
        }
    }

    @Test(.threat("T-42"))
    func `a page of another site cannot frame a payment page`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs")
            let page = try page(browser)
            try await browser.serve(page, at: "/challenge")
            let frame = "<!doctype html><iframe src='\(browser.site)/challenge'></iframe>"
            try await browser.serve("/shop", frame)
            let evil = browser.site.replacing("127.0.0.1", with: "evil.localhost")
            try await browser.open(evil + "/shop")
            try await browser.wait(for: "document.readyState === 'complete'")
            #expect(try await browser.requests(to: "/acs").isEmpty)
            try await browser.open(browser.site + "/shop")
            try await browser.wait(for: "!!document.body", in: "/acs")
        }
    }

    @Test func `hostile values and texts are shown as text and do not run`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/acs")
            let hostile = "\"><img src=x onerror=\"window.stolen=1\"></script><script>stolen=1"
            let form = try TaskForm(
                url: browser.issuer + "/acs?x=%22%3E",
                fields: [.init(name: hostile, value: hostile)],
                allowsInsecureLoopback: true
            )
            let words = PageWords(title: hostile, progress: hostile, goOn: hostile)
            let page = try Page.challenge(form, words: words)
            try await browser.serve(page, at: "/challenge")
            try await browser.open(browser.site + "/challenge", scripts: false)
            try await browser.wait(for: "document.readyState === 'complete'")
            let field = "document.querySelector('input').value"
            #expect(try await browser.evaluate(field) == .text(hostile))
            #expect(
                try await browser.evaluate("document.querySelectorAll('img').length") == .number(0)
            )
            #expect(try await browser.evaluate("document.title") == .text(hostile))
            let button = "document.getElementById('page-continue').textContent"
            #expect(try await browser.evaluate(button) == .text(hostile))
        }
    }
}
