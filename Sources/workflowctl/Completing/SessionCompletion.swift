internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import SwedbankPay
internal import Synchronization

/// What a shell offers where a session's identity is wanted: the store's newest ones that begin like what is there.
///
/// Only identities are offered, and nothing is ever said that is not one: a store that cannot be read offers none. Nor does
/// one on a server: a key must not wait for a network.
enum SessionCompletion {
    /// How many are offered.
    static let limit = 100
    /// How many are looked through: completing has to be quick however large the store is.
    static let lookLimit = 5000

    /// For arguments that are a session.
    static let sessions = CompletionKind.custom { words, _, beginning in
        sessions(beginning, of: words, environment: Invocation.processEnvironment())
    }

    /// For arguments that are a session or a file.
    static let sessionsAndFiles = CompletionKind.custom { words, _, beginning in
        FileCompletion.paths(beginning)
            + sessions(beginning, of: words, environment: Invocation.processEnvironment())
    }

    /// The identities that begin like that, newest first.
    ///
    /// - Parameter words: The words of the command line, which may name a store.
    static func sessions(
        _ beginning: String,
        of words: [String],
        environment: [String: String]
    ) -> [String] {
        guard beginning.utf8.count <= 36, beginning.utf8.allSatisfy(isPartOfIdentity),
            let location = location(words, environment), location.kind.isFile, location.kind.exists,
            let loop = try? UVLoop(name: "completion")
        else { return [] }
        let found = Mutex<[String]>([])
        let end = CommandEnd()
        _ = loop.spawn {
            let names = await names(at: location, on: loop)
            found.withLock { $0 = names }
            end.reach(.done)
        }
        _ = end.wait()
        loop.shutdown()
        return Array(
            found.withLock { $0 }.filter { $0.hasPrefix(beginning.lowercased()) }.prefix(limit)
        )
    }

    private static func names(at location: StoreLocation, on loop: UVLoop) async -> [String] {
        guard let store = try? await location.open(.readOnly, on: loop) else { return [] }
        let newest = try? await store.sessions(matching: SessionQuery(limit: lookLimit))
        await store.close()
        return (newest ?? []).map { "\($0.session)" }
    }

    /// The store that the command would take.
    private static func location(
        _ words: [String],
        _ environment: [String: String]
    ) -> StoreLocation? {
        var options: [String] = []
        for (index, word) in words.enumerated() {
            guard let name = naming.first(where: { word == $0 || word.hasPrefix($0 + "=") })
            else { continue }
            if word != name { options.append(word) }
            if word == name, index + 1 < words.count { options += [word, words[index + 1]] }
        }
        guard let global = try? GlobalOptions.parse(options) else { return nil }
        return try? StoreLocation.read(global, environment: environment)
    }

    /// The options that say where the store is.
    private static let naming = ["--store", "--config", "--profile"]

    private static func isPartOfIdentity(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66, 0x2D: true
        default: false
        }
    }
}
