internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import Workflow

/// `metrics`: prints the gauges of a store in the format of Prometheus.
struct MetricsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the gauges of a store in the text format of Prometheus.",
        discussion: """
            Payments and their money by what is known of it, the longest overdue session, and on PostgreSQL the nodes and \
            their leases. Labels hold hosts, currencies and words of fixed lists; no session, reference or address. A \
            payment that was confirmed before the window is left out; what is unknown, under way or intended and was \
            opened within it counts. A running service measures the same by itself.

            Examples:
              workflowctl metrics
              workflowctl metrics --window 168h >workflowctl.prom
              workflowctl metrics --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "How old a payment may be that is counted. (default: 720h)",
            valueName: "duration"
        )
    )
    var window: DurationArgument?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let readings = GaugeReadings()
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
                invocation.print(Self.document(readings.all))
                return .done
            }
            invocation.output.write("\(PrometheusText.document(readings.all))")
            return .done
        }
    }

    private static func document(_ readings: [GaugeReadings.Reading]) -> JSONValue {
        .object([
            .init(
                "metrics",
                .array(
                    readings.map { reading in
                        .object([
                            .init("name", .string(reading.name)),
                            .init(
                                "labels",
                                .object(
                                    reading.labels.map { .init($0.name, .string($0.value)) }
                                )
                            ),
                            .init("value", .integer(Int64(exactly: reading.value) ?? .max)),
                        ])
                    }
                )
            )
        ])
    }
}
