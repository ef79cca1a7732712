import Adapters
import Console
import EventLog
import Foundation
import HTTPTypes
import LogFixtures
import Service
import ServiceFixtures
import TestSupport
import Testing
import Workflow

@testable import workflowctl

/// The operators' pages in a real browser: at each width, in both themes and languages, without
/// scripts, by keyboard, and as axe judges their accessibility.
@Suite(.feature("S-45"), .threat("T-70"), .serialized) struct ConsolePageTests {
    /// A console with payments, and a browser that is signed in there.
    private struct Desk {
        let browser: Browser
        let world: ServiceWorld
        let url: String
        /// A payment that was declined, then paid, as it was imported.
        let session: String
        /// A payment that waits for its payer.
        let open: String

        /// Opens a page, and waits until it is there.
        func go(_ path: String, scripts: Bool = true) async throws {
            try await browser.open("about:blank")
            try await browser.open(url + path, scripts: scripts)
            try await browser.wait(
                for:
                    "location.pathname.startsWith('/console') && document.readyState === 'complete'"
            )
        }

        /// The value of an expression.
        func value(_ expression: String) async throws -> Answer {
            try await browser.evaluate(expression)
        }

        /// Every page, with the parts of a payment.
        var paths: [String] {
            [
                "/console/", "/console/payments", "/console/search", "/console/at-risk",
                "/console/nowhere",
            ]
                + ["", "/timeline", "/replay?at=5", "/diagram", "/events?from=1&to=4", "/proof"]
                .map { "/console/payments/\(session)\($0)" }
                + ["/console/payments/\(open)", "/console/payments?money=unknown"]
        }
    }

    private func withDesk(_ act: (Desk) async throws -> Void) async throws {
        try await ServiceWorld.with { world in
            let session = try await world.importLog(GoldenLogs.text("payment-declined-then-swish"))
            let open = try await world.open().session
            let file = AccessTokens(path: world.folder.appending(path: "tokens").path)
            let token = try file.create(
                name: "anna",
                roles: [.support, .operator, .auditor],
                expires: nil,
                at: Instant(microseconds: 0),
                random: SystemRandom()
            ).secret
            let host = try await ServiceHost.start(
                world.node.api,
                pages: Console(of: world.node.api),
                at: ListenAddress(host: "127.0.0.1", port: 0),
                tls: nil,
                bodyLimit: 100_000
            )
            try await withBrowser { browser in
                let desk = Desk(
                    browser: browser,
                    world: world,
                    url: host.url,
                    session: "\(session)",
                    open: open
                )
                try await desk.go("/console/payments")
                _ = try await desk.value(
                    "document.querySelector('#token').value = '\(token)'; document.querySelector('.primary').click()"
                )
                try await browser.wait(for: "!!document.querySelector('.top nav')")
                try await act(desk)
            }
            await host.shutdown()
        }
    }

    /// The script of axe-core; `nil` where it is not installed.
    private static let axe = ProcessInfo.processInfo.environment["AXE_SCRIPT"]

    @Test(
        .enabled(if: axe != nil, "axe-core is not installed: source scripts/find-cloudevents"),
        arguments: [false, true]
    )
    func `axe finds no violation on any page, at any width, in either language`(
        dark: Bool
    ) async throws {
        let script = try String(contentsOfFile: try #require(Self.axe), encoding: .utf8)
        try await withDesk { desk in
            for language in ["en", "sv"] {
                try await desk.go("/console/payments")
                try await desk.browser.click("button[value='\(language)']")
                try await desk.browser.wait(
                    for: "document.documentElement.lang === '\(language)'"
                )
                for (index, path) in desk.paths.enumerated() {
                    // Every page at the narrow and the wide width, and in between one after the
                    // other.
                    for width in index.isMultiple(of: 3) ? [320.0, 390, 1280] : [320.0, 1280] {
                        try await desk.browser.look(width: width, height: 900, dark: dark)
                        try await desk.go(path)
                        _ = try await desk.value(script + "; 0")
                        let found = try await desk.value(
                            """
                            axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
                              .then((result) => result.violations.flatMap((rule) =>
                                rule.nodes.map((node) => rule.id + ": " + node.html.slice(0, 200))))
                            """
                        )
                        #expect(found == .list([]), "\(path) \(width) \(language)")
                        let overflow = try await desk.value(
                            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                        )
                        #expect(overflow == .number(0), "\(path) \(width) \(language)")
                    }
                }
            }
            #expect(
                try await desk.browser.console().filter { $0.contains("Security Policy") } == []
            )
        }
    }

    @Test func `a first view needs at most four requests and 60 KB, none of them elsewhere`()
        async throws
    {
        try await withDesk { desk in
            for path in desk.paths {
                try await desk.go(path)
                let answer = try await desk.value(
                    """
                    (() => {
                      const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
                      return { count: all.length, bytes: all.reduce((sum, it) => sum + it.decodedBodySize, 0),
                        foreign: all.filter((it) => !it.name.startsWith(location.origin)).map((it) => it.name) };
                    })()
                    """
                )
                guard case .number(let count)? = answer["count"],
                    case .number(let bytes)? = answer["bytes"]
                else { throw BrowserFailure(description: "\(answer)") }
                #expect(count <= 4, "\(path)")
                #expect(bytes <= 60_000, "\(path)")
                #expect(answer["foreign"] == .list([]), "\(path)")
            }
            #expect(
                try await desk.browser.console().filter { $0.contains("Security Policy") } == []
            )
        }
    }

    @Test func `without scripts a payment is found, read and replayed`() async throws {
        try await withDesk { desk in
            try await desk.go("/console/payments", scripts: false)
            _ = try await desk.value(
                "document.querySelector('#find').value = 'order-1'; document.querySelector('.find button').click()"
            )
            // The only payment that is found is shown at once.
            try await desk.browser.wait(for: "location.pathname.endsWith('\(desk.open)')")
            try await desk.go("/console/payments/\(desk.session)", scripts: false)
            #expect(
                try await desk.value("document.querySelector('copy-text').hidden") == .bool(true)
            )
            try await desk.browser.click(".tabs a[href$='/replay']")
            try await desk.browser.wait(for: "!!document.querySelector('.slider')")
            try await desk.browser.click("a[rel='prev']")
            try await desk.browser.wait(for: "location.search.startsWith('?at=')")
            #expect(
                try await desk.value("document.querySelector('#replayed table') !== null")
                    == .bool(true)
            )
        }
    }

    @Test func `by keyboard alone a payment is opened, and the focus is always seen`() async throws
    {
        try await withDesk { desk in
            try await desk.go("/console/payments")
            try await desk.browser.press("Tab")
            #expect(
                try await desk.value("document.activeElement.className") == .text("skip")
            )
            var isThere = false
            for _ in 0..<60 where !isThere {
                try await desk.browser.press("Tab")
                let outline = try await desk.value(
                    "getComputedStyle(document.activeElement).outlineStyle"
                )
                #expect(outline != .text("none"))
                let isOnPage = try await desk.value("document.activeElement !== document.body")
                try #require(isOnPage == .bool(true))
                isThere =
                    try await desk.value(
                        "document.activeElement.getAttribute('href')?.endsWith('\(desk.open)') === true"
                    ) == .bool(true)
            }
            #expect(isThere)
            try await desk.browser.press("Enter")
            try await desk.browser.wait(for: "!!document.querySelector('.summary')")
        }
    }

    @Test func `the slider shows another state without another page`() async throws {
        try await withDesk { desk in
            try await desk.go("/console/payments/\(desk.session)/replay")
            try await desk.browser.wait(for: "!!document.querySelector('input[type=range]')")
            _ = try await desk.value(
                """
                (() => {
                  window.stayed = true;
                  const range = document.querySelector("input[type=range]");
                  range.value = 3;
                  range.dispatchEvent(new Event("input"));
                  range.dispatchEvent(new Event("change"));
                })()
                """
            )
            try await desk.browser.wait(for: "location.search === '?at=3'")
            try await desk.browser.wait(
                for: "document.querySelector('a[rel=next]').href.endsWith('at=4')"
            )
            #expect(try await desk.value("window.stayed") == .bool(true))
            #expect(
                try await desk.value("document.querySelector('input[type=number]').value")
                    == .text("3")
            )
        }
    }

    @Test func `an open payment follows its changes, and a closed tab follows nothing`()
        async throws
    {
        try await withDesk { desk in
            try await desk.go("/console/payments/\(desk.open)")
            try await desk.browser.wait(
                for: "document.querySelector('live-state').textContent.includes('Follows')"
            )
            _ = try await desk.world.send(
                .post,
                "/v1/sessions/\(desk.open)/notes",
                as: "support",
                #"{"text": "called"}"#
            )
            try await desk.browser.wait(
                for: "document.querySelector('.story').textContent.includes('support added a note')"
            )
        }
    }

    @Test
    func `the browser comes to the hash that the server shows, and to another for other bytes`()
        async throws
    {
        try await withDesk { desk in
            try await desk.go("/console/payments/\(desk.session)/proof")
            try await desk.browser.click("proof-check button")
            try await desk.browser.wait(
                for:
                    "document.querySelector('proof-check [role=status]').textContent.includes('same hash')"
            )
            _ = try await desk.value(
                "document.querySelector('.hash').textContent = '\(String(repeating: "0", count: 64))'"
            )
            try await desk.browser.click("proof-check button")
            try await desk.browser.wait(
                for:
                    "document.querySelector('proof-check [role=status]').textContent.includes('another hash')"
            )
        }
    }

    @Test func `a note is written, and a payment aborted, without scripts`() async throws {
        try await withDesk { desk in
            try await desk.go("/console/payments/\(desk.open)", scripts: false)
            try await desk.browser.click("a[href$='/note']")
            try await desk.browser.wait(for: "!!document.querySelector('#text')")
            _ = try await desk.value("document.querySelector('#text').value = 'called at noon'")
            try await desk.browser.click("form.form button")
            try await desk.browser.wait(
                for:
                    "!!document.querySelector('.story') && document.querySelector('.story').textContent.includes('anna added a note')"
            )
            try await desk.browser.click("a[href$='/abort']")
            try await desk.browser.wait(for: "!!document.querySelector('#reason')")
            try await desk.browser.click("form.form button")
            try await desk.browser.wait(
                for:
                    "!!document.querySelector('.story') && document.querySelector('.story').textContent.includes('anna requested an abort')"
            )
        }
    }
}
