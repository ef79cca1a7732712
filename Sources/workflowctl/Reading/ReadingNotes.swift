internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Shows the news of a reader of many logs: a log that is left out as a message, and the progress
/// as a line on a terminal.
struct ReadingNotes {
    private let invocation: Invocation
    private let words: (Int64) -> String
    private var line: ProgressLine

    /// Shows news to whoever runs a command; `words` describe the progress.
    init(_ invocation: Invocation, _ words: @escaping (Int64) -> String) {
        self.invocation = invocation
        self.words = words
        line = ProgressLine(on: invocation.diagnostics)
    }

    /// Shows what is new.
    mutating func show(_ news: LogReadingNews) {
        switch news {
        case .reached(let done, of: let all):
            line.reached(done, of: all, words(done), at: invocation.now())
        case .leftOut(let error):
            line.clear()
            invocation.note("\(Failure(error))")
        }
    }

    /// Clears the line.
    mutating func clear() { line.clear() }
}

extension ReadingNotes {
    /// Shows the news of reading the logs of rows without facts.
    static func ofRowsWithoutFacts(_ invocation: Invocation) -> ReadingNotes {
        ReadingNotes(invocation) { _ in
            "reading the logs of sessions that the index lacks values for"
        }
    }
}

// MARK: For commands

extension StoreScan {
    /// Reads the logs of the matching sessions; `words` name the work in the progress line.
    mutating func read(
        _ query: SessionQuery,
        showing words: String,
        to invocation: Invocation,
        soundOnly: Bool = false,
        _ body: (SessionSummary, SessionLog) async -> Void
    ) async throws(Failure) {
        var notes = ReadingNotes(invocation) { _ in words }
        defer { notes.clear() }
        do throws(LogReadingError) {
            try await read(query, soundOnly: soundOnly, telling: { notes.show($0) }, body)
        } catch {
            throw Failure(error)
        }
    }

    /// Reports how many of the read sessions came from elsewhere, if there are any.
    func noteImported(_ invocation: Invocation) { imported.noteImported(invocation) }

    /// Returns the exit status of a command that could not read every log.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }
}

extension Set<SessionID> {
    /// Reports how many sessions came from elsewhere, if there are any.
    func noteImported(_ invocation: Invocation) {
        guard !isEmpty else { return }
        invocation.note(
            "note: includes \(count) imported session\(count == 1 ? "" : "s"), which can be read "
                + "but not driven"
        )
    }
}

extension StatisticsCounts {
    /// Counts the sessions of a command's store.
    init(_ query: SessionQuery, in reader: Reader, at now: Instant) async throws(Failure) {
        var notes = ReadingNotes.ofRowsWithoutFacts(reader.invocation)
        defer { notes.clear() }
        do throws(LogReadingError) {
            try await self.init(
                query,
                in: reader.store,
                by: reader.decider,
                at: now,
                telling: { notes.show($0) }
            )
        } catch {
            throw Failure(error)
        }
    }
}

extension FactsFromLogs {
    /// Computes and writes the facts of rows; to rebuild, all sums are added up again afterwards.
    ///
    /// Returns the number of rows written.
    mutating func derive(
        into store: any PersistentStore,
        rebuilding isRebuilding: Bool,
        showingTo invocation: Invocation
    ) async throws(Failure) -> Int {
        var notes = ReadingNotes(invocation) { "\($0) sessions read" }
        let written: Int
        do throws(LogReadingError) {
            defer { notes.clear() }
            written = try await derive(
                into: store,
                rebuilding: isRebuilding,
                telling: { notes.show($0) }
            )
        } catch {
            throw Failure(error)
        }
        guard isRebuilding else { return written }
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        do throws(EventStoreError) {
            try await Self.addUp(into: store) { done in
                line.reached(done, of: 0, "\(done) days added up", at: invocation.now())
            }
        } catch {
            throw Failure(error)
        }
        return written
    }
}

extension MoneySums {
    /// Adds the sums of the index, or of all valid logs.
    mutating func add(
        _ query: SessionQuery,
        fromLogs: Bool,
        showingTo invocation: Invocation
    ) async throws(Failure) {
        var notes =
            fromLogs
            ? ReadingNotes(invocation, { _ in "reading logs" })
            : ReadingNotes.ofRowsWithoutFacts(invocation)
        defer { notes.clear() }
        do throws(LogReadingError) {
            if fromLogs {
                try await addLogs(query, telling: { notes.show($0) })
            } else {
                try await addIndex(query, telling: { notes.show($0) })
            }
        } catch {
            throw Failure(error)
        }
    }
}

extension SessionSelection {
    /// The exit status: with a log that could not be read, the result may lack a session.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }

    /// Finds the sessions and returns all of them.
    mutating func rows(
        from reader: Reader,
        needsFacts: Bool
    ) async throws(Failure) -> [SessionSummary] {
        var rows: [SessionSummary] = []
        try await read(from: reader, needsFacts: needsFacts) { rows += $0 }
        return rows
    }

    /// Finds the sessions and hands them over in the order of the list.
    mutating func read(
        from reader: Reader,
        needsFacts: Bool,
        each deliver: ([SessionSummary]) -> Void
    ) async throws(Failure) {
        var notes = ReadingNotes.ofRowsWithoutFacts(reader.invocation)
        // Before an error is printed, too.
        defer { notes.clear() }
        do throws(LogReadingError) {
            try await read(
                from: reader.store,
                by: reader.decider,
                needsFacts: needsFacts,
                telling: { notes.show($0) },
                each: { rows in
                    notes.clear()
                    deliver(rows)
                }
            )
        } catch {
            throw Failure(error)
        }
    }
}
