internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import Workflow

/// `metrics`: prints the gauges of a store, for Prometheus.
struct MetricsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print a store's metrics in the Prometheus text format.",
        discussion: """
            The gauges count payments and their money by status, the longest overdue session, \
            how far the search index is behind and, on PostgreSQL, the nodes and their leases. \
            Labels contain only hosts, currencies and fixed words, never a session, reference or \
            URL. Confirmed payments older than the window are left out. A running service exposes \
            the same metrics.

            Examples:
              workflowctl metrics
              workflowctl metrics --window 168h >workflowctl.prom
              workflowctl metrics --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "Count confirmed payments up to this age. (default: 720h)",
            valueName: "duration"
        )
    )
    var window: DurationArgument?

    @OptionGroup var global: GlobalOptions

    static var mayReveal: Bool { false }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try StoreLocation.refuseService(global, environment: invocation.environment)
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let readings = MetricReadings()
            let gauges = StoreGauges(
                of: reader.store,
                clock: UVClock(on: invocation.loop),
                window: window?.duration ?? .seconds(30 * 86_400),
                metrics: readings
            )
            do throws(EventStoreError) {
                try await gauges.sample()
            } catch {
                throw Failure(error)
            }
            guard !global.json else {
                invocation.print(MetricReadings.json(readings.all))
                return .done
            }
            invocation.output.write("\(PrometheusText.document(readings.all))")
            return .done
        }
    }
}
