internal import CPQ
internal import EventLog
internal import Glibc
internal import UVTransport

/// The target of a connection string: settings, and hosts that are tried in turn.
///
/// The hosts are tried here rather than by libpq, which blocks the thread while it resolves names
/// and, when it connects without blocking, has no time limit for a single host.
struct PQTarget: Sendable {
    /// One host of the string.
    struct Host: Hashable, Sendable {
        var name: String?
        /// The host's address, if the string has one; the name is then only used to verify its
        /// identity.
        var address: String?
        var port: String?
        /// Whether the name must be resolved first.
        var needsAddress: Bool {
            guard address == nil, let name, !name.hasPrefix("/"), !name.hasPrefix("@") else {
                return false
            }
            var (four, six) = (in_addr(), in6_addr())
            return inet_pton(AF_INET, name, &four) != 1 && inet_pton(AF_INET6, name, &six) != 1
        }
    }

    /// The hosts in the order in which they are tried; one without a name is libpq's default.
    let hosts: [Host]
    /// The string's time limit per host (`connect_timeout`); `nil` when it has none, or 0.
    ///
    /// As in libpq, less than two seconds counts as two.
    let patience: Duration?
    /// All other settings.
    private let settings: [(keyword: String, value: String)]

    /// The settings that each host replaces.
    private static let ofHost: Set<String> = ["host", "hostaddr", "port"]
    /// The time limit for connecting is applied here, see ``patience``.
    private static let patienceKeyword = "connect_timeout"

