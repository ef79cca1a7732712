internal import CPQ
internal import Glibc

/// Where a connection string leads: settings, and hosts that are tried in turn.
///
/// The hosts are tried here and not in libpq, which waits for name servers without giving the thread back and, when it
/// connects without blocking, has no time limit for a single host.
struct PQTarget: Sendable {
    /// One host of the string.
    struct Host: Hashable, Sendable {
        var name: String?
        /// Its address, where the string gives it; the name then only says who it has to be.
        var address: String?
        var port: String?
        /// Whether the name has to be looked up first.
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
    /// How long each host may take, as the string says (`connect_timeout`); nothing where it does not say, or says 0.
    ///
    /// As in libpq less than two seconds are two.
    let patience: Duration?
    /// Everything else.
    private let settings: [(keyword: String, value: String)]

    /// What a host's settings are replaced by.
    private static let ofHost: Set<String> = ["host", "hostaddr", "port"]
    /// How long connecting takes is measured here, see ``patience``.
    private static let patienceKeyword = "connect_timeout"

    /// Reads a connection string, `postgres://user@host1,host2/base?sslmode=verify-full` or keywords with values.
    ///
    /// - Throws: ``PQFailure/Kind/malformed``, without the string, which may hold a password.
    init(_ text: String) throws(PQFailure) {
        var words: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &words) else {
            defer { PQfreemem(words) }
            // libpq's words quote the piece that it does not understand.
            throw PQFailure(.malformed, "the connection string can't be read")
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
            return value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(names.count, addresses.count, 1)
        guard ports.count <= 1 || ports.count == count,
            addresses.isEmpty || names.isEmpty || addresses.count == names.count
        else { throw PQFailure(.malformed, "the connection string has not one port for each host") }
        guard ports.allSatisfy({ $0.isEmpty || UInt16($0) ?? 0 > 0 }) else {
            throw PQFailure(.malformed, "the connection string has a port that is no number")
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
    /// libpq looks at the values when it begins to connect. It is told to do so by way of a socket that isn't there, so that
    /// nothing is sent, and with a password, so that it reads no file; then it says so, or that a value is invalid.
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
        // Of libpq's words only the option is repeated: a value may be a piece of a password.
        return words.prefixMatch(of: #/invalid ([a-z_]+) value: /#).map { String($0.1) }
    }

    /// Reads what the string says of the time to connect, in whole seconds.
    private static func patience(_ text: String?) throws(PQFailure) -> Duration? {
        guard let text else { return nil }
        guard let seconds = Int32(text) else {
            throw PQFailure(
                .malformed,
                "the connection string has a connect_timeout that is no number of seconds"
            )
        }
        return seconds > 0 ? .seconds(max(2, seconds)) : nil
    }

    /// How long connecting may take, over all hosts.
    func timeToConnect(_ options: PostgreSQLOptions) -> Duration {
        patience.map { $0 * hosts.count } ?? options.connectTimeout
    }

    /// Which database of which servers it is, whoever connects to it.
    var place: String {
        func value(_ keyword: String) -> String? {
            settings.first { $0.keyword == keyword }?.value
        }
        let servers = hosts.map { "\($0.name ?? $0.address ?? ""):\($0.port ?? "5432")" }.sorted()
        // libpq takes the user's name for the database's where that is missing.
        let database = value("dbname") ?? value("user") ?? ""
        return servers.joined(separator: ",") + "/" + database
    }

    /// What libpq is told to connect to a host.
    ///
    /// - Parameter address: Of a host whose name was looked up.
    func settings(
        of host: Host,
        at address: String?,
        options: PostgreSQLOptions
    ) -> [(keyword: String, value: String)] {
        var all = settings.filter { $0.keyword != "client_encoding" }
        if options.access != .readOnly {
            // What is written to is asked here, in one way and with one error.
            all.removeAll {
                $0.keyword == "target_session_attrs"
                    && ["any", "read-write", "primary"].contains($0.value)
            }
        }
        if !all.contains(where: { $0.keyword == "tcp_user_timeout" }) {
            let time = timeToConnect(options).millisecondsRoundedUp
            // A machine that is gone says nothing: what it does not confirm in time ends the connection.
            all.append(("tcp_user_timeout", "\(Int32(clamping: time))"))
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

    /// The addresses of a name, as the system's resolver gives them: it blocks.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
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
