import Adapters
import Foundation
import FoundationNetworking
import Sandbox
import SwedbankPay
import TestSupport
import Testing

/// The page with the PSP's check-in in a real browser.
@Suite struct CheckInPageTests {
    /// Returns a script that does something when the check-in is opened.
    private static func script(opening act: String) -> String {
        """
        window.payex = { hostedView: { consumer: (settings) => ({ open: () => {
          const place = document.getElementById(settings.container);
          \(act)
        } }) } };
        """
    }

    private static let javascript = [("Content-Type", "text/javascript")]

    /// Shows the page with a script from the other origin.
    private func show(
        _ browser: Browser,
        script: String,
        limit: Duration = .seconds(2),
        reporting: PageReporting = PageReporting()
    ) async throws {
        let page = try Page.checkIn(
            CheckIn(script: script, baseURL: browser.site + "/"),
            limit: limit,
            reporting: reporting,
            allowsInsecureLoopback: true
        )
        try await browser.serve(page, at: "/")
        try await browser.open(browser.site + "/")
    }

    /// Returns the script of a check-in that was started at a sandbox.
    private func consumerScript(_ sandbox: SandboxServer) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: sandbox.baseURL + "/psp/consumers")))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(
            """
            {"operation":"initiate-consumer-session","language":"sv-SE",\
            "shippingAddressRestrictedToCountryCodes":["SE"]}
            """.utf8
        )
        let (data, _) = try await URLSession.shared.data(for: request)
        let response = try JSONDecoder().decode(Answer.self, from: data)
        let view = response["operations"]?.list.first {
            $0["rel"]?.text == "view-consumer-identification"
        }
        return view?["href"]?.text ?? ""
    }

    @Test func `a check-in at the sandbox posts the payer's profile to the merchant as a form`()
        async throws
    {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            try await browser.serve("/identified")
            var reporting = PageReporting(messageHandler: nil)
            reporting.resultURL = browser.site + "/identified"
            try await show(
                browser,
                script: try await consumerScript(sandbox),
                limit: .seconds(15),
                reporting: reporting
            )
            try await browser.wait(toldBy: "shown")
            try await browser.wait(
                for: "!!document.getElementById('identify')",
                in: "/psp/consumers/"
            )
            try await browser.click("#identify", in: "/psp/consumers/")
            try await browser.wait(for: "location.pathname === '/identified'")
            let posted = try #require(try await browser.requests(to: "/identified").first)
            #expect(posted.method == "POST")
            #expect(posted.contentType.hasPrefix("application/x-www-form-urlencoded"))
            let profile = try #require(CheckIn.profile(in: Array(posted.body.utf8)))
            #expect(profile.count > 10)
            // Only the form contains the reference: no address does.
            #expect(try await !browser.navigations().contains { $0.contains(profile) })
        }
        await sandbox.shutdown()
    }

    @Test func `a check-in that breaks is reported as failed and can be retried`() async throws {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            try await show(
                browser,
                script: try await consumerScript(sandbox),
                limit: .seconds(15)
            )
            try await browser.wait(
                for: "!!document.getElementById('fail')",
                in: "/psp/consumers/"
            )
            try await browser.click("#fail", in: "/psp/consumers/")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed script-error")
            try await browser.click("#page-retry")
            try await browser.wait(toldBy: "shown")
            try await browser.wait(
                for: "!!document.getElementById('identify')",
                in: "/psp/consumers/"
            )
        }
        await sandbox.shutdown()
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough
            ? ["broken", "unusable", "hang", "throwing", "nobody"] : ["broken", "nobody"]
    )
    func `an unusable script fails the check-in with its reason`(kind: String) async throws {
        try await withBrowser { browser in
            switch kind {
            case "broken": try await browser.serve("/check-in.js", status: 500)
            case "unusable":
                try await browser.serve(
                    "/check-in.js",
                    "window.payex = {};",
                    headers: Self.javascript
                )
            case "hang": try await browser.serve("/check-in.js", behaviour: "hang")
            case "throwing":
                try await browser.serve(
                    "/check-in.js",
                    Self.script(opening: "throw new Error('no');"),
                    headers: Self.javascript
                )
            default:
                // The payer was identified, but the script does not say as whom.
                try await browser.serve(
                    "/check-in.js",
                    Self.script(opening: "settings.onConsumerIdentified({});"),
                    headers: Self.javascript
                )
            }
            try await show(
                browser,
                script: browser.issuer + "/check-in.js",
                limit: .milliseconds(700)
            )
            try await browser.wait(toldBy: "failed")
            let reasons = [
                "broken": "script-load", "unusable": "script-unusable", "hang": "timeout",
                "throwing": "script-error", "nobody": "script-error",
            ]
            #expect(try await browser.told() == "failed \(reasons[kind] ?? "")")
            let trouble = "!document.getElementById('page-trouble').hidden"
            #expect(try await browser.evaluate(trouble) == .bool(true))
        }
    }

    @Test func `the check-in's script may load from its own server and no other`() async throws {
        try await withBrowser { browser in
            let evil = browser.site.replacing("127.0.0.1", with: "evil.localhost")
            try await browser.serve("/evil")
            try await browser.serve("/form")
            try await browser.serve(
                "/check-in.js",
                Self.script(
                    opening: """
                        for (const url of ["\(evil)/evil", "\(browser.issuer)/form"]) {
                          const frame = document.createElement("iframe");
                          frame.src = url;
                          place.append(frame);
                        }
                        fetch("\(evil)/evil").catch(() => { window.refused = true; });
                        """
                ),
                headers: Self.javascript
            )
            try await show(browser, script: browser.issuer + "/check-in.js")
            try await browser.wait(for: "window.refused")
            try await browser.wait(for: "!!document.body", in: "/form")
            #expect(try await browser.requests(to: "/evil").isEmpty)
        }
    }
}
