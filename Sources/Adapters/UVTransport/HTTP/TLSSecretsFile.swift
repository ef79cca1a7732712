internal import Glibc

/// The file to which TLS libraries write the secrets of every connection, named by `SSLKEYLOGFILE`.
///
/// With that file, recorded network traffic can be decrypted, including session URLs. libcurl reads
/// the variable when it starts, OpenSSL when it creates a context, so the variable is removed from
/// the environment before either starts.
package enum TLSSecretsFile {
    private static let variable = "SSLKEYLOGFILE"

    /// Whether the environment requested such a file; the first access removes the request.
    ///
    /// The first access unsets the variable: a program with other threads that read the environment
    /// must access this property before it starts them.
    package static let wasWanted: Bool = {
        let isSet = getenv(variable) != nil
        unsetenv(variable)
        return isSet
    }()
}
