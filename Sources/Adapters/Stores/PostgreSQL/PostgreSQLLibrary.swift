internal import CPQ

/// The library that speaks with PostgreSQL servers.
package enum PostgreSQLLibrary {
    /// The version of libpq that the program runs with.
    ///
    /// The library says it as a number: 150018 is 15.18.
    package static var version: String {
        let number = PQlibVersion()
        return "libpq/\(number / 10_000).\(number % 10_000)"
    }
}
