import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import TestSupport
import Testing

@testable import workflowctl

/// The page that `workflowctl report-html` writes, in a real browser.
@Suite struct ReportPageTests {
    /// Text with which outsiders might try to run something in the page.
    private static let hostile =
        #"\"><script>window.stolen=1</script><img src=x onerror=window.stolen=2>"#
        + #"</pre></script><!--]]>&lt;b&gt;"#

    /// Returns the page of a payment: a declined card, then Swish, with hostile text if requested.
    private func page(hostile: Bool = false) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Fixtures/Logs/payment-declined-then-swish.ndjson")
        var records: [StoredRecord] = []
        var previous = Digest256.zero
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            var record = try LogLine.decode(Array(line.utf8))
            if hostile {
                let text = String(decoding: record.canonical, as: UTF8.self)
                    .replacing("REJECTED_BY_ACQUIRER_INSUFFICIENT_FUNDS", with: Self.hostile)
                    .replacing("demo-declined", with: Self.hostile)
                record.canonical = Array(text.utf8)
            }
            record.previous = previous
            record.hash = HashChain.hash(previous, record.canonical)
            previous = record.hash
            records.append(record)
        }
        let log = try SessionLog(records[0].stream, records)
        let decider = SessionDecider(catalogue: .bundled)
        return ReportPage(try LogToShow.redacted(log), by: decider, madeBy: "workflowctl").html
    }

    /// Shows the page from a web server that sets no headers, as for a file.
    private func show(
        _ html: String,
        in browser: Browser,
        width: Double = 1280,
        dark: Bool = false
    ) async throws {
        try await browser.look(width: width, height: 900, dark: dark)
        try await browser.serve("/case", html)
        // Chromium requests it from every web server.
        try await browser.serve("/favicon.ico", "")
        try await browser.open(browser.site + "/case")
        try await browser.wait(for: "document.documentElement.dataset.place !== undefined")
    }

    @Test
    func `the report page sends no further requests, and its policy blocks nothing of its own`()
        async throws
    {
        try await withBrowser { browser in
            try await show(try page(), in: browser)
            let asked = try await browser.requests().map(\.path).filter { $0 != "/favicon.ico" }
            #expect(asked == ["/case"])
            #expect(try await browser.console() == [])
            // A script that is added does not run, and sends nothing.
            _ = try await browser.evaluate(
                """
                (() => {
                  const script = document.createElement("script");
                  script.textContent = "window.stolen = 1";
                  document.body.append(script);
                  const image = document.createElement("img");
                  image.src = "/stolen";
                  document.body.append(image);
                })()
                """
            )
            try await browser.wait(
                for: "fetch('/stolen').then(() => false, () => true)"
            )
            #expect(try await browser.evaluate("typeof window.stolen") == .text("undefined"))
            #expect(try await browser.requests(to: "/stolen") == [])
            #expect(try await browser.console().contains { $0.contains("Content Security Policy") })
        }
    }

    @Test func `hostile text from the PSP is shown as text and does not run`() async throws {
        try await withBrowser { browser in
            try await show(try page(hostile: true), in: browser)
            #expect(try await browser.evaluate("typeof window.stolen") == .text("undefined"))
            #expect(try await browser.evaluate("document.images.length") == .number(0))
            #expect(try await browser.evaluate("document.scripts.length") == .number(2))
            let shown = try await browser.evaluate("document.getElementById('t14').textContent")
            #expect(shown.text.contains("<script>window.stolen=1</script>"))
            _ = try await browser.evaluate(
                "document.querySelector('#timeline a[data-place=\"14\"]').click()"
            )
            let state = try await browser.evaluate("document.getElementById('state').textContent")
            #expect(state.text.contains("<img src=x onerror=window.stolen=2>"))
            #expect(try await browser.evaluate("document.images.length") == .number(0))
        }
    }

    @Test func `every event can be reached with the keyboard, and its changes are marked`()
        async throws
    {
        try await withBrowser { browser in
            try await show(try page(), in: browser)
            // The first stop skips the links to the choice of an event.
            try await browser.press("Tab")
            try await browser.press("Enter")
            try await browser.wait(for: "location.hash === '#place'")
            try await browser.wait(for: "document.activeElement.id === 'place'")
            try await browser.press("Home")
            try await browser.wait(for: "document.documentElement.dataset.place === '0'")
            try await browser.press("ArrowRight", times: 14)
            try await browser.wait(for: "document.documentElement.dataset.place === '14'")
            let status = try await browser.evaluate("document.getElementById('chosen').textContent")
            #expect(status.text.hasPrefix("After event 14 of 27: problem: "))
            let changed = try await browser.evaluate(
                "[...document.querySelectorAll('#state .changed th')].map((h) => h.textContent)"
            )
            #expect(changed.list.contains(.text("+ problem.actor")))
            let gone = try await browser.evaluate(
                "[...document.querySelectorAll('#state .gone th')].map((h) => h.textContent)"
            )
            #expect(gone.list.contains { $0.text.hasPrefix("− attempt.") })
            let marked = "document.querySelector('#timeline [aria-current]').id"
            #expect(try await browser.evaluate(marked) == .text("t14"))
            #expect(
                try await browser.evaluate("document.querySelectorAll('.d-now').length")
                    == .number(1)
            )
            // The buttons behind the slider, by their keys.
            try await browser.press("Tab", times: 3)
            #expect(try await browser.evaluate("document.activeElement.id") == .text("forward"))
            try await browser.press("Enter")
            try await browser.wait(for: "document.documentElement.dataset.place === '15'")
            // An event's link opens its stored form.
            _ = try await browser.evaluate("document.getElementById('raw').focus()")
            try await browser.press("Enter")
            try await browser.wait(for: "document.getElementById('e15').open")
        }
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough
            ? [(360.0, false), (360, true), (1280, false), (1280, true)]
            : [(360, true), (1280, false)]
    )
    func `the page fits narrow and wide screens, with enough contrast in light and dark`(
        width: Double,
        dark: Bool
    ) async throws {
        try await withBrowser { browser in
            try await show(try page(hostile: true), in: browser, width: width, dark: dark)
            let overflow =
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            #expect(try await browser.evaluate(overflow) == .number(0))
            let ground = try await browser.evaluate(
                "getComputedStyle(document.documentElement).backgroundColor"
            )
            #expect(ground == .text(dark ? "rgb(20, 24, 29)" : "rgb(255, 255, 255)"))
            // Every text against its background, as accessibility guidelines measure contrast.
            let faint = try await browser.evaluate(Self.contrast)
            #expect(faint.list == [])
        }
    }

    /// The texts whose contrast to their background is below 4.5.
    private static let contrast = """
        (() => {
          const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
          const light = (c) => c.slice(0, 3).map((v) => v / 255)
            .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const behind = (node) => {
            for (let n = node; n; n = n.parentElement) {
              const c = parse(getComputedStyle(n).backgroundColor);
              if (c.length && (c.length < 4 || c[3] > 0)) { return c; }
            }
            return [255, 255, 255];
          };
          const faint = [];
          for (const node of document.querySelectorAll("h1,h2,dt,dd,p,a,li span,time,th,td,summary,pre,caption,label,button,svg text")) {
            if (!node.textContent.trim() || !node.getClientRects().length) { continue; }
            const style = getComputedStyle(node);
            let ground = behind(node);
            const svg = node.closest(".d-step, .d-drawing");
            if (svg) {
              const box = node.parentElement.querySelector(".d-note");
              if (box) { ground = parse(getComputedStyle(box).fill); }
            }
            const [a, b] = [light(parse(svg ? style.fill : style.color)), light(ground)];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) { faint.push(node.tagName + " " + node.className + " " + ratio.toFixed(2)); }
          }
          return [...new Set(faint)];
        })()
        """

    @Test func `printing shows the story and the timeline, or everything with 'Print everything'`()
        async throws
    {
        try await withBrowser { browser in
            try await show(try page(), in: browser, dark: true)
            try await browser.look(width: 800, height: 1100, dark: true, paper: true)
            _ = try await browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
            let open = "document.querySelectorAll('details[open]').length"
            #expect(try await browser.evaluate(open) == .number(0))
            let shown = """
                ["story", "steps", "told", "timeline", "states", "diagram", "events"]
                  .filter((id) => document.getElementById(id).getClientRects().length > 0).join(" ")
                """
            #expect(try await browser.evaluate(shown) == .text("story steps told timeline"))
            _ = try await browser.evaluate("window.print = () => {}")
            _ = try await browser.evaluate("document.getElementById('print-all').click()")
            _ = try await browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
            #expect(
                try await browser.evaluate(shown)
                    == .text("story steps told timeline states diagram events")
            )
            #expect(try await browser.evaluate(open) == .number(27))
            _ = try await browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
            #expect(try await browser.evaluate(open) == .number(0))
            #expect(try await browser.evaluate(shown) == .text("story steps told timeline"))
            let ground = "getComputedStyle(document.documentElement).backgroundColor"
            #expect(try await browser.evaluate(ground) == .text("rgb(255, 255, 255)"))
            let controls = "getComputedStyle(document.getElementById('controls')).display"
            #expect(try await browser.evaluate(controls) == .text("none"))
            let overflow =
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            #expect(try await browser.evaluate(overflow) == .number(0))
        }
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough
            ? ["expired", "psp-5xx-storm", "issuer-declined"] : ["psp-5xx-storm"]
    )
    func `a case is printed on three pages at most`(_ name: String) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Fixtures/Cases/\(name).ndjson")
        let records = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try LogLine.decode(Array($0.utf8)) }
        let log = try SessionLog(try #require(records.first).stream, records)
        let page = ReportPage(
            try LogToShow.redacted(log),
            by: SessionDecider(catalogue: .bundled),
            madeBy: "workflowctl"
        )
        try Data(page.html.utf8).write(to: folder.appending(path: "case.html"))
        let print = Process()
        print.executableURL = URL(filePath: "/usr/bin/env")
        print.arguments = [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
            "--user-data-dir=\(folder.path())/browser", "--print-to-pdf=\(folder.path())/case.pdf",
            "file://\(folder.path())/case.html",
        ]
        print.standardError = FileHandle.nullDevice
        print.standardOutput = FileHandle.nullDevice
        try print.run()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                print.waitForEnd()
                continuation.resume()
            }
        }
        #expect(print.terminationStatus == 0)
        let paper = try Data(contentsOf: folder.appending(path: "case.pdf"))
        // A tree of pages contains their number.
        let count = try #require(
            String(decoding: paper, as: Unicode.ASCII.self).firstMatch(of: /\/Count (\d+)/)?.1
        )
        #expect((1...3).contains(Int(count) ?? 0), "\(count) pages")
    }

    @Test func `on a phone the timeline comes before the state`() async throws {
        try await withBrowser { browser in
            try await show(try page(), in: browser, width: 360)
            let order = """
                ["story", "steps", "told", "timeline", "states", "diagram"]
                  .sort((a, b) => document.getElementById(a).getBoundingClientRect().top
                    - document.getElementById(b).getBoundingClientRect().top).join(" ")
                """
            #expect(
                try await browser.evaluate(order)
                    == .text("story steps told timeline states diagram")
            )
        }
    }

    @Test func `the labels of the diagram fit between their lanes`() async throws {
        try await withBrowser { browser in
            try await show(try page(), in: browser)
            let outside = try await browser.evaluate(
                """
                [...document.querySelectorAll(".d-step")].flatMap((step) => {
                  const box = step.querySelector(".d-note, .d-line");
                  if (!box) { return []; }
                  const room = box.getBBox();
                  return [...step.querySelectorAll(".d-text")].filter((text) => {
                    const words = text.getBBox();
                    return words.x < room.x - 9 || words.x + words.width > room.x + room.width + 9;
                  }).map((text) => text.textContent);
                })
                """
            )
            #expect(outside.list == [])
        }
    }

    @Test func `without scripts the state and the timeline are shown, and the controls are hidden`()
        async throws
    {
        try await withBrowser { browser in
            try await browser.serve("/case", try page())
            try await browser.open(browser.site + "/case", scripts: false)
            try await browser.wait(for: "document.readyState === 'complete'")
            let rows = "document.querySelectorAll('#state tr').length"
            guard case .number(let count) = try await browser.evaluate(rows) else {
                Issue.record("no rows")
                return
            }
            #expect(count > 5)
            #expect(
                try await browser.evaluate("document.querySelectorAll('#timeline li').length")
                    == .number(27)
            )
            #expect(
                try await browser.evaluate("document.getElementById('controls').hidden")
                    == .bool(true)
            )
        }
    }
}
