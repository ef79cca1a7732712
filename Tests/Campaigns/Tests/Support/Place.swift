import Foundation
import FoundationNetworking
import Synchronization
import TestSupport

/// A folder with a store, and a sandbox PSP in a process of its own.
final class Place: Sendable {
    let folder: String
    /// The store's folder, which may be a separate file system.
    let storeFolder: String
    private let sandbox: TestProcess
    let provider: String
    /// The processes that were started here and may still run.
    private let children = Mutex<[TestProcess]>([])

    var store: String { storeFolder + "/payments.db" }

    /// Runs a test with a place, whose files are kept if the test fails.
    static func with(
        _ name: String,
        storeIn storeFolder: String? = nil,
        _ body: (Place) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "campaign-\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let place: Place
        do {
            place = try await Place(folder, storeFolder ?? folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        do {
            try await body(place)
        } catch {
            await place.close(keepsFiles: true)
            throw error
        }
        await place.close(keepsFiles: place.isKept)
    }

    private init(_ folder: String, _ storeFolder: String) async throws {
        (self.folder, self.storeFolder) = (folder, storeFolder)
        sandbox = try TestProcess("workflowctl", ["sandbox", "--json"], in: folder)
        for _ in 1...800 where sandbox.isRunning && !sandbox.outputSoFar.contains("\n") {
            // If this is canceled during the start, no address is found below.
            try? await Task.sleep(for: .milliseconds(25))
        }
        let told = try? JSONSerialization.jsonObject(with: Data(sandbox.outputSoFar.utf8))
        guard let url = (told as? [String: Any])?["baseURL"] as? String else {
            sandbox.kill()
            throw CampaignError("the sandbox did not start: \(await sandbox.ending().words)")
        }
        provider = url
        // The token that commands show the PSP when they create orders; it accepts any.
        try write("campaign\n", to: "token")
    }

    /// Ends everything that was started here, so that nothing writes to the folder any more, and
    /// removes it.
    private func close(keepsFiles: Bool) async {
        for child in children.withLock({ $0 }) { await child.end() }
        sandbox.kill()
        _ = await sandbox.ending()
        if keepsFiles {
            print("the files are kept: \(folder)")
        } else {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Whether the files are to be kept.
    private var isKept: Bool { FileManager.default.fileExists(atPath: folder + "/keep") }

    /// Keeps the files.
    func keep() { _ = FileManager.default.createFile(atPath: folder + "/keep", contents: nil) }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Runs `workflowctl` on the store, or has it ask a service.
    func tool(
        _ arguments: [String],
        environment: [String: String] = [:],
        store: String? = nil,
        server: String? = nil,
        killedAfter limit: Duration? = nil
    ) async throws -> TestProcess.Ending {
        let place =
            server.map { ["--server", $0, "--token-file", ServiceRun.tokenFile] }
            ?? ["--store", "sqlite:\(store ?? self.store)"]
        let child = try start(
            "workflowctl",
            place + ["--allow-insecure-loopback"] + arguments,
            environment: environment
        )
        if let limit { return await child.ending(killedAfter: limit) }
        return await child.ending()
    }

    /// The path of the host: beside the tests, or another, for example one that was built with a
    /// sanitizer.
    static let host = URL(
        fileURLWithPath: CampaignOptions.host ?? TestProcess.path(of: "CampaignHost")
    ).path

    /// Starts a host on the store.
    func host(
        _ name: String = "host",
        jobs: String = "jobs",
        place: Int = 0,
        of hosts: Int = 1,
        environment: [String: String] = [:]
    ) throws -> TestProcess {
        try start(
            Self.host,
            [store, "\(folder)/\(jobs)", "\(folder)/\(name).acknowledged", "\(place)", "\(hosts)"],
            environment: environment
        )
    }

    /// Starts a program that ends with this place at the latest.
    func start(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> TestProcess {
        let child = try TestProcess(program, arguments, in: folder, environment: environment)
        children.withLock { children in
            children.removeAll { !$0.isRunning }
            children.append(child)
        }
        return child
    }

    /// Sends a request to the PSP as an observer or another party.
    func call(_ path: String, _ body: [String: Any]? = nil) async throws -> Data {
        guard let url = URL(string: provider + path) else { throw CampaignError(path) }
        var request = URLRequest(url: url)
        if let body {
            request.httpMethod = "POST"
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 300 else {
            throw CampaignError("\(path): \(String(decoding: data.prefix(300), as: UTF8.self))")
        }
        return data
    }
}
