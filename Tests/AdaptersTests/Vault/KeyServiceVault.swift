import Adapters
import EventLog
import Foundation
import FoundationNetworking
import SwedbankPay

/// Wraps and unwraps the data keys of sessions with a key service: the master key never leaves it.
struct KeyServiceVault: KeyVault {
    private let service: URL
    private let addresses: SessionKeys

    init(service: URL, wrappedAddressKey: [UInt8]) async throws(KeyVaultError) {
        self.service = service
        let key = try await Self.ask(service, to: "unwrap", wrappedAddressKey, for: "addresses")
        addresses = try Self.keys(key)
    }

    func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        let dataKey = SystemRandom().bytes(SessionKeys.dataKeyBytes)
        let wrapped = try await Self.ask(service, to: "wrap", dataKey, for: "\(session)")
        return (try Self.keys(dataKey), wrapped)
    }

    func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        try Self.keys(try await Self.ask(service, to: "unwrap", wrapped, for: "\(session)"))
    }

    func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        addresses.fingerprint(of: address)
    }

    private static func keys(_ dataKey: [UInt8]) throws(KeyVaultError) -> SessionKeys {
        guard let keys = SessionKeys(dataKey: dataKey) else {
            throw .malformed(reason: "the key service did not return a data key")
        }
        return keys
    }

    private static func ask(
        _ service: URL,
        to operation: String,
        _ bytes: [UInt8],
        for context: String
    ) async throws(KeyVaultError) -> [UInt8] {
        var request = URLRequest(url: service.appending(path: operation), timeoutInterval: 10)
        request.httpMethod = "POST"
        request.httpBody = Data(bytes)
        request.setValue(context, forHTTPHeaderField: "Context")
        let reply: (data: Data, response: URLResponse)
        do {
            reply = try await URLSession.shared.data(for: request)
        } catch {
            throw .unavailable(reason: "the key service cannot be reached")
        }
        switch (reply.response as? HTTPURLResponse)?.statusCode {
        case 200: return Array(reply.data)
        case 403: throw .wrongKey
        default: throw .unavailable(reason: "the key service returned an error")
        }
    }
}
