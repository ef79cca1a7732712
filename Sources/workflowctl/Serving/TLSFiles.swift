internal import Adapters
internal import EventLog
internal import HummingbirdHTTP2
internal import Logging

/// The files with the certificate and the key by which clients know the service.
///
/// They are read again once one of them was replaced. While they cannot be used, what was read last
/// remains: replacing one after the other interrupts nothing.
final class TLSFiles: Sendable {
    private struct Known {
        var marks: [SecretFile.Mark?]
        var version = 0
        var configuration: TLSConfiguration
    }

    /// The paths of both files.
    private let certificate, key: String
    private let log: Logger
    private let known: ThreadLock<Known>

    /// The maximum size of each file, in bytes.
    private static let sizeLimit = 1 << 18

    /// Reads the files.
    ///
    /// - Throws: A failure when they do not belong together, or when others can change them or read
    ///   the key.
    init(certificate: String, key: String, log: Logger) throws(Failure) {
        (self.certificate, self.key, self.log) = (certificate, key, log)
        // Before they are read, so that files that are replaced meanwhile are read again.
        let marks = Self.marks(certificate, key)
        known = ThreadLock(Known(marks: marks, configuration: try Self.read(certificate, key)))
    }

    /// What the files have now, and a number that changes with it.
    var current: (version: Int, configuration: TLSConfiguration) {
        let marks = Self.marks(certificate, key)
        return known.withLock { known in
            if marks != known.marks {
                known.marks = marks
                do throws(Failure) {
                    known.configuration = try Self.read(certificate, key)
                    known.version += 1
                    log.notice("certificate replaced")
                } catch {
                    log.error(
                        "certificate not replaced",
                        metadata: ["code": "\(error.code)", "reason": "\(error.message)"]
                    )
                }
            }
            return (known.version, known.configuration)
        }
    }

    private static func marks(_ paths: String...) -> [SecretFile.Mark?] {
        paths.map { SecretFile(path: $0).mark }
    }

    private static func read(
        _ certificate: String,
        _ key: String
    ) throws(Failure) -> TLSConfiguration {
        let chain: [UInt8]
        let secret: String?
        do throws(Failure) {
            chain = try FileBytes.read(certificate, limit: sizeLimit) { facts throws(Failure) in
                try ConfigurationSecrets.check(facts, of: "it", certificate)
            }
        } catch {
            throw unusable("the certificate \(certificate): \(error.message)", error.hint)
        }
        do throws(KeyVaultError) {
            secret = try SecretFile(path: key, bytesLimit: sizeLimit).read()
        } catch {
            let failure = Failure(error)
            throw unusable(failure.message, failure.hint)
        }
        guard let secret else { throw unusable("there is no key file \(key)") }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(chain)
                    .map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(secret.utf8), format: .pem)
                )
            )
            configuration.minimumTLSVersion = .tlsv12
            // Accepts no other certificate's key.
            _ = try HTTP2UpgradeChannel(tlsConfiguration: configuration) { _, _, _ in }
            return configuration
        } catch {
            throw unusable("the certificate and the key are not PEM, or do not belong together")
        }
    }

    private static func unusable(_ reason: String, _ hint: String? = nil) -> Failure {
        Failure(
            .configuration,
            "service.tls",
            "TLS cannot be used: \(reason)",
            hint: hint ?? "name a PEM file with the certificate and those that issued it, and one "
                + "with its key, which has no password"
        )
    }
}
