package import CoreMetrics

/// The newest value of every metric, for reading all of them at once.
///
/// A process that is read once has only gauges; one that is read while it runs has counters and
/// timers, too. Other programs' metrics are left out: their names and labels are not known here.
///
/// - Note: Isolation: any.
package final class MetricReadings: MetricsFactory, Sendable {
    /// A value of a metric with its labels.
    package struct Reading: Hashable, Sendable {
        package var name: String
        /// What follows the name, where a metric has several values.
        package var part = ""
        package var labels: [Label]
        package var value: Double
        package var kind = Kind.gauge
    }

    /// What a value means; its raw value is the word of Prometheus.
    package enum Kind: String, Sendable {
        case gauge
        /// What has happened since the process began.
        case counter
        /// How many durations, in seconds, were at most as long as each bound.
        case histogram
    }

    /// A label of a metric.
    package struct Label: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    private struct Series: Hashable {
        var name: String
        var labels: [Label]

        var order: (String, String) {
            (name, labels.map(\.value).joined(separator: "\u{0}"))
        }
    }

    private enum Value {
        case gauge(Double)
        case count(Double)
        case durations(Durations)
    }

    private let values = ThreadLock<[Series: Value]>([:])
    private let isCounting: Bool

    /// How the names of all metrics begin.
    private static let prefix = "payment_workflow_"
    /// The maximum number of metrics with different labels; further ones are left out.
    private static let mostSeries = 10_000

    /// Creates readings without values.
    ///
    /// - Parameter isCounting: Whether counters and timers are read, too.
    package init(counting isCounting: Bool = false) { self.isCounting = isCounting }

    /// The readings of this process: from the first use on, they receive what the engine and the
    /// stores measure.
    package static let process: MetricReadings = {
        let readings = MetricReadings(counting: true)
        MetricsSystem.bootstrap(readings)
        return readings
    }()

    /// The metrics by name and labels.
    package var all: [Reading] {
        values.withLock { $0 }.sorted { $0.key.order < $1.key.order }.flatMap { series, value in
            let (name, labels) = (series.name, series.labels)
            return switch value {
            case .gauge(let value): [Reading(name: name, labels: labels, value: value)]
            case .count(let count):
                [Reading(name: name, labels: labels, value: count, kind: .counter)]
            case .durations(let durations): durations.readings(name, labels)
            }
        }
    }

    private func set(_ series: Series, _ change: (Value?) -> Value) {
        values.withLock { values in
            let known = values[series]
            guard known != nil || values.count < Self.mostSeries else { return }
            values[series] = change(known)
        }
    }

    private func series(_ label: String, _ dimensions: [(String, String)]) -> Series? {
        guard label.hasPrefix(Self.prefix) else { return nil }
        return Series(name: label, labels: dimensions.map { Label(name: $0.0, value: $0.1) })
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard let series = series(label, dimensions) else { return NOOPMetricsHandler.instance }
        return Meter(series, self)
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard isCounting, let series = series(label, dimensions) else {
            return NOOPMetricsHandler.instance
        }
        let counter = Meter(series, self)
        // A counter is 0 before anything happens, so that its first change is seen.
        counter.increment(by: 0)
        return counter
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        guard isCounting, let series = series(label, dimensions) else {
            return NOOPMetricsHandler.instance
        }
        return Meter(series, self)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Receives what is measured of one series.
    private final class Meter: CounterHandler, RecorderHandler, TimerHandler {
        let series: Series
        let readings: MetricReadings

        init(_ series: Series, _ readings: MetricReadings) {
            (self.series, self.readings) = (series, readings)
        }

        func increment(by amount: Int64) {
            readings.set(series) { known in
                guard case .count(let count) = known else { return .count(Double(amount)) }
                return .count(count + Double(amount))
            }
        }

        func reset() { readings.set(series) { _ in .count(0) } }

        func record(_ value: Int64) { record(Double(value)) }

        func record(_ value: Double) { readings.set(series) { _ in .gauge(value) } }

        func recordNanoseconds(_ duration: Int64) {
            readings.set(series) { known in
                var durations = Durations()
                if case .durations(let earlier) = known { durations = earlier }
                durations.add(seconds: Double(duration) / 1_000_000_000)
                return .durations(durations)
            }
        }
    }
}

/// How long something took, each time since the process began.
private struct Durations {
    /// The longest durations, in seconds, that are counted together; longer ones follow the last.
    ///
    /// Requests to the PSP end after 30 s, and a caller may wait for 60 s.
    static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private var counts = [Double](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    mutating func add(seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    func readings(
        _ name: String,
        _ labels: [MetricReadings.Label]
    ) -> [MetricReadings.Reading] {
        func reading(
            _ part: String,
            _ value: Double,
            upTo bound: String? = nil
        ) -> MetricReadings.Reading {
            let bound = bound.map { [MetricReadings.Label(name: "le", value: $0)] } ?? []
            return MetricReadings.Reading(
                name: name,
                part: part,
                labels: labels + bound,
                value: value,
                kind: .histogram
            )
        }
        var (readings, count): ([MetricReadings.Reading], Double) = ([], 0)
        let bounds = Self.bounds.map(PrometheusText.number) + ["+Inf"]
        for (bound, further) in zip(bounds, counts) {
            count += further
            readings.append(reading("_bucket", count, upTo: bound))
        }
        return readings + [reading("_sum", sum), reading("_count", count)]
    }
}
