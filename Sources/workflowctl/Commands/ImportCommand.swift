internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// `import`: reads logs into a store.
struct ImportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import logs that another store exported.",
        discussion: """
            All files are verified before anything is written. Imported sessions can be read, \
            explained, replayed and verified, but never driven, because a hash chain proves that \
            a log is unaltered, not where it came from. 'list', 'find', 'stats' and 'at-risk' \
            leave them out unless --imported is given.

            Records that were imported before are skipped, so you can repeat an import or import \
            a longer log of the same session. A log that contradicts an imported one is refused. \
            If a file has records of a session that was opened in this store, nothing is written \
            (exit 65). Decisions that this build would make differently are reported. Files may \
            be compressed (.gz, .zst).

            Examples:
              workflowctl import logs.ndjson
              workflowctl import logs.ndjson more-logs.ndjson --json
              workflowctl import - < logs.ndjson
            """
    )

    @Argument(
        help: ArgumentHelp("The files to import, or - for standard input.", valueName: "file"),
        completion: .file()
    )
    var files: [String]

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw .usage(
                "input",
                "- was given more than once",
                hint: "standard input can be read only once"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var checked: [(input: RepeatableInput, check: FileVerification)] = []
        for (index, file) in files.enumerated() {
            do throws(Failure) {
                let input = try RepeatableInput(file, in: invocation)
                guard let check = try check(input, invocation) else { return .interrupted }
                if let fault = check.verification.first { throw fault.failure }
                checked.append((input, check))
            } catch {
                throw named(error, at: index)
            }
        }
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let location = try StoreLocation.read(
            global,
            environment: invocation.environment,
            configuration: configuration
        )
        let store = try await location.open(.createIfMissing, on: invocation.loop)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        var imports: [SessionImport] = []
        do throws(Failure) {
            for (index, (_, check)) in checked.enumerated() {
                try await refuseOwn(check.sessions, at: index, in: store)
            }
            for (index, (input, check)) in checked.enumerated() {
                imports += try await importFile(
                    input,
                    check,
                    at: index,
                    into: store,
                    by: decider,
                    invocation
                )
            }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        printResult(imports, invocation)
        if checked.contains(where: { !$0.check.verification.tally.unknown.isEmpty }) {
            invocation.note(
                "some records were written by a newer version; they are stored unchanged and "
                    + "otherwise ignored"
            )
        }
        if Task.isCancelled { return .interrupted }
        return imports.contains { $0.isRefused } ? .refused : .done
    }

    /// The name of a file for messages; `nil` when there is only one.
    ///
    /// An argument that names no file may be a secret, and is called by its place.
    private func name(at index: Int) -> String? {
        guard files.count > 1 else { return nil }
        let file = files[index]
        guard file != "-" else { return "standard input" }
        let isShown = access(file, F_OK) == 0 || !SecretArguments.mayBeSecret(file)
        return isShown ? Screen.safe(file) : "file \(index + 1) of \(files.count)"
    }

    /// Returns the failure with the file that is at fault.
    private func named(_ failure: Failure, at index: Int) -> Failure {
        guard let name = name(at: index) else { return failure }
        var failure = failure
        failure.message = "\(name): \(failure.message)"
        return failure
    }

    /// Writes the logs of a verified file, many sessions concurrently, so that their appends share
    /// commits.
    private func importFile(
        _ input: RepeatableInput,
        _ check: FileVerification,
        at index: Int,
        into store: any PersistentStore,
        by decider: SessionDecider,
        _ invocation: Invocation
    ) async throws(Failure) -> [SessionImport] {
        let file = name(at: index)
        var logs = CompleteLogs(try input.source(), of: check.sessions)
        var (imports, records) = ([SessionImport](), 0)
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        while !Task.isCancelled {
            var batch: [SessionLog] = []
            do throws(Failure) {
                while batch.count < StoreCopy.sessionsTogether, let log = try logs.next() {
                    batch.append(log)
                }
            } catch {
                throw named(error, at: index)
            }
            guard !batch.isEmpty else { break }
            let results = await Together.map(batch) { log in
                do throws(Failure) {
                    var done = try await SessionImport.write(log, to: store, by: decider)
                    done.file = file
                    if !done.isRefused { done.divergence = Self.divergence(of: log, by: decider) }
                    return Result<SessionImport, Failure>.success(done)
                } catch {
                    return .failure(error)
                }
            }
            for (log, result) in results {
                imports.append(try result.get())
                records += log.records.count
            }
            progress.reached(
                Int64(records),
                of: Int64(check.verification.records),
                "\(records) of \(check.verification.records) records imported",
                at: invocation.now()
            )
        }
        return imports
    }

    /// Refuses to add foreign records to a session that an engine of this store opened.
    private func refuseOwn(
        _ sessions: [SessionID: FileVerification.Session],
        at index: Int,
        in store: any PersistentStore
    ) async throws(Failure) {
        for (session, found) in sessions.sorted(by: { $0.key < $1.key }) {
            guard let row = try await store.listedRow(of: session), !row.isForeign,
                found.verifier.head.sequence > (try await store.lastSequence(of: session))
            else { continue }
            throw named(
                Failure(
                    .damaged,
                    "import.own-session",
                    "session \(session) was opened in this store, so records from elsewhere "
                        + "cannot be added to it; nothing was written",
                    hint: "import the file into a separate store to compare them"
                ),
                at: index
            )
        }
    }

    /// Returns the first decision of a log that differs in this build.
    private static func divergence(
        of log: SessionLog,
        by decider: SessionDecider
    ) -> ReplayCheck.Divergence? {
        var check = ReplayCheck(of: log.session, by: decider)
        do throws(ReplayCheck.Divergence) {
            for (index, event) in log.events.enumerated() {
                let next = index + 1 < log.events.count ? log.events[index + 1].event : nil
                try check.verify(event, followedBy: next)
            }
            try check.finish()
            return nil
        } catch {
            return error
        }
    }

    /// Checks the whole file before anything is written; returns `nil` when it was interrupted.
    private func check(
        _ input: RepeatableInput,
        _ invocation: Invocation
    ) throws(Failure) -> FileVerification? {
        var lines = LogReader(try input.source())
        var check = FileVerification()
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        while let entry = try lines.next() {
            guard !Task.isCancelled else { return nil }
            _ = check.verify(entry)
            guard check.verification.first == nil else { break }
            let records = check.verification.records
            guard records.isMultiple(of: 1024) else { continue }
            line.reached(records, of: 0, "\(records) records checked", at: invocation.now())
        }
        return check
    }

    /// The number of sessions up to which each is listed on a terminal.
    private static let listed = 20

    private func printResult(_ imports: [SessionImport], _ invocation: Invocation) {
        if global.json {
            invocation.print(.array(imports.map(\.json)))
        } else if invocation.output.isTerminal, imports.count > Self.listed {
            let done = imports.filter { !$0.isRefused }
            let (written, skipped) = done.reduce((0, 0)) { ($0.0 + $1.written, $0.1 + $1.skipped) }
            invocation.print(
                "\(done.count) session\(done.count == 1 ? "" : "s")\t\(written) records written\t\(skipped) already present"
            )
        } else {
            for done in imports where !done.isRefused {
                invocation.print(
                    "\(done.session)\t\(done.written) written\t\(done.skipped) already present"
                )
            }
        }
        let different = imports.filter { $0.divergence != nil }
        let shown = invocation.output.isTerminal ? different.prefix(Self.listed) : different[...]
        if shown.count < different.count {
            invocation.note(
                "note: this build would have decided differently in \(different.count) sessions; "
                    + "the first \(Self.listed) follow"
            )
        }
        for done in shown {
            guard let divergence = done.divergence else { continue }
            invocation.note(
                "note: session \(done.session): this build would have decided record "
                    + "\(divergence.sequence) differently; run '\(invocation.program) replay "
                    + "\(done.session) --check' for details"
            )
        }
        for done in imports where done.isRefused {
            let place = done.file.map { "\($0): " } ?? ""
            invocation.diagnostics.write(
                Failure(
                    .refused,
                    "import.other-history",
                    "\(place)the store has a different log of session \(done.session); none of "
                        + "its records were imported",
                    hint: "import it into a separate store to compare them"
                )
            )
        }
    }
}

