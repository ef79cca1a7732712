package import CoreMetrics

/// The newest value of every gauge, for reading all of them at once.
///
/// Timers are left to the host's own metrics, and so are counters in a process that is read once,
/// which has no values for them.
///
/// - Note: Isolation: any.
package final class GaugeReadings: MetricsFactory, Sendable {
    /// One gauge with its labels and its newest value.
    package struct Reading: Hashable, Sendable {
        package var name: String
        package var labels: [Label]
        package var value: Double
        /// Whether it counts what happened since the process began, and is no gauge.
        package var isCount = false

        /// Distinguishes readings of the same name.
        fileprivate var key: String { labels.map(\.value).joined(separator: "\u{0}") }
    }

    /// A label of a gauge.
    package struct Label: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    private let readings = ThreadLock<[Reading]>([])
    private let isCounting: Bool

    /// Creates readings without values.
    ///
    /// - Parameter isCounting: Whether counters are read, too.
    package init(counting isCounting: Bool = false) { self.isCounting = isCounting }

    /// The gauges by name and labels.
    package var all: [Reading] {
        readings.withLock { $0 }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
    }

    fileprivate func record(_ reading: Reading) {
        readings.withLock { readings in
            let place = readings.firstIndex {
                $0.name == reading.name && $0.labels == reading.labels
            }
            if let place { readings[place] = reading } else { readings.append(reading) }
        }
    }

    fileprivate func count(_ name: String, _ labels: [Label], _ amount: Double?) {
        readings.withLock { readings in
            let place = readings.firstIndex { $0.name == name && $0.labels == labels }
            let value = amount.map { $0 + (place.map { readings[$0].value } ?? 0) } ?? 0
            let reading = Reading(name: name, labels: labels, value: value, isCount: true)
            if let place { readings[place] = reading } else { readings.append(reading) }
        }
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        let labels = dimensions.map { Label(name: $0.0, value: $0.1) }
        return Gauge(name: label, labels: labels, readings: self)
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard isCounting else { return NOOPMetricsHandler.instance }
        let labels = dimensions.map { Label(name: $0.0, value: $0.1) }
        // A counter is 0 before anything happens, so that its first change is seen.
        count(label, labels, 0)
        return Count(name: label, labels: labels, readings: self)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private final class Count: CounterHandler {
        let name: String
        let labels: [Label]
        let readings: GaugeReadings

        init(name: String, labels: [Label], readings: GaugeReadings) {
            (self.name, self.labels, self.readings) = (name, labels, readings)
        }

        func increment(by amount: Int64) { readings.count(name, labels, Double(amount)) }
        func reset() { readings.count(name, labels, nil) }
    }

    private final class Gauge: RecorderHandler {
        let name: String
        let labels: [Label]
        let readings: GaugeReadings

        init(name: String, labels: [Label], readings: GaugeReadings) {
            (self.name, self.labels, self.readings) = (name, labels, readings)
        }

        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) {
            readings.record(Reading(name: name, labels: labels, value: value))
        }
    }
}
