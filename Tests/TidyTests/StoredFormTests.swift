import Foundation
import Testing

/// Published and released formats do not change.
@Suite struct StoredFormTests {
    /// The golden logs and the checksums of their bytes; a log is added, never edited.
    private static let frozen = [
        "address-known.ndjson":
            "af5ef8b8932e14b5c4bf74a47eda0c67ce63cc2ae93625b4358e0afb1d480237",
        "answer-after-the-limit.ndjson":
            "287c184224da1156bc1b5a984af9227a231f759fb9c471391b8f63d9036a212f",
        "answer-paid-though-refused.ndjson":
            "abc32bc1dec308ddc8803abcc20194ee16fa4c555abf78ec907cdb52fb153a2a",
        "answer-refund-failed-later.ndjson":
            "d4c3949a3a00845cd3e323222da2be60ff2c8914ee90b99913eed474631e70bb",
        "answer-reversed-in-part.ndjson":
            "3530deaa5a7652379871a817bff305cc0ce378ef5f5881329379d9f9b853b2ba",
        "answer-takes-payment-back.ndjson":
            "f33407b61d2174581f297e948813deaf309bac2edae5bbd088ff805a01f56401",
        "captures-refused.ndjson":
            "95aa2b650822313a95ae2363cddf973a3fd8eddde90d15e31d4987cff06f320b",
        "charge-under-way.ndjson":
            "c68180fc6c77172cdcd98660552ebbcd5e51c492b249d4477ecb77e2615ef70e",
        "checkout.ndjson":
            "94a0ddfb795ed2fc69e50e6f497ac053cfde103e09319d6c97216bf5df98123e",
        "every-event.ndjson":
            "887fd9c2c53b043585d9b013acfd51346dba17a24aa0c4ca205769e11d576fcb",
        "failed-by-whom.ndjson":
            "ee36d76cbc9f55e0a4903f7c6372e23372eb4bb7003eb0b0a16413be75bb37d7",
        "money-resolved.ndjson":
            "1fad62226c1adabe9f35b6f7cda6bedb4343e93abb72c78004e78ca965fd5c16",
        "payment-aborted.ndjson":
            "6dc2b7f707e48419c8f2b164b9066acdd0a686da86ab71843abf19809221f722",
        "payment-declined-then-swish.ndjson":
            "1be64ad20387091e33554b76ee58ac4458ca089d2d1942eb85f5be6d44e6d223",
        "payment-page.ndjson":
            "181b3caaef7d00c98f5942d3f146d2ee68cdd3757d889c14f94c6a6c88f9b79f",
        "payment-saved-card-challenge.ndjson":
            "f196109b6960bcbce7393195ffc3bf33307b49ffcff9e607055efb78b6b6b592",
        "payment-swish-this-device.ndjson":
            "46811349c32374168a9dd8023bf75f67162b6bd6907d695282f528304704d5b4",
    ]

    /// The exports of released versions and their checksums: every later version reads them.
    private static let frozenExports = [
        "events-0.1.json":
            "a47d56ed39c476584852fe427638bc223209869f9618488a5e1648fb38cd080e",
        "events-0.1.json.gz":
            "a2b04836130092c8ee427fd4f80e19598e09d31a1cc1c94472406e408e41c38f",
        "payments-0.1.ndjson":
            "be9219ba9c25f1c8d09a45b317007fc63d38a39e8d54525f8447f7ea107539cd",
        "payments-0.1.ndjson.gz":
            "adb5c44362f653631c75e1e7f77f354a518d8ab46b8db2824a822586c166fef3",
        "payments-0.1.ndjson.zst":
            "fea64a7ee324af4330a4c43ef6e6ec132cf6f1c0f750efa61180f10cbffc685b",
        "redacted-0.1.ndjson":
            "9c1c8483c1ce8a3b780151be16c5744402dc2f54f657be8deaa863e100f3a26f",
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
