import Foundation
import TestSupport
import Testing

@testable import Sandbox
@testable import workflowctl

/// Files of other users, who control their content.
///
/// Only root can change a file's owner: these tests cannot run as another user.
@Suite(.threat("T-27"), .enabled(if: getuid() == 0)) struct OwnerTests {
    @Test func `a configuration of another user runs no command`() async throws {
        try await World.with { world in
            let path = try world.write(#"{"keys": {"command": "touch ran"}}"#, to: "config.json")
            #expect(
                try await world.tool.shell("chmod 600 \(path); chown 65534 \(path)").status == 0
            )
            for arguments in [["list"], ["keys", "list"], ["doctor"]] {
                let result = try await world.tool.run(arguments + ["--config", path])
                #expect(
                    (result.output + result.diagnostics).contains("[configuration.foreign-owner]"),
                    "\(arguments): \(result.diagnostics)"
                )
            }
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/ran"))
        }
    }

    @Test func `keys and signing keys of another user are not used`() async throws {
        try await World.with { world in
            _ = try await world.open()
            #expect(try await world.tool.shell("chown 65534 payments.db.key").status == 0)
            let refused = try await world.run("keys", "list")
            #expect(refused.status == 78)
            #expect(refused.diagnostics.contains("[vault.foreign-owner]"))
            let doctor = try await world.run("doctor", "--json")
            #expect(doctor.status == 1 && doctor.output.contains("is owned by another user"))
            #expect(try await world.tool.shell("chown 0 payments.db.key").status == 0)
            let made = try await world.run("checkpoint", "create", "--signing-key", "sign.key")
            #expect(made.status == 0, "\(made.diagnostics)")
            #expect(try await world.tool.shell("chown 65534 sign.key").status == 0)
            let unsigned = try await world.run("checkpoint", "create", "--signing-key", "sign.key")
            #expect(unsigned.diagnostics.contains("[vault.foreign-owner]"))
        }
    }

    @Test func `a token file of another user and a headers file writable by others are refused`()
        async throws
    {
        try await World.with { world in
            let path = try world.write("hunter2", to: "token")
            let headers = try world.write("A: b", to: "headers")
            let script = """
                chown 65534 \(path); chmod 666 \(headers)
                """
            #expect(try await world.tool.shell(script).status == 0)
            let token = #expect(throws: Failure.self) { try OrderSecrets.token(in: path) }
            #expect(token?.code == "configuration.foreign-owner")
            let open = #expect(throws: Failure.self) { try OrderSecrets.headers(in: headers) }
            #expect(open?.code == "configuration.insecure-permissions")
        }
    }
}
