import Foundation
import TestSupport
import Testing

/// Files that a command finds or is given, and that are no files.
@Suite struct ForeignFileTests {
    /// Runs a command that has to end by itself within seconds.
    private func ended(
        _ world: World,
        _ arguments: String,
        input: String = "/dev/null"
    ) async throws -> Tool.Result {
        try await world.tool.shell("timeout -k 1 20 workflowctl \(arguments) < \(input)")
    }

    @Test func `a named pipe beside the store ends every command with a refusal`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let made = try await world.run("checkpoint", "create")
            try #require(made.status == 0, "\(made.diagnostics)")
            let beside = try FileManager.default.contentsOfDirectory(atPath: world.folder)
            let cases = [
                ("payments.db.key", "show \(session) --reveal --reason support"),
                ("payments.db.key", "--allow-insecure-loopback resume \(session)"),
                ("payments.db.checkpoint", "verify"),
                ("payments.db.checkpoint", "checkpoint create"),
                ("payments.db.checkpoint-keys", "checkpoint verify"),
                ("payments.db-leases", "--allow-insecure-loopback abort \(session)"),
                ("payments.db-journal", "list"),
            ]
            for (name, command) in cases {
                let path = world.folder + "/" + name
                let kept = path + ".kept"
                let exists = beside.contains(name)
                if exists { try FileManager.default.moveItem(atPath: path, toPath: kept) }
                try #require(mkfifo(path, 0o600) == 0)
                let refused = try await ended(world, command)
                #expect((64...78).contains(refused.status), "\(name), \(command): \(refused)")
                #expect(refused.diagnostics.contains("is not a regular file"), "\(refused)")
                unlink(path)
                if exists { try FileManager.default.moveItem(atPath: kept, toPath: path) }
            }
        }
    }

    @Test func `a named pipe in place of the list of shown cards changes nothing`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let shown = try FileManager.default.contentsOfDirectory(atPath: world.folder)
                .first { $0.hasSuffix("shown") }
            let path = world.folder + "/" + (shown ?? "payments.db.shown")
            unlink(path)
            try #require(mkfifo(path, 0o600) == 0)
            let result = try await ended(world, "show \(session)")
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test(arguments: ["verify", "import", "redact", "replay"])
    func `a device, a folder and a file of the kernel end a command that reads them`(
        command: String
    ) async throws {
        try await World.with { world in
            for path in [
                "/dev/zero", "/dev/urandom", "/dev/full", "/proc/kmsg", "/proc/kcore", "/",
            ] {
                let refused = try await ended(world, "\(command) \(path)")
                #expect((64...69).contains(refused.status), "\(path): \(refused)")
            }
            let endless = try await ended(world, "\(command) -", input: "/dev/zero")
            #expect((64...69).contains(endless.status), "\(endless)")
            // What has an end is read: a pipe of the shell, and nothing.
            let opened = try await world.open()
            let piped = try await world.tool.shell(
                "workflowctl verify <(workflowctl log \(opened.session) --json)"
            )
            #expect(piped.status == 0, "\(piped)")
        }
    }

    @Test func `a signal ends a command that waits for a pipe`() async throws {
        try await World.with { world in
            try #require(mkfifo(world.folder + "/pipe", 0o600) == 0)
            for command in ["verify pipe", "--config pipe list", "checkpoint verify pipe"] {
                let ended = try await world.tool.shell(
                    "timeout -k 15 1 workflowctl \(command); echo $?"
                )
                #expect(ended.output == "124\n", "\(command): \(ended)")
            }
        }
    }

    @Test func `output replaces files, follows links, and is written to everything else`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let cases = ["export \(session)", "diagram \(session) --format svg", "export"]
            for command in cases {
                let written = try await world.tool.shell(
                    """
                    set -e
                    workflowctl \(command) -o plain
                    echo old > target; ln -sf target link; ln -sf missing dangling
                    workflowctl \(command) -o link; workflowctl \(command) -o dangling
                    test -L link; test -L dangling; cmp plain target; cmp plain missing
                    rm -f pipe; mkfifo pipe; cat pipe > read & workflowctl \(command) -o pipe; wait
                    test -p pipe; cmp plain read
                    if mknod null c 1 3 2> errors; then
                        workflowctl \(command) -o null; test -c null; rm null
                    fi
                    workflowctl \(command) -o /dev/stdout > redirected; cmp plain redirected
                    rm missing
                    """
                )
                #expect(written.status == 0, "\(command): \(written)")
            }
            #expect(try world.mode(of: world.folder + "/plain") == 0o600)
        }
    }
}
