import EventLog
import TestSupport

extension TestProcess {
    /// Starts the helper program `StoreWriter`, which runs until its input ends.
    static func storeWriter(_ arguments: String...) throws -> TestProcess {
        try TestProcess("StoreWriter", arguments, in: "/", input: .lines)
    }

    /// Waits for a number of lines, and returns those that it has printed.
    func lines(_ count: Int) async -> [String] {
        var lines: [String] = []
        while lines.count < count, let line = await line() { lines.append(line) }
        return lines
    }

    /// Returns the remaining lines until its end; a line that a kill cut off does not count.
    func rest() async -> [String] {
        _ = await ending()
        return await lines(.max)
    }
}

extension StoredSession {
    /// Returns the session that the helper writes under a number.
    static func ofWriter(_ number: Int) -> SessionID {
        SessionID(at: Instant(microseconds: 1_000_000), random: (0, UInt64(number)))
    }
}
