internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The options that name the keys whose signatures are trusted.
struct CheckpointTrust: ParsableArguments, Sendable {
    @Option(
        name: .customLong("public-key"),
        help: ArgumentHelp(
            "A key that may have signed; more than once after a change of keys. Default: "
                + "$WORKFLOWCTL_CHECKPOINT_KEYS, separated by commas.",
            valueName: "key"
        )
    )
    var publicKeys: [String] = []

    /// Returns the keys from the options, or else from the environment; an empty list allows any
    /// key.
    func keys(environment: [String: String]) throws(Failure) -> [CheckpointKey] {
        guard publicKeys.isEmpty else { return try Self.keys(publicKeys) }
        return try Self.keys(environment: environment)
    }

    /// Returns the keys that the environment names.
    static func keys(environment: [String: String]) throws(Failure) -> [CheckpointKey] {
        let texts = environment["WORKFLOWCTL_CHECKPOINT_KEYS"].nonEmpty?.split(separator: ",")
        return try keys((texts ?? []).map(String.init))
    }

    private static func keys(_ texts: [String]) throws(Failure) -> [CheckpointKey] {
        var keys: [CheckpointKey] = []
        for text in texts {
            guard let key = CheckpointKey(text: text) else {
                throw .usage(
                    "public-key",
                    "that is no public key",
                    hint: "a public key is 64 hexadecimal digits or base64 of 32 bytes; "
                        + "'workflowctl checkpoint list' prints it"
                )
            }
            keys.append(key)
        }
        return keys
    }
}
