import Adapters
import Foundation
import Testing

/// The hidden request of the 3-D Secure method, in a real browser.
@Suite struct MethodPageTests {
    private func page(
        _ url: String,
        limit: Duration = .seconds(10),
        data: String = "eyJ+/=",
        reporting: PageReporting = PageReporting()
    ) throws -> Page {
        let form = try TaskForm(
            url: url,
            fields: [.init(name: "threeDSMethodData", value: data)],
            allowsInsecureLoopback: true
        )
        return try Page.threeDSMethod(
            form,
            limit: limit,
            retention: .milliseconds(100),
            reporting: reporting,
            allowsInsecureLoopback: true
        )
    }

    @Test func `the 3DS method is done when the issuer's page has loaded`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/method")
            try await browser.serve(page(browser.issuer + "/method"), at: "/call")
            try await browser.open(browser.site + "/call")
            try await browser.wait(toldBy: "done")
            let request = try #require(try await browser.requests(to: "/method").first)
            #expect(request.method == "POST")
            #expect(request.body == "threeDSMethodData=eyJ%2B%2F%3D")
            let size = "document.getElementById('page-frame').getBoundingClientRect().width"
            #expect(try await browser.evaluate(size) == .number(0))
        }
    }

    @Test func `the issuer's page may post to the notification URL in its 3DS method data`()
        async throws
    {
        try await withBrowser { browser in
            let other = browser.site + "/notified"
            let message = #"{"threeDSMethodNotificationURL":"\#(other)"}"#
            try await browser.serve("/notified")
            try await browser.serve(
                "/method",
                """
                <!doctype html><form method="post" action="\(other)"></form>
                <script>document.forms[0].submit();</script>
                """
            )
            let page = try page(
                browser.issuer + "/method",
                data: Data(message.utf8).base64EncodedString()
            )
            try await browser.serve(page, at: "/call")
            try await browser.open(browser.site + "/call")
            try await browser.wait(toldBy: "done")
            try await browser.wait(for: "!!document.body", in: "/notified")
            let posted = try await browser.requests(to: "/notified")
            #expect(posted.first?.method == "POST")
        }
    }

    @Test func `the 3DS method fails as unreachable when the connection to its server is reset`()
        async throws
    {
        try await withBrowser { browser in
            try await browser.serve("/method", behaviour: "reset")
            try await browser.serve("/", behaviour: "reset")
            try await browser.serve(page(browser.issuer + "/method"), at: "/call")
            try await browser.open(browser.site + "/call")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed unreachable")
        }
    }

    @Test func `a 3DS method page that never loads times out`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/method", behaviour: "hang")
            let page = try page(browser.issuer + "/method", limit: .milliseconds(500))
            try await browser.serve(page, at: "/call")
            try await browser.open(browser.site + "/call")
            try await browser.wait(toldBy: "timedOut")
        }
    }

    @Test func `the 3DS method page reports to its parent page and to the result URL`() async throws
    {
        try await withBrowser { browser in
            try await browser.serve("/method")
            try await browser.serve("/result")
            let reporting = PageReporting(
                parentOrigin: browser.site,
                resultURL: browser.site + "/result?action=a-3"
            )
            let call = try page(browser.issuer + "/method", reporting: reporting)
            try await browser.serve(call, at: "/call")
            try await browser.serve(
                "/shop",
                """
                <!doctype html><script>
                window.heard = [];
                window.addEventListener("message", (e) => heard.push(e.origin + " " + JSON.stringify(e.data)));
                </script><iframe src="/call"></iframe>
                """
            )
            try await browser.open(browser.site + "/shop")
            let heard = try await browser.wait(for: "window.heard.join()").text
            #expect(heard.hasPrefix(browser.site + " {"))
            for part in [
                #""source":"payment-page""#, #""page":"threeDSMethod""#, #""event":"done""#,
            ] {
                #expect(heard.contains(part))
            }
            try await browser.wait(for: "!!document.body", in: "/result?")
            let result = try #require(
                try await browser.navigations().first { $0.contains("/result?") }
            )
            let event = PageEvent(url: result, resultURL: reporting.resultURL ?? "")
            #expect(event == PageEvent(event: "done"))
        }
    }

    @Test func `the 3DS method page reports to a web view's message handler`() async throws {
        try await withBrowser { browser in
            try await browser.serve("/method")
            let page = try page(browser.issuer + "/method")
            // Defined where a web view defines its handler: before the page's own script.
            let handler =
                "<script>window.paymentPage = { postMessage: (text) => { window.told = text; } };"
                + "</script><script>"
            let html = page.html.replacing("<script>", with: handler)
                .replacing(#/<meta http-equiv="Content-Security-Policy"[^>]*>/#, with: "")
            try await browser.serve("/call", html)
            try await browser.open(browser.site + "/call")
            let told = try await browser.wait(for: "window.told").text
            #expect(told == #"{"source":"payment-page","page":"threeDSMethod","event":"done"}"#)
        }
    }
}
