import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// A checkup of plain values, as a program without commands runs it.
@Suite struct CheckupTests {
    /// Returns the findings about an installation with a store.
    private func findings(
        about store: Result<Installation.Store, CheckupFailure>,
        checking checks: Set<InstallationCheck>,
        on loop: UVLoop
    ) async -> [Finding] {
        let installation = Installation(
            build: "a service 1.0",
            version: "1.0",
            configuration: .success(Installation.Source(words: "built in", path: nil)),
            store: store,
            transport: TransportConfiguration(),
            loop: loop,
            rules: { SessionDecider(catalogue: .bundled) },
            now: { Instant(microseconds: 1_763_640_000_000_000) },
            explain: { CheckupFailure(code: $0.code, message: $0.description) }
        )
        var checkup = Checkup(of: installation, checks: checks)
        await checkup.run(psp: nil)
        return checkup.findings
    }

    /// Returns the store in a file, which is created when it is opened.
    private func store(at path: String, on loop: UVLoop) -> Installation.Store {
        let kind = StoreKinds.file(at: path)
        return Installation.Store(
            kind: kind,
            name: "the service's store",
            source: nil,
            keyFiles: [],
            secretFiles: [],
            open: { () async throws(CheckupFailure) -> any PersistentStore in
                do throws(EventStoreError) {
                    let opening = StoreOpening(node: "test", access: .createIfMissing)
                    return try await kind.open(opening, on: loop)
                } catch {
                    throw CheckupFailure(code: error.code, message: error.description)
                }
            },
            vault: { nil }
        )
    }

    @Test func `a new store passes the checks, in their order`() async throws {
        let loop = try UVLoop(name: "checkup")
        defer { loop.shutdown() }
        let folder = NSTemporaryDirectory() + "checkup-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let findings = await findings(
            about: .success(store(at: folder + "/payments.db", on: loop)),
            checking: [
                .psp, .imported, .projections, .time, .payers, .sessions, .keys, .schema, .store,
                .configuration, .build,
            ],
            on: loop
        )
        #expect(
            findings.map(\.check) == [
                .build, .configuration, .store, .schema, .keys, .sessions, .payers, .time,
                .projections, .imported, .psp,
            ]
        )
        #expect(findings.filter { $0.grade != .good }.map(\.check) == [.psp], "\(findings)")
        #expect(findings.last?.grade == .skipped)
        #expect(findings[0].words == "a service 1.0")
        #expect(findings[2].words == "the service's store can be read")
        #expect(findings.areHealthy(strictly: true))
    }

    @Test func `a store that cannot be opened is the finding of the check that needs it`()
        async throws
    {
        let loop = try UVLoop(name: "checkup")
        defer { loop.shutdown() }
        let failure = CheckupFailure(code: "a.code", message: "there is none", advice: "create it")
        let named = await findings(
            about: .failure(failure),
            checking: [.store, .keys],
            on: loop
        )
        #expect(named.map(\.check) == [.store, .keys])
        #expect(named.map(\.grade) == [.bad, .skipped])
        #expect(named[0].words == "there is none [a.code]" && named[0].advice == "create it")
        let alone = await findings(about: .failure(failure), checking: [.keys], on: loop)
        #expect(alone.map(\.check) == [.keys] && alone.map(\.grade) == [.bad])
        #expect(!alone.areHealthy())
    }
}
