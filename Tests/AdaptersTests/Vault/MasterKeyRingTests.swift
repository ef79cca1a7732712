import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

@Suite struct MasterKeyRingTests {
    private let session = SessionID(at: Instant(microseconds: 0), random: (1, 2))
    private let first = [UInt8](1...32)
    private let second = [UInt8](2...33)

    private func hexadecimal(_ key: [UInt8]) -> String {
        key.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `the first of several master keys wraps, and each unwraps what it wrapped`()
        async throws
    {
        let old = try MasterKeyVault(masterKey: first)
        let both = try MasterKeyVault(masterKeys: [second, first])
        let (keys, wrapped) = try await old.makeKeys(for: session)
        let opened = try await both.keys(unwrapping: wrapped, for: session)
        #expect(opened.fingerprint(of: "x") == keys.fingerprint(of: "x"))
        let anew = try #require(try await both.rewrap(wrapped, for: session))
        #expect(MasterKeyIdentity(ofWrapped: anew) == both.identities.first)
        #expect(try await both.rewrap(anew, for: session) == nil)
        let new = try MasterKeyVault(masterKey: second)
        let again = try await new.keys(unwrapping: anew, for: session)
        #expect(again.fingerprint(of: "x") == keys.fingerprint(of: "x"))
        await #expect(throws: KeyVaultError.wrongKey) {
            try await new.rewrap(wrapped, for: session)
        }
        let address = "https://api.example/psp/1"
        #expect(
            try await both.formerAddressFingerprints(of: address) == [
                try await old.addressFingerprint(of: address)
            ]
        )
    }

    @Test
    func `a key text may have comments and several keys, separated by lines, spaces or commas`()
        throws
    {
        let base64 = Data(second).base64EncodedString()
        for text in [
            "\(hexadecimal(first))\n\(base64)\n",
            "# newest first\n\(hexadecimal(first))  \(base64)",
            "\(hexadecimal(first)), \(base64),\(hexadecimal(first))",
        ] {
            let ring = try #require(MasterKeyRing(text: text), "\(text)")
            #expect(ring.keys.map(\.identity) == [first, second].map { MasterKey($0)?.identity })
        }
        let many = (0..<17).map { hexadecimal([UInt8](repeating: $0, count: 32)) }
        for text in ["", "# only a remark\n", "\(base64) nonsense", many.joined(separator: "\n")] {
            #expect(MasterKeyRing(text: text) == nil, "\(text)")
        }
    }

    @Test func `an open vault follows the keys added to and removed from its key file`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "master.key").path()
        let engine = try KeyFileVault(path: path)
        let (_, wrapped) = try await engine.makeKeys(for: session)
        let old = try #require(engine.identities.first)
        try KeyFileVault(path: path).addKey()
        #expect(engine.identities.count == 2)
        #expect(engine.identities.last == old)
        let (_, newest) = try await engine.makeKeys(for: session)
        #expect(MasterKeyIdentity(ofWrapped: newest) == engine.identities.first)
        _ = try await engine.keys(unwrapping: wrapped, for: session)
        // Adding keys concurrently loses none.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try? KeyFileVault(path: path).addKey() } }
        }
        #expect(engine.identities.count == 10)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let newestKey = try #require(engine.identities.first)
        try engine.removeFormerKeys()
        #expect(engine.identities == [newestKey])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["master.key"]
        )
        await #expect(throws: KeyVaultError.wrongKey) {
            try await engine.keys(unwrapping: wrapped, for: session)
        }
    }

    @Test func `a key added while former keys are removed stays, and so does the one before it`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "master.key").path()
        let vault = try KeyFileVault(path: path)
        try vault.addKey()
        let former = Array(vault.identities.dropFirst())
        let current = try #require(vault.identities.first)
        let (_, wrapped) = try await vault.makeKeys(for: session)
        // Another process replaces the master key after the former ones were determined.
        try KeyFileVault(path: path).addKey()
        try vault.removeKeys(former)
        #expect(vault.identities.count == 2)
        #expect(vault.identities.last == current)
        _ = try await vault.keys(unwrapping: wrapped, for: session)
        // The first key is never removed.
        try vault.removeKeys(vault.identities)
        #expect(vault.identities.count == 1)
    }

    @Test func `a command provides the key, and its output never appears in an error`()
        async throws
    {
        let text = hexadecimal(first)
        let vault = try KeyCommandVault(command: "printf '%s\\n' \(text)")
        let address = "https://api.example/psp/1"
        let direct = try MasterKeyVault(masterKey: first)
        #expect(
            try await vault.addressFingerprint(of: address)
                == (try await direct.addressFingerprint(of: address))
        )
        let failing: [(String, String)] = [
            ("echo \(text); exit 3", "ended with status 3"),
            ("kill -9 $$", "signal 9"), ("no-such-command-here 2>/dev/null", "status 127"),
            ("yes \(text)", "more than"), ("printf 'secret-\\377'", "not write text"),
            ("echo secret-word", "32 bytes in base64"), ("true", "32 bytes in base64"),
            ("", "no key command"),
            ("cat", "32 bytes in base64"),
        ]
        for (command, words) in failing {
            #expect {
                try KeyCommandVault(command: command)
            } throws: { error in
                let told = "\(error)"
                return told.contains(words) && !told.contains("secret") && !told.contains(text)
            }
        }
    }

    /// Whether a process runs: one that has ended, and was not waited for yet, has no arguments.
    private func isRunning(_ process: String) -> Bool {
        let arguments = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        return arguments?.isEmpty == false
    }

    @Test(.timeLimit(.minutes(10)))
    func `a key command over its time limit fails soon, and what it started is killed`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let start = "sleep 1000 & echo $! >'\(file.path())'"
        // The shell waits for its child, waits with a closed output, or ends before it.
        for command in ["\(start); wait", "exec >&-; \(start); wait", start] {
            var child = ""
            var limit = Duration.milliseconds(300)
            while child.isEmpty, limit < .seconds(100) {
                let begin = ContinuousClock.now
                #expect(
                    throws: KeyVaultError.unavailable(reason: "the key command took too long")
                ) {
                    try KeyCommandVault(command: command, timeLimit: limit)
                }
                #expect(ContinuousClock.now - begin < limit + .seconds(20))
                // On a busy machine it may not have started its child: then it gets more time.
                let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                child = String(text.prefix { $0 != "\n" })
                limit *= 2
            }
            try #require(!child.isEmpty)
            while isRunning(child) { try await Task.sleep(for: .milliseconds(1)) }
            try FileManager.default.removeItem(at: file)
        }
    }
}
