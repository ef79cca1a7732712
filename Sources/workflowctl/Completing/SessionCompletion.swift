internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import SwedbankPay
internal import Synchronization

/// Completes arguments that are sessions, with identifiers and references of the store's newest
/// sessions.
///
/// A reference is offered if it names one session and is one plain word for every shell. No error
/// is ever shown: a store that cannot be read offers no sessions. Neither does one on a server,
/// since a key press must not wait for a network.
enum SessionCompletion {
    /// The maximum number of sessions offered.
    static let limit = 100
    /// The maximum number of sessions searched: completion must be quick however large the store
    /// is.
    static let lookLimit = 5000

    /// For arguments that name a session.
    static let sessions = CompletionKind.custom { words, _, beginning in
        sessions(beginning, of: words, environment: Invocation.processEnvironment())
    }

    /// For arguments that name a session or a file.
    static let sessionsAndFiles = CompletionKind.custom { words, _, beginning in
        FileCompletion.paths(beginning)
            + sessions(beginning, of: words, environment: Invocation.processEnvironment())
    }

    /// Returns the identifiers with this prefix, newest first, then the references.
    ///
    /// The command line may name a store.
    static func sessions(
        _ beginning: String,
        of words: [String],
        environment: [String: String]
    ) -> [String] {
        guard isWord(beginning), let location = location(words, environment), location.kind.isFile,
            location.kind.exists,
            let loop = try? UVLoop(name: "completion")
        else { return [] }
        let found = Mutex<[SessionSummary]>([])
        let end = CommandEnd()
        _ = loop.spawn {
            let rows = await newest(at: location, on: loop)
            found.withLock { $0 = rows }
            end.reach(.done)
        }
        _ = end.wait()
        loop.shutdown()
        return names(of: found.withLock { $0 }, beginning)
    }

    private static func names(of rows: [SessionSummary], _ beginning: String) -> [String] {
        let identities = rows.lazy.map { "\($0.session)" }
            .filter { $0.hasPrefix(beginning.lowercased()) }
        let counts = Dictionary(rows.compactMap(\.reference).map { ($0, 1) }, uniquingKeysWith: +)
        let references = rows.lazy.compactMap(\.reference)
            .filter { $0.hasPrefix(beginning) && counts[$0] == 1 && isWord($0) }
        return Array(identities.prefix(limit)) + Array(references.prefix(limit))
    }

    private static func newest(
        at location: StoreLocation,
        on loop: UVLoop
    ) async -> [SessionSummary] {
        guard let store = try? await location.open(.readOnly, on: loop) else { return [] }
        let newest = try? await store.sessions(matching: SessionQuery(limit: lookLimit))
        await store.close()
        return newest ?? []
    }

    /// Returns the store that the command would use.
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

    /// The options that determine the store.
    private static let naming = ["--store", "--config", "--profile"]

    /// Returns whether a text is one word in every shell, without quotes, and not an option.
    private static func isWord(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.first != "-"
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-._/".utf8.contains($0)
                }
            }
    }
}
