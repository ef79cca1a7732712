import Foundation
import Testing

@testable import Sandbox

/// Files can be read and written by their owner only, whatever the umask.
@Suite struct FileModeTests {
    @Test(arguments: ["000", "022", "077"])
    func `every created file is accessible only to its owner, whatever the umask`(
        umask: String
    ) async throws {
        try await World.with { world in
            let order = try await world.sandbox.createOrder()
            let made = try await world.tool.shell(
                """
                umask \(umask)
                export WORKFLOWCTL_STORE=sqlite:payments.db TMPDIR=$PWD
                cat > watch.sh <<'END'
                while [ ! -e stop ]; do
                  find . -type f -perm /177 ! -name watch.sh ! -name stop ! -name seen ! -name url
                done >> seen
                END
                chmod 600 watch.sh; printf '%s' '\(order.sessionURL)' > url; chmod 600 url
                : > seen
                bash watch.sh & watcher=$!
                set -e
                workflowctl --allow-insecure-loopback open - < url --json > /dev/null
                id=$(workflowctl list --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["session"])')
                workflowctl export -o logs.ndjson 2> /dev/null
                workflowctl export --format cloudevents -o events.ndjson 2> /dev/null
                workflowctl keys rotate > /dev/null 2>&1
                workflowctl scenario record $id -o scenario.json > /dev/null 2>&1
                workflowctl erase $id --reason test --force > /dev/null
                : > stop
                wait $watcher
                sort -u seen
                """
            )
            #expect(made.status == 0, "\(made.diagnostics)")
            #expect(made.output == "")
            for name in [
                "payments.db", "payments.db.key", "payments.db-leases", "logs.ndjson",
                "events.ndjson", "scenario.json",
            ] {
                #expect(try world.mode(of: world.folder + "/" + name) == 0o600, "\(name)")
            }
        }
    }
}
