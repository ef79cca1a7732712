internal import Adapters

/// Looks who could read along on connections, or take the place of who they lead to.
enum ConnectionCheck {
    /// What is not as it should be.
    ///
    /// - Parameters:
    ///   - server: The connection string of a store on a server.
    ///   - wantsSecretsFile: Whether the environment asked for the secrets of all connections in a file.
    static func risks(server: String?, wantsSecretsFile: Bool) -> [Finding] {
        var findings: [Finding] = []
        if wantsSecretsFile {
            findings.append(
                Finding(
                    "connections",
                    .warning,
                    "SSLKEYLOGFILE was set, and is ignored: no secrets of connections are written",
                    advice: "find out who sets it; other programs do what it says"
                )
            )
        }
        if let protection = server.flatMap(PostgreSQLEventStore.remoteProtection) {
            findings += risks(of: protection.mode, protection.isVerified, protection.isRefused)
        }
        return findings
    }

    private static func risks(
        of mode: String,
        _ isVerified: Bool,
        _ isRefused: Bool
    ) -> [Finding] {
        guard !isVerified else { return [] }
        let words =
            isRefused
            ? "sslmode=\(mode) would send the password of the store in the clear: it is not sent"
            : "sslmode=\(mode) does not make sure that the store's server is the right one"
        let advice =
            "leave sslmode out, or write sslmode=verify-full, and name the authority with sslrootcert"
        return [Finding("connections", isRefused ? .bad : .warning, words, advice: advice)]
    }
}
