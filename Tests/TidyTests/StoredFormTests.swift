import Foundation
import Testing

/// Published and released formats do not change.
@Suite struct StoredFormTests {
    /// The golden logs and the checksums of their bytes; a log is added, never edited.
    private static let frozen = [
        "before-version-1.ndjson":
            "e2f2a9aac9c5b886c7465237a99ccbdb23652b13ddd72696f1359102b7285e0d",
        "every-event.ndjson": "9a5efd9bcd361238cabf7b68e56ad56e3333e35ba9a844db17db3f01b969bb62",
        "payment-aborted.ndjson":
            "a5343c4805341b57ef745890fba0fa241d2ed935691b1e0bffb40df68f343410",
        "payment-declined-then-swish.ndjson":
            "fd264ec4cfb540ce1e0146b1d6c72771203ee79b9ef2e5de32bf26ce2fc972ea",
        "answer-after-the-limit.ndjson":
            "287c184224da1156bc1b5a984af9227a231f759fb9c471391b8f63d9036a212f",
        "answer-paid-though-refused.ndjson":
            "476f1ee64c106f5d967dc8827a43c1ed0c785ad0ec691ec0fb9ba49fe3d8d43a",
        "answer-refund-failed-later.ndjson":
            "d4c3949a3a00845cd3e323222da2be60ff2c8914ee90b99913eed474631e70bb",
        "answer-reversed-in-part.ndjson":
            "3530deaa5a7652379871a817bff305cc0ce378ef5f5881329379d9f9b853b2ba",
        "answer-takes-payment-back.ndjson":
            "bbcfb75e1c6df9270c3552cc1d14d347e01706ced1bfcd284116982dcdae88c6",
        "captures-refused.ndjson":
            "95aa2b650822313a95ae2363cddf973a3fd8eddde90d15e31d4987cff06f320b",
        "charge-under-way.ndjson":
            "cd8cf1c329a8ebd44a2f86cc06eec698c3467e619c462850c153d748277ce3b0",
        "checkout.ndjson": "b5d4694d10f3c238b9e74418b7656fc5fcc1d7741693f200df01795994fc4e74",
        "address-known.ndjson": "af5ef8b8932e14b5c4bf74a47eda0c67ce63cc2ae93625b4358e0afb1d480237",
        "failed-by-whom.ndjson":
            "bc7b01e7789644bb9191cb052f52be1fceb91da623f760ef5d37e595d7be017b",
        "money-resolved.ndjson":
            "1fad62226c1adabe9f35b6f7cda6bedb4343e93abb72c78004e78ca965fd5c16",
        "payment-page.ndjson": "181b3caaef7d00c98f5942d3f146d2ee68cdd3757d889c14f94c6a6c88f9b79f",
        "payment-saved-card-challenge.ndjson":
            "5fb6cb3a8ab542c0892eefb6369545043252a62abbd36c30e54be8e31ad3fdf7",
        "payment-swish-this-device.ndjson":
            "e459583cb16ac4bd5730c6d2d99162c82bc7ca5ad434d373a798d3978900cb58",
    ]

    /// The exports of released versions and their checksums: every later version reads them.
    private static let frozenExports = [
        "events-0.1.json":
            "662fd393a1c9e264831cabdfd0e0240ba0fd67ab92fcb65278ac87afc853b867",
        "events-0.1.json.gz":
            "edaf659b5e0788b3ee08bf1e9685c47794322e9164d2bd65ce134392ae03fdd8",
        "masked-0.1.ndjson":
            "56cd23db78db1d511e9b6cc341281c1743552f5c9a75878f0c610ea1a639d1d8",
        "payments-0.1.ndjson":
            "253a4884cb0daa4be4ab66261e6ed1b2375a92794e12602bb7847fe397b36a71",
        "payments-0.1.ndjson.gz":
            "a81a12a08f2a939f53bceb51e3c7f5e25f6afc146a033e084dd22d67218e2c18",
        "payments-0.1.ndjson.zst":
            "b94c6302c6389fb33323dd0f538b2988028033cd56322bd7506638831d5e4b5f",
        "redacted-0.1.ndjson":
            "c095649749dd5ff0e830ab591e27ca9691c2719c980aff324f23e93f0500309d",
    ]

    @Test func `a golden export is never edited`() throws {
        for (name, sum) in Self.frozenExports {
            #expect(try Self.sum(of: "Tests/Fixtures/Exports/\(name)") == sum, "\(name)")
        }
        let folder = Repository.root.appendingPathComponent("Tests/Fixtures/Exports").path
        let found = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(found) == Set(Self.frozenExports.keys), "freeze an export that is added")
    }

    @Test func `a golden log is never edited`() throws {
        for (name, sum) in Self.frozen {
            #expect(try Self.sum(of: "Tests/Fixtures/Logs/\(name)") == sum, "\(name)")
        }
        let logs = Repository.files(below: "Tests/Fixtures/Logs", endingIn: ".ndjson")
        #expect(Set(logs.map(\.name)) == Set(Self.frozen.keys), "freeze a log that is added")
    }

    @Test func `every version of every event type has a schema, and every schema an event type`()
        throws
    {
        let types = Repository.files(below: "Sources/SwedbankPay/Events", endingIn: ".swift")
            .flatMap { $0.text.matches(of: /= EventType\(\s*"(\w+)"(?:,\s*version: (\d+))?/) }
            .map { (name: String($0.1), version: $0.2.flatMap { Int($0) } ?? 1) }
        #expect(types.count > 30)
        let schemas = Repository.files(below: "Schemas/events", endingIn: ".json").map(\.name)
        let versions = types.flatMap { type in
            (1...type.version).map { "\(type.name).v\($0).json" }
        }
        #expect(Set(schemas) == Set(versions + ["parts.schema.json", "sealed.schema.json"]))
        let record = try Repository.file("Schemas/record.schema.json").text
        #expect(types.map(\.name).filter { !record.contains("\"\($0)\"") } == [])
    }

    /// Returns the SHA-256 checksum, by the system's own tool.
    private static func sum(of path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [Repository.root.appendingPathComponent(path).path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes.prefix(64), as: UTF8.self)
    }
}
