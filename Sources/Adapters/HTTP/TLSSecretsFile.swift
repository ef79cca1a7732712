internal import Glibc

/// The file in which TLS libraries write down the secrets of every connection when `SSLKEYLOGFILE` names one.
///
/// Whoever has that file and what went over the network reads session URLs and all else. libcurl looks at the variable
/// when it starts, OpenSSL when it makes a context, so it is taken out of the environment before either begins.
package enum TLSSecretsFile {
    private static let variable = "SSLKEYLOGFILE"

    /// Whether the environment asked for such a file; it doesn't any more once this was read.
    ///
    /// The first look takes the variable away: a program that has threads of its own which read the environment looks
    /// before it starts them.
    package static let wasWanted: Bool = {
        let isSet = getenv(variable) != nil
        unsetenv(variable)
        return isSet
    }()
}
