internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Checks the permissions of a configuration file.
enum ConfigurationSecrets {
    /// Refuses a file that others control, or that discloses a secret to them.
    ///
    /// A file of another user or that others may write is refused, since it decides where payments
    /// go and which programs run; so is one with a secret that others may read.
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

    /// Refuses a file that belongs to another user, and one that others can write.
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

    /// Returns the common part and every profile, including those not in effect.
    private static func parts(of document: JSONValue) -> [JSONValue] {
        guard case .object(let profiles)? = document[ConfigurationFile.profilesMember] else {
            return [document]
        }
        return [document] + profiles.map(\.value)
    }

    /// Whether the file has a URL with a password.
    private static func holdsSecret(_ part: JSONValue) -> Bool {
        if case .string(let store)? = part["store"], StoreLocation.pasted(store) != store {
            return true
        }
        guard case .string(let proxy)? = part["proxy"] else { return false }
        return proxy.unicodeScalars.contains("@")
    }

    private static func exposed(_ message: String, _ path: String) -> Failure {
        Failure(
            .configuration,
            "configuration.insecure-permissions",
            message,
            hint:
                "run 'chmod 600 \(ShellText.word(path))'; if others had access, treat its contents as known to them"
        )
    }
}
