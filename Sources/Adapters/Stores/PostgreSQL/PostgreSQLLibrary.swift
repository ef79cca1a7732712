internal import CPQ

/// The client library for PostgreSQL.
package enum PostgreSQLLibrary {
    /// The version of libpq in this process.
    ///
    /// The library reports it as a number: 150018 is 15.18.
    package static var version: String {
        let number = PQlibVersion()
        return "libpq/\(number / 10_000).\(number % 10_000)"
    }
}
