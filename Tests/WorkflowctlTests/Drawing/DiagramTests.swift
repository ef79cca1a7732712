import Foundation
import LogFixtures
import SwedbankPay
import Testing

@testable import Sandbox
@testable import workflowctl

/// `workflowctl diagram`.
@Suite struct DiagramTests {
    /// Parses SVG strictly, and lists what it must not contain.
    private static let check = """
        import sys, xml.etree.ElementTree as tree
        root = tree.fromstring(sys.stdin.buffer.read())
        name = lambda text: text.split('}')[-1]
        known = {'svg', 'title', 'desc', 'style', 'g', 'rect', 'path', 'text'}
        for element in root.iter():
            if name(element.tag) not in known: print('element', element.tag)
            for attribute, value in element.attrib.items():
                if name(attribute).startswith('on') or name(attribute) in ('href', 'style', 'src'):
                    print('attribute', attribute)
                if 'url(' in value or '://' in value: print('address', attribute)
            if name(element.tag) == 'style' and ('@import' in element.text or 'url(' in element.text):
                print('style')
        texts = ' '.join(e.text or '' for e in root.iter() if name(e.tag) == 'text')
        print('texts', texts, file=sys.stderr)
        """

    @Test func `an SVG diagram is well-formed XML without script, link or style attribute`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(Self.check, to: "check.py")
            for text in try GoldenLogs.names.map(GoldenLogs.text) + [GoldenLogs.hostileText()] {
                let log = try world.write(text, to: "log.ndjson")
                let drawn = try await world.run("diagram", log, "--format", "svg")
                #expect(drawn.status == 0, "\(drawn.diagnostics)")
                #expect(drawn.output.contains("prefers-color-scheme: dark"))
                let read = try await world.tool.shell("python3 \(path)", input: drawn.output)
                #expect(read.status == 0 && read.output.isEmpty, "\(read.output)")
                let isHostile = text.contains("window.stolen")
                #expect(read.diagnostics.contains("<script>") == isHostile)
            }
        }
    }

    @Test func `a PNG is drawn without a browser, at twice the size of the SVG`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let drawn = try await world.run("diagram", session, "-o", "case.png")
            #expect(drawn.status == 0, "\(drawn.diagnostics)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: world.folder + "/case.png"))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            func number(at offset: Int) -> Int {
                bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            let svg = try await world.run("diagram", session, "--format", "svg")
            let size = try #require(svg.output.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
            #expect(number(at: 16) == 2 * (Int(size.1) ?? 0))
            #expect(number(at: 20) == 2 * (Int(size.2) ?? 0))
            #expect(try world.mode(of: world.folder + "/case.png") == 0o600)
        }
    }

    @Test func `diagram --json contains the text that is printed without --json`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            for format in ["mermaid", "svg"] {
                let text = try await world.run("diagram", session, "--format", format)
                let found = try await world.run("diagram", session, "--format", format, "--json")
                #expect(try found.json["format"].text == format)
                #expect(try found.json["diagram"].text == text.output)
                try await SchemaCheck.expect(found.output, fits: "cli/diagram", in: world)
            }
            let picture = try await world.run("diagram", session, "--format", "png", "--json")
            #expect(picture.status == 64 && picture.output.isEmpty)
        }
    }

    @Test func `without rsvg-convert, a PNG is refused with a hint to install it`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let result = try await world.tool.shell(
                "PATH=/nowhere \(Tool.path) diagram \(session) --format png"
            )
            #expect(result.status == 69)
            #expect(result.diagnostics.contains("[diagram.no-renderer]"))
            #expect(result.diagnostics.contains("apt-get install librsvg2-bin"))
            #expect(result.output.isEmpty)
            try FileManager.default.createDirectory(
                atPath: world.folder + "/bin",
                withIntermediateDirectories: true
            )
            // An invalid picture program is distinguished from a missing one.
            let path = try world.write("#!/bin/sh\nexit 1\n", to: "bin/rsvg-convert")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            let broken = try await world.tool.shell(
                "PATH=\(world.folder)/bin:$PATH workflowctl diagram \(session) -o x.png"
            )
            #expect(broken.status == 69)
            #expect(broken.diagnostics.contains("[diagram.not-rendered]"))
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/x.png"))
        }
    }

    @Test
    func `a diagram is drawn from a pipe, and the output file's extension selects the format`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let direct = try await world.run("diagram", session)
            let piped = try await world.tool.shell(
                "workflowctl log \(session) --json | workflowctl diagram -"
            )
            #expect(direct.status == 0 && direct.output == piped.output)
            #expect(direct.output.hasPrefix("sequenceDiagram\n"))
            for (name, beginning) in [("a.svg", "<?xml"), ("a.mmd", "seq"), ("a.txt", "seq")] {
                #expect(try await world.run("diagram", session, "-o", name).status == 0)
                let written = try String(contentsOfFile: world.folder + "/" + name, encoding: .utf8)
                #expect(written.hasPrefix(beginning))
            }
            let other = try await world.run("diagram", session, "-o", "a.pdf")
            #expect(other.status == 64 && other.diagnostics.contains("[usage.picture]"))
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/a.pdf"))
            #expect(try await world.run("diagram", session, "--reveal").status == 64)
            #expect(try await world.run("diagram", session, "--format", "gif").status == 64)
            let terminal = try await world.tool.terminal(
                "workflowctl diagram \(session) --format png"
            )
            #expect(terminal.output.contains("[usage.picture]"))
        }
    }

    @Test func `sealed values and secrets in text appear in no diagram and in no report`()
        async throws
    {
        try await World.with { world in
            let created = try await world.sandbox.createOrder(SandboxOrder(payerReference: "p"))
            let opened = try await world.run(
                "--json",
                "open",
                created.sessionURL,
                "--reference",
                "Lamp 4111 1111 1111 1111"
            )
            let session = try #require(try opened.json["session"].text)
            _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
            let token = try #require(created.sessionURL.split(separator: "/").last)
            for command in [
                ["diagram", session], ["diagram", session, "--format", "svg"],
                ["report-html", session],
            ] {
                let result = try await world.tool.run(command)
                #expect(result.status == 0 && result.output.contains(session))
                for secret in [
                    "4111 1111", "41111111", "739000001", String(token), created.sessionURL,
                ] {
                    #expect(!result.output.contains(secret), "\(command) \(secret)")
                }
            }
        }
    }
}
