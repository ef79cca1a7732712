internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `stats`: counts payments by outcome, duration and cause.
struct StatsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract:
            "Show payment statistics: conversion, problems, durations, retries and stuck sessions.",
        discussion: """
            The numbers are exact, computed from the logs of the sessions that were opened in \
            the period. Percentiles are observed values (nearest rank). A session is stuck if \
            nothing has moved it for a minute and nothing will by itself: the engine gave up, or \
            no engine has done what was due. With --counts, no logs are read: \
            sessions are counted from the store's index by outcome, and by the instrument of \
            their latest attempt. Conversion, problems, requests, durations, and the numbers of \
            payments paid elsewhere or resolved by a person require the logs; 'at-risk' counts \
            those resolved by a person, too.

            Examples:
              workflowctl stats
              workflowctl stats --since 24h --instrument swish
              workflowctl stats --counts
              workflowctl stats --since 2026-11-01 --until 2026-11-30 --json
            """
    )

    @OptionGroup var opened: OpeningTimeOptions

    @Option(
        help: ArgumentHelp(
            "Only sessions whose latest attempt used this instrument.",
            valueName: "instrument"
        )
    )
    var instrument: Instrument?

    @Flag(help: "Only count sessions, from the store's index, without reading logs.")
    var counts = false

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }
    static var commonOptions: Set<String> { ["--server"] }
    static var mayReveal: Bool { false }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let now = invocation.now()
        let query = opened.query(at: now, label: instrument?.rawValue)
        guard !counts else { return try await printCounts(query, at: now, invocation) }
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var (query, statistics) = (query, Statistics())
            query.origin = try await imported.origin(in: reader, for: global)
            var scan = StoreScan(of: reader.store)
            try await scan.read(query, showing: "counting", to: invocation, soundOnly: true) {
                row,
                log in
                statistics.add(log, isStuck: row.isStuck(at: now))
            }
            invocation.print(
                StatisticsReport(
                    statistics: statistics,
                    unreadable: scan.unreadable,
                    imported: scan.imported.count
                ),
                asJSON: global.json
            )
            if !global.json { scan.noteImported(invocation) }
            return scan.status
        }
    }

    /// Prints the counts of the index; rows without facts are counted by their logs.
    private func printCounts(
        _ query: SessionQuery,
        at now: Instant,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var query = query
            query.origin = try await imported.origin(in: reader, for: global)
            let asOf = await reader.sumsAsOf(now)
            var counts = try await StatisticsCounts(query, in: reader, at: now)
            counts.asOf = asOf
            invocation.print(counts, asJSON: global.json)
            return counts.unreadable == 0 ? .done : .damaged
        }
    }
}
