import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Files that are not logs, or were altered: every command that reads one reports one error with a
/// position and a hint.
@Suite struct BadInputTests {
    /// A file made of the lines of a valid log.
    struct Bad: Sendable, CustomTestStringConvertible {
        var name: String
        var kind: String
        var place: String
        var status: Int32 = 65
        var make: @Sendable ([String]) -> Data

        var testDescription: String { name }

        init(
            _ name: String,
            _ kind: String,
            at place: String,
            _ make: @escaping @Sendable ([String]) -> Data
        ) {
            (self.name, self.kind, self.place, self.make) = (name, kind, place, make)
        }
    }

    private static func text(_ lines: [String]) -> Data {
        Data((lines.joined(separator: "\n") + "\n").utf8)
    }

    static let files: [Bad] = [
        Bad("half a line at the end", "log.cut-line", at: "line 3") {
            Data(($0[0] + "\n" + $0[1] + "\n" + $0[2].prefix(200)).utf8)
        },
        Bad("half a line in the middle", "log.unreadable", at: "line 2") {
            text([$0[0], String($0[1].prefix(200)), $0[2]])
        },
        Bad("half of the first line", "log.cut-line", at: "line 1") { Data($0[0].prefix(40).utf8) },
        Bad("lines out of order", "log.out-of-sequence", at: "record 2") {
            text([$0[0], $0[2], $0[1]])
        },
        Bad("a line that is missing", "log.out-of-sequence", at: "record 3") {
            text([$0[0], $0[1], $0[3]])
        },
        Bad("a line twice", "log.repeated", at: "line 3") { text([$0[0], $0[1], $0[1], $0[2]]) },
        Bad("the whole log twice", "log.repeated", at: "record 1") { text($0 + $0) },
        Bad("NUL bytes in the middle", "log.nul-bytes", at: "line 2") {
            text([$0[0]]) + Data(repeating: 0, count: 512) + Data("\n".utf8) + text([$0[1]])
        },
        Bad("NUL bytes alone", "log.foreign", at: "not a log") { _ in
            Data(repeating: 0, count: 4096)
        },
        Bad("a line that is too long", "log.line-too-long", at: "line 2") {
            text([$0[0]]) + Data(repeating: UInt8(ascii: "x"), count: (64 << 20) + 1)
                + text(["", $0[1]])
        },
        Bad("a first line that is too long", "log.line-too-long", at: "line 1") {
            Data(repeating: UInt8(ascii: "{"), count: (64 << 20) + 1) + text(["", $0[1]])
        },
        Bad("a long line in another form", "log.line-too-long", at: "line 2") {
            let lists = String(repeating: "[],", count: 1_500_000)
            return text([$0[0], "{ \"record\": [\(lists)[]]}", $0[1]])
        },
        Bad("bytes that are no text", "log.foreign", at: "is binary") { _ in
            Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 128) })
        },
        Bad("a page", "log.foreign", at: "HTML") { _ in
            Data("<!DOCTYPE html>\n<html><body>record</body></html>\n".utf8)
        },
        Bad("JSON of somebody else", "log.foreign", at: "is JSON, but not a log") { _ in
            Data(#"{"name":"value"}"#.utf8)
        },
        Bad("a list of somebody else", "log.foreign", at: "JSON array") { _ in
            Data(#"[{"specversion":"1.0"}]"#.utf8)
        },
        Bad("words", "log.foreign", at: "not a log") { _ in Data("dear auditor\n".utf8) },
        Bad("a database", "log.foreign", at: "database") { _ in
            Data("SQLite format 3\u{0}".utf8) + Data(repeating: 7, count: 4096)
        },
        Bad("UTF-16", "log.foreign", at: "UTF-16") {
            text([$0[0]]).reduce(into: Data([0xFF, 0xFE])) { $0 += [$1, 0] }
        },
        Bad("an altered record", "log.wrong-hash", at: "record 1") {
            text([$0[0].replacing("order-1", with: "order-2")] + $0[1...])
        },
    ]

    @Test(
        .tags(.repeatedThoroughly),
        // In the fast tier one of the three that are larger than a line may be.
        arguments: Tier.isThorough
            ? files
            : files.filter {
                $0.kind != "log.line-too-long" || $0.name == "a line that is too long"
            }
    )
    func `a bad file is refused with one error, its position and one hint`(bad: Bad) async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            let lines = try await world.run("log", session, "--json").output
                .split(separator: "\n").map(String.init)
            try bad.make(lines).write(to: URL(fileURLWithPath: world.folder + "/bad.ndjson"))
            for command in [["verify"], ["import", "--store", "sqlite:other.db"]] {
                let told = try await world.tool.run(command + ["bad.ndjson"])
                #expect(told.status == bad.status, "\(command): \(told.diagnostics)")
                let errors = told.diagnostics.split(separator: "\n")
                #expect(errors.count == 2, "\(told.diagnostics)")
                #expect(errors.first?.contains("[\(bad.kind)]") == true, "\(told.diagnostics)")
                #expect(errors.first?.contains(bad.place) == true, "\(told.diagnostics)")
                #expect(errors.last?.hasPrefix("hint: ") == true)
                if bad.kind == "log.line-too-long" {
                    #expect(errors.last?.contains("as it was exported") == true)
                }
            }
            // Nothing is written before the whole file has been verified.
            #expect(try await world.tool.shell("ls other.db").status != 0)
        }
    }

    @Test func `byte order marks, line endings and interleaved sessions do not damage a log`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let (other, _) = try await world.open()
            let first = try await world.run("log", session, "--json").output
            let second = try await world.run("log", other, "--json").output
            let carriage = first.replacing("\n", with: "\r\n")
            #expect(try await world.run("verify", "-", input: "\u{FEFF}" + carriage).status == 0)
            #expect(try await world.run("verify", "-", input: "\n\n" + first + "\n").status == 0)
            #expect(try await world.run("verify", "-", input: String(first.dropLast())).status == 0)
            // Two sessions with alternating lines, each in order.
            let mixed = zip(first.split(separator: "\n"), second.split(separator: "\n"))
                .flatMap { [$0.0, $0.1] }.joined(separator: "\n")
            let verified = try await world.run("verify", "-", "--json", input: mixed)
            #expect(verified.status == 0)
            #expect(try verified.json["sessions"].number == 2)
            let file = try world.write(mixed, to: "mixed.ndjson")
            #expect(try await world.run("import", file, store: "other.db").status == 0)
            #expect(try await world.run("verify", store: "other.db").status == 0)
            // If one of them is damaged, the other is not affected.
            let damaged = mixed.split(separator: "\n").enumerated()
                .filter { $0.offset != 4 }.map(\.element).joined(separator: "\n")
            let found = try await world.run("verify", "-", "--json", input: damaged)
            #expect(try found.json["damaged"].number == 1)
            #expect(try found.json["fault"]["session"].text == session)
        }
    }

    @Test func `an empty log can be exported, verified and imported, but not replayed`()
        async throws
    {
        try await World.with { world in
            _ = try await world.tool.shell(": > empty.ndjson")
            _ = try await world.run("import", "empty.ndjson")
            for form in ["ndjson", "cloudevents"] {
                for name in ["none.\(form)", "none.\(form).gz", "none.\(form).zst"] {
                    let exported = try await world.run("export", "--format", form, "-o", name)
                    #expect(exported.status == 0, "\(exported.diagnostics)")
                    let verified = try await world.run("verify", name, "--json")
                    #expect(verified.status == 0, "\(name): \(verified.diagnostics)")
                    #expect(try verified.json["records"].number == 0)
                    #expect(verified.diagnostics.contains("the log is empty"))
                    #expect(try await world.run("import", name).status == 0)
                }
            }
            #expect(try await world.run("verify").status == 0)
            let replayed = try await world.run("replay", "none.ndjson")
            #expect(replayed.diagnostics.contains("[log.empty]"))
        }
    }

    @Test func `a log in a newer format is refused as newer, not as damaged`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json").output
            let newer = log.replacing(#""v":1}"#, with: #""v":2}"#)
                .replacing(#""meta":{"#, with: #""meta":7,"more":{"#)
            let file = try world.write(newer, to: "newer.ndjson")
            let told = try await world.run("verify", file)
            #expect(told.status == 69)
            #expect(told.diagnostics.contains("[log.newer-version]"), "\(told.diagnostics)")
            #expect(!told.diagnostics.contains("damaged [") && told.diagnostics.contains("line 1"))
            #expect(try await world.run("import", file, store: "other.db").status == 69)
        }
    }
}
