import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters

@Suite struct KeyFileVaultTests {
    private let session = SessionID(at: Instant(microseconds: 0), random: (1, 2))

    /// Runs a test in a directory of its own.
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "master.key").path())
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test func `the key file is created on first use, accessible to its owner only, and reused`()
        async throws
    {
        try await inFolder { path in
            let first = try KeyFileVault(path: path)
            #expect(try mode(of: path) == 0o600)
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["master.key"])
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(Data(base64Encoded: text.trimmingCharacters(in: .newlines))?.count == 32)
            let (keys, wrapped) = try await first.makeKeys(for: session)
            let second = try KeyFileVault(path: path)
            let again = try await second.keys(unwrapping: wrapped, for: session)
            #expect(again.fingerprint(of: "x") == keys.fingerprint(of: "x"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test(.threat("T-25")) func `a key file that others may read is refused`() async throws {
        try await inFolder { path in
            _ = try KeyFileVault(path: path)
            for mode in [0o640, 0o604, 0o660, 0o610, 0o644] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode],
                    ofItemAtPath: path
                )
                #expect(
                    throws: KeyVaultError.insecurePermissions(path: path, mode: UInt32(mode))
                ) { try KeyFileVault(path: path) }
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
            _ = try KeyFileVault(path: path)
        }
    }

    @Test func `a file without a valid key is refused and left unchanged`() async throws {
        try await inFolder { path in
            for text in ["", "short", String(repeating: "g", count: 64), "AAAA"] {
                #expect(
                    FileManager.default.createFile(
                        atPath: path,
                        contents: Data(text.utf8),
                        attributes: [.posixPermissions: 0o600]
                    )
                )
                #expect {
                    try KeyFileVault(path: path)
                } throws: { error in
                    guard case .malformed = error as? KeyVaultError else { return false }
                    return true
                }
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.size] as? NSNumber)?.intValue == text.utf8.count)
            }
        }
    }

    @Test func `a missing key file is an error where none may be created`() async throws {
        try await inFolder { path in
            #expect(throws: KeyVaultError.missing(reason: "there is no key file \(path)")) {
                try KeyFileVault(path: path, createsMissing: false)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect {
                try KeyFileVault(path: path + "/nowhere/master.key")
            } throws: { error in
                guard case .unavailable = error as? KeyVaultError else { return false }
                return true
            }
        }
    }

    @Test func `concurrent first uses create one key, and all use it`() async throws {
        try await inFolder { path in
            let prints = try await withThrowingTaskGroup(of: Digest256.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await KeyFileVault(path: path).addressFingerprint(
                            of: "https://a.example"
                        )
                    }
                }
                var prints: Set<Digest256> = []
                for try await print in group { prints.insert(print) }
                return prints
            }
            #expect(prints.count == 1)
        }
    }

    @Test func `hexadecimal and base64 name the same key`() async throws {
        let bytes = [UInt8](1...32)
        let hexadecimal = bytes.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let variable = EnvironmentVault.variable
        let vaults = try [
            hexadecimal, hexadecimal.uppercased(), Data(bytes).base64EncodedString() + "\n",
        ]
        .map { try EnvironmentVault(environment: [variable: $0]) }
        let direct = try MasterKeyVault(masterKey: bytes)
        for vault in vaults {
            let print = try await vault.addressFingerprint(of: "https://a.example")
            #expect(print == (try await direct.addressFingerprint(of: "https://a.example")))
        }
        #expect(throws: KeyVaultError.missing(reason: "the variable \(variable) is not set")) {
            try EnvironmentVault(environment: [:])
        }
        #expect(throws: KeyVaultError.self) {
            try EnvironmentVault(environment: [variable: "nonsense"])
        }
    }

    @Test(.threat("T-02"), .duty("C-05"))
    func `a wrapped key opens only for its session and under its master key`() async throws {
        let vault = try MasterKeyVault(masterKey: [UInt8](1...32))
        let (keys, wrapped) = try await vault.makeKeys(for: session)
        let back = try await vault.keys(unwrapping: wrapped, for: session)
        #expect(back.fingerprint(of: "x") == keys.fingerprint(of: "x"))
        let other = SessionID(at: Instant(microseconds: 0), random: (1, 3))
        await #expect(throws: KeyVaultError.wrongKey) {
            try await vault.keys(unwrapping: wrapped, for: other)
        }
        let stranger = try MasterKeyVault(masterKey: [UInt8](2...33))
        await #expect(throws: KeyVaultError.wrongKey) {
            try await stranger.keys(unwrapping: wrapped, for: session)
        }
        for place in wrapped.indices.dropFirst() {
            var altered = wrapped
            altered[place] ^= 1
            await #expect(throws: KeyVaultError.wrongKey) {
                try await vault.keys(unwrapping: altered, for: session)
            }
        }
        for length in 0..<wrapped.count {
            await #expect(throws: KeyVaultError.self) {
                try await vault.keys(unwrapping: Array(wrapped.prefix(length)), for: session)
            }
        }
        let (others, _) = try await vault.makeKeys(for: session)
        #expect(others.fingerprint(of: "x") != keys.fingerprint(of: "x"))
    }

    @Test func `random bytes have the requested length and do not repeat`() {
        let random = SystemRandom()
        for count in [0, 1, 7, 8, 12, 33] { #expect(random.bytes(count).count == count) }
        #expect(Set((0..<1000).map { _ in random.bytes(12) }).count == 1000)
    }
}