/// The result of importing one session's log.
struct SessionImport: Sendable {
    let session: SessionID
    /// The number of records written.
    var written = 0
    /// The number of records that were already there.
    var skipped = 0
    /// Whether the store has a different history of the session.
    var isRefused = false
    /// The first decision that differs in this build.
    var divergence: ReplayCheck.Divergence?
    /// The name of its file, when there are several.
    var file: String?

    /// Writes the records of a log that the store lacks, all or none.
    static func write(
        _ log: SessionLog,
        to store: any PersistentStore,
        by decider: SessionDecider
    ) async throws(Failure) -> SessionImport {
        var done = SessionImport(session: log.session)
        let known = try await SessionLog.records(of: log.session, in: store)
        let common = min(known.count, log.records.count)
        guard known[..<common].map(\.hash) == log.records[..<common].map(\.hash) else {
            done.isRefused = true
            return done
        }
        done.skipped = common
        let rest = Array(log.records[common...])
        guard !rest.isEmpty else { return done }
        var summary = decider.summary(of: log.state)
        summary.addressFingerprint = try await store.listedRow(of: log.session)?.addressFingerprint
        // No engine drives the session, so no work is ever due.
        summary.dueAt = nil
        summary.origin = .imported
        do {
            try await store.append(
                StreamAppend(
                    stream: log.session,
                    expectedVersion: SequenceNumber(common),
                    records: rest,
                    summary: summary
                )
            )
        } catch {
            throw Failure(error)
        }
        done.written = rest.count
        return done
    }

    /// The result as JSON.
    var json: JSONValue {
        [
            "session": .string("\(session)"), "written": .integer(Int64(written)),
            "skipped": .integer(Int64(skipped)), "refused": .bool(isRefused),
            "divergesAt": JSONValue(divergence?.sequence),
        ]
    }
}