    /// Parses a connection string, `postgres://user@host1,host2/base?sslmode=verify-full` or
    /// keywords with values.
    ///
    /// - Throws: ``PQFailure/Kind/malformed``, without the string, which may hold a password.
    init(_ text: String) throws(PQFailure) {
        var words: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &words) else {
            defer { PQfreemem(words) }
            // libpq's message quotes the part that it does not understand.
            throw PQFailure(.malformed, "the connection string cannot be read")
        }
        defer { PQconninfoFree(options) }
        var given: [(keyword: String, value: String)] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                given.append((String(cString: keyword), String(cString: value)))
            }
            option += 1
        }
        func list(_ keyword: String) -> [String] {
            guard let value = given.first(where: { $0.keyword == keyword })?.value else {
                return []
            }
            return value.pieces(between: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(names.count, addresses.count, 1)
        guard ports.count <= 1 || ports.count == count,
            addresses.isEmpty || names.isEmpty || addresses.count == names.count
        else {
            throw PQFailure(.malformed, "the connection string does not have one port per host")
        }
        guard ports.allSatisfy({ $0.isEmpty || UInt16($0) ?? 0 > 0 }) else {
            throw PQFailure(.malformed, "the connection string has a port that is not a number")
        }
        hosts = (0..<count).map { index in
            func one(_ values: [String]) -> String? {
                guard values.indices.contains(index), !values[index].isEmpty else { return nil }
                return values[index]
            }
            let port = ports.count > 1 ? ports[index] : ports.first
            return Host(
                name: one(names),
                address: one(addresses),
                port: port?.isEmpty == false ? port : nil
            )
        }
        patience = try Self.patience(given.first { $0.keyword == Self.patienceKeyword }?.value)
        settings = given.filter {
            !Self.ofHost.contains($0.keyword) && $0.keyword != Self.patienceKeyword
        }
        if let option = Self.misspelled(in: settings) {
            throw PQFailure(.malformed, "the connection string has an unknown value of \(option)")
        }
    }

    /// The option whose value libpq does not know, such as `sslmode=verify_full`.
    ///
    /// libpq checks the values when it starts to connect. It is started with a socket that does not
    /// exist, so that nothing is sent, and with a password, so that it reads no file; it then
    /// reports either that or an invalid value.
    ///
    /// - Note: Source: PostgreSQL 15, libpq: `fe-connect.c`, `connectOptions2`.
    private static func misspelled(in settings: [(keyword: String, value: String)]) -> String? {
        var all = settings.filter { !["password", "passfile"].contains($0.keyword) }
        all += [("host", "/nowhere"), ("port", "5432"), ("password", "none")]
        var keywords = all.map { UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = all.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let connection = PQconnectStartParams(&keywords, &values, 0) else { return nil }
        defer { PQfinish(connection) }
        let words = String(cString: PQerrorMessage(connection))
        // Only the option is repeated from libpq's message: a value may be part of a password.
        return words.prefixMatch(of: #/invalid ([a-z_]+) value: /#).map { String($0.1) }
    }

    /// Parses the string's time limit for connecting, in whole seconds.
    private static func patience(_ text: String?) throws(PQFailure) -> Duration? {
        guard let text else { return nil }
        guard let seconds = Int32(text) else {
            throw PQFailure(
                .malformed,
                "the connection string has a connect_timeout that is not a number of seconds"
            )
        }
        return seconds > 0 ? .seconds(max(2, seconds)) : nil
    }

    /// The time limit for connecting, over all hosts.
    func timeToConnect(_ options: PostgreSQLOptions) -> Duration {
        patience.map { $0 * hosts.count } ?? options.connectTimeout
    }

    /// The address of the servers and the database, without anything else.
    var address: String {
        let servers = hosts.map { host in
            let name = host.name ?? host.address ?? ""
            let text =
                name.unicodeScalars.contains(":") ? "[\(name)]" : PercentEncoding.encoded(name)
            return text + (host.port.map { ":" + $0 } ?? "")
        }
        let database = settings.first { $0.keyword == "dbname" }?.value
        return "postgres://" + servers.joined(separator: ",")
            + (database.map { "/" + PercentEncoding.encoded($0) } ?? "")
    }

    /// Whether a connection string has a password, or may have one because libpq cannot read it.
    ///
    /// libpq marks the options that are not to be shown.
    static func mayHoldPassword(_ text: String) -> Bool {
        guard let options = PQconninfoParse(text, nil) else { return true }
        defer { PQconninfoFree(options) }
        var option = options
        while option.pointee.keyword != nil {
            if let value = option.pointee.val, value.pointee != 0,
                let mark = option.pointee.dispchar, mark.pointee == CChar(UInt8(ascii: "*"))
            {
                return true
            }
            option += 1
        }
        return false
    }

    /// The servers and the database, independent of the user who connects.
    var place: String {
        func value(_ keyword: String) -> String? {
            settings.first { $0.keyword == keyword }?.value
        }
        let servers = hosts.map { "\($0.name ?? $0.address ?? ""):\($0.port ?? "5432")" }.sorted()
        // libpq uses the user's name as the database's when that is missing.
        let database = value("dbname") ?? value("user") ?? ""
        return servers.joined(separator: ",") + "/" + database
    }

    /// Returns libpq's settings for connecting to a host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - address: The resolved address of the host's name, if it was resolved.
    ///   - options: The access and the time limits.
    /// - Returns: libpq's keywords with their values.
    func settings(
        of host: Host,
        at address: String?,
        options: PostgreSQLOptions
    ) -> [(keyword: String, value: String)] {
        var all = settings.filter { $0.keyword != "client_encoding" }
        if options.access.appends {
            // Whether the server accepts writes is checked here, in one way and with one error.
            all.removeAll {
                $0.keyword == "target_session_attrs"
                    && ["any", "read-write", "primary"].contains($0.value)
            }
        }
        if !all.contains(where: { $0.keyword == "tcp_user_timeout" }) {
            let time = timeToConnect(options).millisecondsRoundedUp
            // A machine that has disappeared sends nothing: data that it does not acknowledge in
            // time ends the connection.
            all.append(("tcp_user_timeout", "\(Int32(clamping: time))"))
        }
        if !all.contains(where: { $0.keyword == "keepalives_idle" }) {
            // While a long statement runs, nothing is sent: what is between the machines could
            // forget the connection, and nobody would notice.
            all.append(("keepalives_idle", "60"))
        }
        if !all.contains(where: { $0.keyword == "application_name" }) {
            all.append(("application_name", "payment-workflow"))
        }
        all.append(("client_encoding", "UTF8"))
        if let name = host.name { all.append(("host", name)) }
        if let address = host.address ?? address { all.append(("hostaddr", address)) }
        if let port = host.port { all.append(("port", port)) }
        return all
    }

    /// `SOCK_STREAM`, so that each address comes once.
    ///
    /// The C name is not visible in an optimised build: another C library's module has the header
    /// first.
    private static let streamSocket: Int32 = 1

    /// Resolves a name with the system's resolver, which blocks.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = streamSocket
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let current = entry {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = getnameinfo(
                current.pointee.ai_addr,
                current.pointee.ai_addrlen,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            if status == 0 {
                let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
                addresses.append(String(decoding: bytes, as: UTF8.self))
            }
            entry = current.pointee.ai_next
        }
        return addresses
    }
}
