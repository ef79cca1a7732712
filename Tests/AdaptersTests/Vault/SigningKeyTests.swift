import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters

@Suite struct SigningKeyTests {
    @Test func `the signing key is created on first use, accessible to its owner only, and reused`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signing-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "payments.db.signing-key").path()
        #expect(throws: KeyVaultError.missing(reason: "there is no signing key \(path)")) {
            try SigningKey.inFile(path, createsMissing: false)
        }
        let first = try SigningKey.inFile(path, createsMissing: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let second = try SigningKey.inFile(path, createsMissing: true)
        #expect(first.publicKey == second.publicKey)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(SigningKey.inText(text)?.publicKey == first.publicKey)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: KeyVaultError.insecurePermissions(path: path, mode: 0o644)) {
            try SigningKey.inFile(path, createsMissing: true)
        }
    }

    @Test func `a public key is read from hexadecimal digits and from base64`() throws {
        let signer = try #require(SigningKey.inText(String(repeating: "ab", count: 32)))
        let key = signer.publicKey
        #expect(CheckpointKey(text: "\(key)\n") == key)
        #expect(CheckpointKey(text: Data(key.bytes).base64EncodedString()) == key)
        for text in ["", "ab", "\(key)00", Data([1, 2, 3]).base64EncodedString()] {
            #expect(CheckpointKey(text: text) == nil)
            #expect(SigningKey.inText(text) == nil)
        }
    }
}
