internal import Foundation
internal import Hummingbird
internal import Measuring
internal import NIOCore

/// A Hummingbird server with one handler, which returns the content of a file: what the service
/// could answer if it did nothing.
enum BareService {
    /// Starts it in a process of its own, with what it returns.
    static func start(
        returning content: [UInt8],
        in directory: String
    ) throws -> (
        process: ChildProcess, url: String
    ) {
        let file = directory + "/bare.json"
        try Data(content).write(to: URL(fileURLWithPath: file))
        let process = try ChildProcess.helper(["bare-service", file])
        return (process, try process.line())
    }

    // MARK: Helper process

    /// Serves until it is killed.
    static func child(_ file: String) async throws {
        let content = ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: file)))
        let router = Router()
        router.get("v1/sessions/:session") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: content)
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                fflush(nil)
            }
        )
        try await application.runService(gracefulShutdownSignals: [])
    }
}
