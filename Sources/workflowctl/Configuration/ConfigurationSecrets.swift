internal import Adapters
internal import EventLog
internal import SwedbankPay

/// What of a configuration file nobody else may read, or write.
enum ConfigurationSecrets {
    /// Refuses a file of another user or that others may write, since it decides where payments go
    /// and what is run, and one with a secret that others may read.
    static func check(
        _ document: JSONValue,
        path: String,
        facts: FileFacts
    ) throws(Failure) {
        let parts = parts(of: document)
        let mode = String(facts.permissions, radix: 8)
        try check(facts, of: "the configuration \(path)", path)
        if facts.othersMayRead, parts.contains(where: holdsSecret) {
            throw exposed(
                "the configuration \(path) contains a password and is readable by others (mode \(mode))",
                path
            )
        }
    }

    /// Refuses a file of another user, and one that others may write.
    static func check(_ facts: FileFacts, of what: String, _ path: String) throws(Failure) {
        switch facts.distrust(for: .instructions) {
        case .permissions(let mode):
            throw exposed("\(what) is writable by others (mode \(String(mode, radix: 8)))", path)
        case .owner(let user):
            throw Failure(
                .configuration,
                "configuration.foreign-owner",
                "\(what) is owned by another user (uid \(user))",
                hint: "check its contents and run 'chown' on it, or use a file of your own"
            )
        case nil: break
        }
    }

    /// The common part and every profile, also those that are not asked for.
    private static func parts(of document: JSONValue) -> [JSONValue] {
        guard case .object(let profiles)? = document[ConfigurationFile.profilesMember] else {
            return [document]
        }
        return [document] + profiles.map(\.value)
    }

    /// Whether an address in it has a password.
    private static func holdsSecret(_ part: JSONValue) -> Bool {
        if case .string(let store)? = part["store"], StoreLocation.pasted(store) != store {
            return true
        }
        guard case .string(let proxy)? = part["proxy"] else { return false }
        return proxy.contains("@")
    }

    private static func exposed(_ message: String, _ path: String) -> Failure {
        Failure(
            .configuration,
            "configuration.insecure-permissions",
            message,
            hint:
                "run 'chmod 600 \(path)'; if others had access, treat its contents as known to them"
        )
    }
}
