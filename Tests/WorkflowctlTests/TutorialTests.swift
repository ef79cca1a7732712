import Foundation
import TestSupport
import Testing

/// Runs the commands of the tutorials as a reader would.
@Suite struct TutorialTests {
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        .tags(.thorough),
        arguments: ["first-payment", "crash-and-recover", "find-out-what-happened", "finance"]
    )
    func `the commands of a tutorial print what the page shows`(page: String) async throws {
        try await World.with { world in
            let result = try await Self.run("Documentation/\(page).md", in: world)
            #expect(result.status == 0, "\(result.output)\(result.diagnostics)")
            #expect(result.output.contains("as the page says"))
        }
    }

    @Test func `a tutorial with different output, or with a command that fails, is detected`()
        async throws
    {
        try await World.with { world in
            let page = """
                ```console
                $ workflowctl schema no-such-schema
                ```

                ```console
                $ echo 12 payments
                13 events
                $ echo a96b7ad8 100.00 SEK
                38910480 100.00 SEK
                $ printf 'first\\nsecond\\nthird\\n'
                first
                …
                third
                ```
                """
            let path = try world.write(page, to: "planted.md")
            let result = try await Self.run(path, in: world)
            #expect(result.status == 1)
            #expect(result.output.contains("$ workflowctl schema no-such-schema\nexited with 66"))
            #expect(result.output.contains("the page shows\n13 events\nbut this was printed"))
            #expect(!result.output.contains("$ echo a96b7ad8"), "the short id of a session is one")
            #expect(!result.output.contains("$ printf"))
        }
    }

    private static func run(_ page: String, in world: World) async throws -> Tool.Result {
        var tool = world.tool
        tool.environment["WORKFLOWCTL_STORE"] = nil
        return try await tool.shell("cd '\(root.path)' && scripts/run-tutorial '\(page)'")
    }
}
