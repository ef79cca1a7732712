import EventLog
import Foundation
import TestSupport
import Testing

@testable import Adapters

/// Signatures, and the file with the secrets.
@Suite(.feature("S-34"), .threat("T-61")) struct WebhookSecretTests {
    private static let sample = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let other = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()

    /// Source: Standard Webhooks, the example of its specification.
    @Test func `the example of the standard has its signature`() throws {
        let secret = try #require(WebhookSecret(Self.sample))
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: 1_614_265_330,
            body: Array(#"{"test": 2432232314}"#.utf8)
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect("\(secret)" == "webhook secret")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("SymmetricKey"))
    }

    @Test(arguments: [
        "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!!!!", "whsec_c2hvcnQ=",
        "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_" + Data(repeating: 1, count: 65).base64EncodedString(),
    ])
    func `anything else is no secret`(text: String) {
        #expect(WebhookSecret(text) == nil)
    }

    private func withFile(
        _ text: String,
        mode: Int = 0o600,
        _ body: (String) throws -> Void
    ) throws {
        try StoreFile.withDirectory { folder in
            let path = folder.appendingPathComponent("secrets").path
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.posixPermissions: mode],
                ofItemAtPath: path
            )
            try body(path)
        }
    }

    @Test func `a replaced file is read again, and a broken one leaves the secrets as they were`()
        throws
    {
        try withFile(Self.sample + "\n") { path in
            let file = try WebhookSecretFile(path: path)
            #expect(file.secrets.count == 1)
            try SecretFile(path: path).change { _ in "\(Self.other)\n\(Self.sample)\n" }
            #expect(file.secrets.count == 2)
            try SecretFile(path: path).change { _ in "nonsense\n" }
            #expect(file.secrets.count == 2)
        }
    }

    @Test(arguments: [("nonsense\n", 0o600), ("", 0o600), (sample + "\n", 0o644)])
    func `a file that others may read, or that has no secret, is refused`(
        text: String,
        mode: Int
    ) throws {
        try withFile(text, mode: mode) { path in
            #expect(throws: KeyVaultError.self) { try WebhookSecretFile(path: path) }
        }
    }
}
