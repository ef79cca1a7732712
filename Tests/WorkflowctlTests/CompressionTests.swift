import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Compressed exports and imports, according to the extension of the file.
@Suite struct CompressionTests {
    @Test(arguments: [("gz", "gzip"), ("zst", "zstd")])
    func `compressed logs are interchangeable with those of gzip and zstd`(
        ending: String,
        tool: String
    ) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.open()
            let plain = try await world.run("export")
            let exported = try await world.run("export", "-o", "logs.ndjson.\(ending)")
            #expect(exported.status == 0)
            #expect(exported.diagnostics.contains("records written: 12, sessions: 2"))
            #expect(try world.mode(of: world.folder + "/logs.ndjson.\(ending)") == 0o600)
            let unfolded = try await world.tool.shell("\(tool) -dc logs.ndjson.\(ending)")
            #expect(unfolded.status == 0, "\(unfolded.diagnostics)")
            #expect(unfolded.output == plain.output)

            _ = try world.write(plain.output, to: "by-hand.ndjson")
            let made = try await world.tool.shell("\(tool) -k by-hand.ndjson")
            #expect(made.status == 0)
            for name in ["logs.ndjson.\(ending)", "by-hand.ndjson.\(ending)"] {
                let verified = try await world.run("verify", name, "--json")
                #expect(verified.status == 0, "\(verified.diagnostics)")
                #expect(try verified.json["records"].number == 12)
                #expect(try await world.run("replay", name, "--session", session).status == 0)
                let store = "\(name).db"
                #expect(try await world.run("import", name, store: store).status == 0)
                #expect(try await world.run("export", store: store).output == plain.output)
            }
            // Standard input has no name; its first bytes determine the format.
            let piped = try await world.tool.shell("workflowctl verify - < logs.ndjson.\(ending)")
            #expect(piped.status == 0, "\(piped.diagnostics)")
            let imported = try await world.tool.shell(
                "workflowctl import - --store sqlite:piped.db < logs.ndjson.\(ending)"
            )
            #expect(imported.status == 0, "\(imported.diagnostics)")
            // Several concatenated files are one file, as with both tools.
            _ = try await world.tool.shell(
                "head -n 5 by-hand.ndjson | \(tool) -c > parts.\(ending); "
                    + "tail -n +6 by-hand.ndjson | \(tool) -c >> parts.\(ending)"
            )
            let parts = try await world.run("verify", "parts.\(ending)", "--json")
            #expect(try parts.json["records"].number == 12, "\(parts.diagnostics)")
        }
    }

    @Test(arguments: ["gz", "zst"])
    func `a truncated, damaged or mislabeled compressed file is refused and not imported`(
        ending: String
    ) async throws {
        try await World.with { world in
            _ = try await world.open()
            _ = try await world.run("export", "-o", "logs.\(ending)")
            let script = """
                whole = open("logs.\(ending)", "rb").read()
                half = len(whole) // 2
                open("cut.\(ending)", "wb").write(whole[:half])
                open("cut-end.\(ending)", "wb").write(whole[:-3])
                open("bad.\(ending)", "wb").write(
                    whole[:half] + bytes([whole[half] ^ 0xFF]) + whole[half + 1:])
                open("more.\(ending)", "wb").write(whole + b"more")
                open("none.\(ending)", "wb").write(b"")
                open("plain.\(ending)", "wb").write(b'{"hash":"00"}\\n')
                """
            _ = try await world.tool.shell("python3 \(try world.write(script, to: "damage.py"))")
            let other = ["gz": "zst", "zst": "gz"][ending] ?? ""
            _ = try await world.run("export", "-o", "logs.\(other)")
            _ = try await world.tool.shell("mv logs.\(other) other.\(ending)")
            for (name, words) in [
                ("other", "the file is in .\(other) format"),
                ("plain", "the file is not in that format"),
            ] {
                let told = try await world.run("verify", "\(name).\(ending)")
                #expect(told.diagnostics.contains(words), "\(told.diagnostics)")
            }
            for name in ["cut", "cut-end", "bad", "more", "none", "plain", "other"] {
                for command in [["verify"], ["import", "--store", "sqlite:other.db"]] {
                    let told = try await world.tool.run(command + ["\(name).\(ending)"])
                    #expect(told.status == 65, "\(name): \(told.diagnostics)")
                    #expect(
                        told.diagnostics.contains("[file.compression]")
                            || name == "bad" && told.diagnostics.contains("[log."),
                        "\(name): \(told.diagnostics)"
                    )
                }
            }
            #expect(try await world.tool.shell("ls other.db").status != 0)
        }
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough ? [("gz", "gzip"), ("zst", "zstd")] : [("zst", "zstd")]
    )
    func `a small file that decompresses to an excessive size is refused`(
        ending: String,
        tool: String
    ) async throws {
        try await World.with { world in
            let made = try await world.tool.shell(
                "head -c 400000000 /dev/zero | tr '\\0' x | \(tool) -c > bomb.ndjson.\(ending)"
            )
            try #require(made.status == 0)
            let told = try await world.run("verify", "bomb.ndjson.\(ending)")
            #expect(told.status == 65)
            #expect(told.diagnostics.contains("[file.expansion]"), "\(told.diagnostics)")
        }
    }
}
