internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The options that name the keys whose signatures are trusted.
struct CheckpointTrust: ParsableArguments, Sendable {
    @Option(
        name: .customLong("public-key"),
        help: ArgumentHelp(
            "A public key to accept signatures from; may be repeated if the key was changed. "
                + "Default: $WORKFLOWCTL_CHECKPOINT_KEYS, separated by commas.",
            valueName: "key"
        )
    )
    var publicKeys: [String] = []

    /// Returns the keys from the options, else from the environment; none when any key is trusted.
    func keys(environment: [String: String]) throws(Failure) -> [CheckpointKey] {
        guard publicKeys.isEmpty else { return try Self.keys(publicKeys) }
        return try Self.keys(environment: environment)
    }

    /// Returns the keys that the environment names.
    static func keys(environment: [String: String]) throws(Failure) -> [CheckpointKey] {
        let texts = environment["WORKFLOWCTL_CHECKPOINT_KEYS"].nonEmpty?.pieces(between: ",")
        return try keys((texts ?? []).map(String.init))
    }

    private static func keys(_ texts: [String]) throws(Failure) -> [CheckpointKey] {
        var keys: [CheckpointKey] = []
        for text in texts {
            guard let key = CheckpointKey(text: text) else {
                throw .usage(
                    "public-key",
                    "invalid public key",
                    hint: "a public key is 32 bytes in hexadecimal or base64; 'workflowctl "
                        + "checkpoint list' prints it"
                )
            }
            keys.append(key)
        }
        return keys
    }
}
