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
            the period. Percentiles are observed values (nearest rank). A session is stuck if it \
            has work that is more than a minute overdue.

            Examples:
              workflowctl stats
              workflowctl stats --since 24h --instrument swish
              workflowctl stats --since 2026-11-01 --until 2026-12-01 --json
            """
    )

    @Option(help: ArgumentHelp("Only sessions opened at or after this time.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Only sessions opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @Option(
        help: ArgumentHelp(
            "Only sessions whose latest attempt used this instrument.",
            valueName: "instrument"
        )
    )
    var instrument: Instrument?

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let now = invocation.now()
        let query = SessionQuery(
            label: instrument?.rawValue,
            since: since?.instant(from: now),
            until: until?.instant(from: now),
            origin: imported.origin
        )
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var statistics = Statistics()
            var scan = StoreScan()
            try await scan.read(query, in: reader, "counting", soundOnly: true) { row, log in
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
}
