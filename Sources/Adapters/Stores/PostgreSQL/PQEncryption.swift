internal import CPQ
internal import Glibc

/// How far a connection is protected on its way to a host.
///
/// To another machine nothing goes before its certificate and its name were checked, unless somebody asked for less; and
/// no password goes to it without encryption, whatever anybody asked for. libpq's own default is to encrypt when the
/// server offers it, and to send a password in the clear to whoever asks for it.
///
/// What counts is what libpq would do: with its environment (`PGSSLMODE`, `PGPASSWORD` …), service and password files.
enum PQEncryption {
    /// What is asked of another machine when nobody says anything.
    static let defaultMode = "verify-full"

    /// How a connection with some settings would be protected.
    struct Outlook: Hashable, Sendable {
        /// Whether it leaves this machine.
        var isRemote: Bool
        /// libpq's `sslmode`.
        var mode: String
        /// Whether there is a password to send.
        var hasPassword: Bool

        /// Whether nothing is sent before there is encryption.
        var isEncrypted: Bool { !["disable", "allow", "prefer"].contains(mode) }
        /// Whether the other side has to prove who it is.
        var isVerified: Bool { mode == PQEncryption.defaultMode }
    }

    /// The settings of a connection to one host, made safe.
    ///
    /// - Throws: ``PQFailure/Kind/untrusted`` when a password would go to another machine without encryption.
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

    /// How a connection with these settings would be protected; nil when libpq can't say.
    ///
    /// libpq is told to connect with one value that it refuses after it has looked at all others, and is then asked what they
    /// were: nothing is sent.
    ///
    /// - Note: Source: PostgreSQL 15, libpq: `fe-connect.c`, `connectOptions2`, in which `target_session_attrs` comes last.
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

    /// What counts as asked for: libpq's default is told from the same word of somebody's by who could have said it.
    private static func mode(_ effective: String?, said: String?) -> String {
        guard let effective else { return defaultMode }
        guard said == nil, effective == "prefer" else { return effective }
        return getenv("PGSSLMODE") == nil ? defaultMode : effective
    }

    /// Whether any of the hosts is another machine; an address says more than a name.
    private static func isRemote(hosts: String?, addresses: String?) -> Bool {
        let list = addresses ?? hosts ?? ""
        return list.split(separator: ",").contains { !isHere(String($0)) }
    }

    /// Whether a host is a socket of this machine, or its loopback; an empty one is libpq's default, a socket.
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
