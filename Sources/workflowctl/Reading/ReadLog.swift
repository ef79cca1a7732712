internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The log of a reading command: that of a session of the store, or one in a file.
enum ReadLog {
    /// What is known of one log beyond its records.
    struct Surroundings {
        /// Whether it was written elsewhere.
        var isImported = false
        /// The other paid sessions of the same order.
        var possibleDuplicates: [SessionID] = []
    }

    /// Reads one log, and the rules that explain it.
    static func one(
        _ source: LogArguments,
        for command: some Command,
        in invocation: Invocation
    ) async throws(Failure) -> (log: SessionLog, decider: SessionDecider, around: Surroundings) {
        let chosen = try source.chosen()
        guard let id = SessionID(source.source) else {
            let configuration = try Configuration.read(
                command.global,
                environment: invocation.environment
            )
            guard !command.global.reveal else {
                throw .usage("reveal", "--reveal requires a session in a store; files have no keys")
            }
            let decider = SessionDecider(
                catalogue: configuration.catalogue,
                limits: configuration.session
            )
            let log = try LogSource.readOne(source.source, session: chosen, in: invocation)
            return (log, decider, Surroundings())
        }
        return try await Reader.withStore(for: command, in: invocation, session: id) {
            reader throws(Failure) in
            let log = try await SessionLog.read(id, from: reader.store)
            let around = Surroundings(
                isImported: try await reader.noteOrigin(of: id),
                possibleDuplicates: try await reader.possibleDuplicates(of: log)
            )
            return (log, reader.decider, around)
        }
    }
}
