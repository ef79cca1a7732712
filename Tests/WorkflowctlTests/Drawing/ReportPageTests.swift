import Adapters
import Foundation
import Inspection
import LogFixtures
import SwedbankPay
import Testing

@testable import Sandbox
@testable import workflowctl

/// `workflowctl report-html` as a document; `BrowserTests` test it as a page.
@Suite struct ReportPageTests {
    /// Parses the page and lists everything that refers to another resource or would run.
    private static let check = """
        import base64, hashlib, html.parser, json, re, sys
        class Page(html.parser.HTMLParser):
            policy = None
            open = None
            parts = {}
            data = None
            def handle_starttag(self, tag, attributes):
                known = dict(attributes)
                for name, value in attributes:
                    if name.startswith('on') or name in ('style', 'src', 'action', 'formaction', 'srcdoc'):
                        print('attribute', tag, name)
                    if name in ('href', 'xlink:href') and not value.startswith('#'): print('link', value)
                if tag in ('iframe', 'object', 'embed', 'form', 'link', 'base', 'img'): print('element', tag)
                if known.get('http-equiv') == 'Content-Security-Policy': self.policy = known['content']
                if tag in ('script', 'style'):
                    self.open = 'data' if known.get('type') == 'application/json' else tag
                    self.parts[self.open] = self.parts.get(self.open, []) + ['']
            def handle_endtag(self, tag):
                if tag in ('script', 'style'): self.open = None
            def handle_data(self, text):
                if self.open: self.parts[self.open][-1] += text
        page = Page()
        page.feed(sys.stdin.read())
        for kind in ('script', 'style'):
            if len(page.parts[kind]) != 1: print('too many', kind)
            digest = base64.b64encode(hashlib.sha256(page.parts[kind][0].encode()).digest()).decode()
            if "%s-src 'sha256-%s'" % (kind, digest) not in page.policy: print('not allowed', kind)
        if not page.policy.startswith("default-src 'none'; "): print('policy', page.policy)
        if 'unsafe' in page.policy: print('policy', page.policy)
        data = json.loads(page.parts['data'][0])
        print(len(data['views']), len(data['words']), file=sys.stderr)
        """

    @Test func `the report page has no external links and allows only its own script and style`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(Self.check, to: "check.py")
            for text in try GoldenLogs.names.map(GoldenLogs.text) + [GoldenLogs.hostileText()] {
                let log = try world.write(text, to: "log.ndjson")
                let made = try await world.run("report-html", log, "-o", "case.html")
                #expect(made.status == 0 && made.output.isEmpty, "\(made.diagnostics)")
                #expect(try world.mode(of: world.folder + "/case.html") == 0o600)
                let read = try await world.tool.shell("python3 \(path) < case.html")
                #expect(
                    read.status == 0 && read.output.isEmpty,
                    "\(read.output)\(read.diagnostics)"
                )
                let count = text.split(separator: "\n").count
                #expect(read.diagnostics == "\(count + 1) \(count)\n")
            }
        }
    }

    @Test
    func `a redacted log gives the same report page, and masked text is mentioned on the page`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(
                SandboxOrder(payerReference: "p"),
                "--reference",
                "call +46739000001"
            )
            let direct = try await world.run("report-html", session)
            #expect(!direct.output.contains("739000001"))
            _ = try await world.run("export", session, "--redact", "-o", "case.ndjson")
            let later = try await world.run("report-html", "case.ndjson")
            #expect(later.status == 0 && later.output == direct.output)
            #expect(try await world.run("report-html", session, "--reveal").status == 64)
        }
    }

    @Test func `no report page is written for a damaged log`() async throws {
        try await World.with { world in
            let text = try GoldenLogs.text("payment-aborted").replacing(
                "\"build\":\"0.",
                with: "\"build\":\"9."
            )
            let log = try world.write(text, to: "log.ndjson")
            let made = try await world.run("report-html", log, "-o", "case.html")
            #expect(made.status == 65)
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/case.html"))
        }
    }
}
