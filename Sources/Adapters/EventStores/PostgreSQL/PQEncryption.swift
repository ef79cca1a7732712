internal import CPQ
internal import EventLog
internal import Glibc

/// Decides how a connection to a host is protected.
///
/// Nothing is sent to another machine before its certificate and its name were verified, unless the
/// configuration asks for less; and no password is ever sent to it without encryption. libpq's own
/// default is to encrypt if the server offers it, and to send a password in the clear when asked
/// for one.
///
/// The decision is based on what libpq would do, including its environment (`PGSSLMODE`,
/// `PGPASSWORD` …), service and password files.
enum PQEncryption {
    /// The mode for other machines when none is configured.
    static let defaultMode = "verify-full"

    /// The protection that a connection with certain settings would have.
    struct Outlook: Hashable, Sendable {
        /// Whether the connection leaves this machine.
        var isRemote: Bool
        /// libpq's `sslmode`.
        var mode: String
        /// Whether there is a password to send.
        var hasPassword: Bool

        /// Whether nothing is sent before encryption is established.
        var isEncrypted: Bool { !["disable", "allow", "prefer"].contains(mode) }
        /// Whether the server's identity is verified.
        var isVerified: Bool { mode == PQEncryption.defaultMode }
    }

    /// Returns the settings of a connection to one host with safe protection.
    ///
    /// - Throws: ``PQFailure/Kind/untrusted`` when a password would be sent to another machine
    ///   without encryption.
    static func secured(
        _ settings: [(keyword: String, value: String)]
    ) throws(PQFailure) -> [(keyword: String, value: String)] {
        guard let outlook = outlook(of: settings) else { return settings }
        guard outlook.isRemote else { return settings }
        guard outlook.isEncrypted || !outlook.hasPassword else {
            throw PQFailure(
                .untrusted,
                "no password is sent to another machine without encryption, and sslmode is "
                    + "\(outlook.mode)"
            )
        }
        return settings.filter { $0.keyword != "sslmode" } + [("sslmode", outlook.mode)]
    }

    /// Determines the protection that a connection with these settings would have; `nil` when libpq
    /// cannot say.
    ///
    /// libpq is started with one value that it refuses after checking all others, and is then
    /// queried for the values; nothing is sent.
    ///
    /// - Note: Source: PostgreSQL 15, libpq: `fe-connect.c`, `connectOptions2`, in which
    ///   `target_session_attrs` comes last.
    static func outlook(of settings: [(keyword: String, value: String)]) -> Outlook? {
        let all =
            settings.filter { $0.keyword != "target_session_attrs" }
            + [("target_session_attrs", "none of these")]
        var keywords = all.map { UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = all.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let connection = PQconnectStartParams(&keywords, &values, 0) else { return nil }
        defer { PQfinish(connection) }
        guard let list = PQconninfo(connection) else { return nil }
        defer { PQconninfoFree(list) }
        var effective: [String: String] = [:]
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0 {
                effective[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        let said = settings.last { $0.keyword == "sslmode" }?.value
        return Outlook(
            isRemote: isRemote(hosts: effective["host"], addresses: effective["hostaddr"]),
            mode: mode(effective["sslmode"], said: said),
            hasPassword: effective["password"] != nil
                || PQpass(connection).map { $0.pointee != 0 } ?? false
        )
    }

    /// The mode in force; `prefer`, libpq's own default, counts only when the connection string or
    /// `PGSSLMODE` sets it.
    private static func mode(_ effective: String?, said: String?) -> String {
        guard let effective else { return defaultMode }
        guard said == nil, effective == "prefer" else { return effective }
        return getenv("PGSSLMODE") == nil ? defaultMode : effective
    }

    /// Whether any of the hosts is another machine; an address takes precedence over a name.
    private static func isRemote(hosts: String?, addresses: String?) -> Bool {
        let list = addresses ?? hosts ?? ""
        return list.pieces(between: ",").contains { !isHere(String($0)) }
    }

    /// Whether a host is a socket of this machine, or its loopback; an empty name is libpq's
    /// default, a socket.
    static func isHere(_ host: String) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" {
            return true
        }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 {
            return UInt32(bigEndian: four.s_addr) >> 24 == 127
        }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let mapped = Array(repeating: UInt8(0), count: 10) + [0xFF, 0xFF, 127]
        return bytes == Array(repeating: 0, count: 15) + [1] || bytes.starts(with: mapped)
    }
}
