import Foundation
import Testing

@testable import workflowctl

/// The version report.
@Suite struct VersionTests {
    @Test func `workflowctl --version --verbose also lists the libraries and packages`()
        async throws
    {
        let tool = Tool(folder: NSTemporaryDirectory())
        let short = try await tool.run(["--version"])
        for arguments in [["--version", "--verbose"], ["-v", "--version"]] {
            let long = try await tool.run(arguments)
            #expect(long.status == 0 && long.diagnostics.isEmpty)
            #expect(long.output.hasPrefix(short.output))
            for name in Self.libraries {
                let line = try Regex("(?m)^  \(name) +[0-9]+\\.[0-9]")
                #expect(long.output.contains(line), "\(name)")
            }
            #expect(long.output.contains(/(?m)^  swift-crypto +4\.[0-9]+\.[0-9]+$/))
            #expect(long.output.contains(/(?m)^bill of materials: ./))
        }
        // Without `--verbose` nothing changes.
        #expect(try await tool.run(["--version", "--json"]).output == short.output)
    }

    @Test
    func `workflowctl --version --verbose --json names only packages that are in the program`()
        async throws
    {
        try await World.with { world in
            let told = try await world.tool.run(["--version", "--verbose", "--json"])
            try await SchemaCheck.expect(told.output, fits: "cli/version", in: world)
            let document = try told.json
            #expect(document["version"].text == Build.version)
            let libraries = document["libraries"].list.compactMap { $0["name"].text }
            #expect(libraries.sorted() == Self.libraries.sorted())
            let packages = document["packages"].list.compactMap { $0["name"].text }
            for name in ["hummingbird", "swift-argument-parser", "swift-crypto", "swift-nio"] {
                #expect(packages.contains(name), "\(name)")
            }
            // Resolved with the others, but not part of the program.
            #expect(
                !packages.contains("async-http-client") && !packages.contains("swift-certificates")
            )
        }
    }

    @Test func `a bill of materials is found where a package installs it, or beside the program`()
        throws
    {
        let folder = NSTemporaryDirectory() + "version-\(UUID().uuidString)"
        let files = FileManager.default
        defer { try? files.removeItem(atPath: folder) }
        let (installed, beside) = (
            folder + "/share/doc/workflowctl/sbom.cdx.json", folder + "/bin/sbom.cdx.json"
        )
        let program = folder + "/bin/workflowctl"
        #expect(VersionReport.billOfMaterials(of: program) == nil)
        for path in [beside, installed] {
            try files.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            #expect(files.createFile(atPath: path, contents: Data("{}".utf8)))
            #expect(VersionReport.billOfMaterials(of: program) == path)
        }
        #expect(VersionReport.billOfMaterials(of: "workflowctl") == nil)
    }

    private static let libraries = [
        "expat", "glibc", "libcurl", "libpq", "libuv", "OpenSSL", "sqlite", "zlib", "zstd",
    ]
}
