internal import Workflow

/// What of a configuration file nobody else may read, or write.
enum ConfigurationSecrets {
    /// Refuses a file with a secret that others may read, and one with a command that others may write.
    static func check(
        _ document: JSONValue,
        path: String,
        permissions: UInt32
    ) throws(Failure) {
        let parts = parts(of: document)
        let mode = String(permissions, radix: 8)
        if permissions & 0o044 != 0, parts.contains(where: holdsSecret) {
            throw exposed(
                "others may read the configuration \(path), which holds a password (mode \(mode))",
                path
            )
        }
        if permissions & 0o022 != 0, parts.contains(where: namesCommand) {
            throw exposed(
                "others may write the configuration \(path), which names a command (mode \(mode))",
                path
            )
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
        if case .string(let store)? = part["store"], StoreLocation.isServer(store),
            StoreLocation.pasted(store) != store
        {
            return true
        }
        guard case .string(let proxy)? = part["proxy"] else { return false }
        return proxy.contains("@")
    }

    private static func namesCommand(_ part: JSONValue) -> Bool { part["keys"]?["command"] != nil }

    private static func exposed(_ message: String, _ path: String) -> Failure {
        Failure(
            .configuration,
            "configuration.insecure-permissions",
            message,
            hint: "run 'chmod 600 \(path)'; if others had access, they know what it holds"
        )
    }
}
