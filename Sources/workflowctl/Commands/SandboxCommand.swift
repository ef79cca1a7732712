internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay

/// `sandbox`: serves the simulated PSP.
struct SandboxCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a sandbox payment service provider (PSP) for testing.",
        discussion: """
            Runs until interrupted; no real money is involved. 'sandbox order' creates an order \
            and prints its session URL, and 'sandbox act' simulates actions by others, such as \
            another device or the merchant portal.

            A scenario file defines how the sandbox treats certain orders: which methods they \
            offer, what fails, and when. The first file that matches an order is used. Run \
            'workflowctl schema scenario' for the format.

            Examples:
              workflowctl sandbox --port 8093
              workflowctl sandbox --port 8093 --scenario declined.json \\
                --scenario slow.json
              workflowctl sandbox order --at http://127.0.0.1:8093 --payer payer-1
              workflowctl sandbox act devicePays --at http://127.0.0.1:8093 --order ORDER
              workflowctl sandbox --merchant-backend 8094
            """,
        subcommands: [SandboxOrderCommand.self, SandboxActCommand.self]
    )

    @Option(help: ArgumentHelp("The port; 0 chooses a free one.", valueName: "number"))
    var port = 0

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp("A scenario file; may be repeated.", valueName: "file")
    )
    var scenario: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also run a merchant backend on this port; 0 chooses a free one.",
            valueName: "number"
        )
    )
    var merchantBackend: Int?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard (0...65535).contains(merchantBackend ?? 0) else {
            throw .usage("port", "ports are numbers from 0 to 65535")
        }
        guard (0...65535).contains(port) else {
            throw .usage("port", "ports are numbers from 0 to 65535")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var configuration = SandboxConfiguration(host: host, port: port)
        for path in scenario { configuration.scenarios.append(try Self.read(path)) }
        let server: SandboxServer
        do {
            server = try await SandboxServer.start(configuration)
        } catch {
            throw Failure(
                .unavailable,
                "sandbox.not-listening",
                "the sandbox cannot listen on \(Screen.safe(host)) port \(port)",
                hint: "choose another port with --port, or 0 for any free port"
            )
        }
        var backend: SandboxBackend?
        if let merchantBackend {
            do throws(Failure) {
                backend = try await .start(port: merchantBackend, before: server, invocation)
            } catch {
                await server.shutdown()
                throw error
            }
        }
        if global.json {
            invocation.print(
                .object(
                    [.init("baseURL", .string(server.baseURL))]
                        + (backend.map { [.init("backendURL", .string($0.root))] } ?? [])
                )
            )
        } else {
            printResult(server.baseURL, backend?.root, invocation)
        }
        while !Task.isCancelled {
            try? await invocation.loop.sleep(for: .seconds(3600))
        }
        await backend?.shutdown()
        await server.shutdown()
        return .interrupted
    }

    private static func read(_ path: String) throws(Failure) -> ScenarioFile {
        let bytes = try FileBytes.read(path, limit: ScenarioFile.maximumBytes)
        do {
            return try ScenarioFile.read(bytes)
        } catch {
            throw Failure(
                .configuration,
                "scenario.malformed",
                "\(Screen.safe(path)) is not a valid scenario: \(Screen.safe(error.description))",
                hint: "run 'workflowctl schema scenario' for the format"
            )
        }
    }

    private func printResult(_ baseURL: String, _ backend: String?, _ invocation: Invocation) {
        let (style, program) = (invocation.output.style, invocation.program)
        let body = SandboxOrderCommand.example
        invocation.print(style.paint("sandbox", .heading) + " " + style.paint(baseURL, .accent))
        invocation.output.write(
            """

            Create an order and open a session for it:
              \(program) --allow-insecure-loopback open "$(\(program) sandbox order --at \(baseURL) --payer payer-1)"

            Create the same order with curl; the view-paymentsession link in the response is the session URL:
              curl -sS -H 'Content-Type: application/json' -d '\(body)' \(baseURL)/psp/paymentorders

            Let another device pay an order (see 'sandbox act --help' for more):
              \(program) sandbox act devicePays --at \(baseURL) --order "$(\(program) sandbox order --at \(baseURL))"

            See what was actually paid:
              curl -sS \(baseURL)/sandbox/ledger

            Press Ctrl-C to stop.

            """
        )
        guard let backend else { return }
        invocation.print(
            "\n" + style.paint("merchant backend", .heading) + " " + style.paint(backend, .accent)
        )
        invocation.output.write(
            """

            Let a payer pay the order in order.json in a browser:
              echo 'Authorization: Bearer \(SandboxBackend.callerToken)' > headers
              \(program) --allow-insecure-loopback --headers-file headers checkout start order.json --backend \(backend)

            See the pages that lead a payer back to the apps \(SandboxBackend.androidPackage) and \(SandboxBackend.appleAppID):
              curl -sS '\(backend)sdk-callback/android-intent?package=\(SandboxBackend.androidPackage)&id=1'
              curl -sSi '\(backend)sdk-callback/ios-universal-link?scheme=\(SandboxBackend.appleScheme)&language=sv-SE&id=1'
              curl -sS \(origin(of: backend))/.well-known/apple-app-site-association

            """
        )
    }

    /// Returns the backend's address without its path.
    private func origin(of backend: String) -> String {
        backend.pieces(between: "/").prefix(2).joined(separator: "//")
    }
}
