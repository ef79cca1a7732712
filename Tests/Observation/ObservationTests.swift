import Adapters
import CoreMetrics
import Foundation
import InMemoryLogging
import InMemoryTracing
import Instrumentation
import Logging
import MetricsTestKit
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Tracing

/// A host's log, metrics and traces during successful and failing payments.
@Suite struct ObservationTests {
    @Test(.duty("C-28"), .guarantee(.noSecretOutside))
    func `trace-level logs, metrics and traces cover payments and contain no secret`() async {
        // In a process of its own: the backends of logs, metrics and traces are set once per
        // process.
        await #expect(processExitsWith: .success) {
            let log = InMemoryLogHandler()
            LoggingSystem.bootstrap { _ in
                var handler = log
                handler.logLevel = .trace
                return handler
            }
            let metrics = TestMetrics()
            MetricsSystem.bootstrap(metrics)
            let tracer = InMemoryTracer()
            InstrumentationSystem.bootstrap(tracer)

            var watched = Watched()
            try await Payments.run(&watched)

            for entry in log.entries {
                watched.told.append("\(entry.message) \(entry.metadata)")
                if let error = entry.error {
                    watched.told += ["\(error)", String(reflecting: error)]
                }
            }
            #expect(log.entries.contains { $0.level == .debug }, "the provider tells of requests")
            for timer in metrics.timers {
                watched.told.append("\(timer.label) \(timer.dimensions)")
            }
            for counter in metrics.counters {
                watched.told.append("\(counter.label) \(counter.dimensions)")
            }
            for meter in metrics.meters + [] {
                watched.told.append("\(meter.label) \(meter.dimensions)")
            }
            for recorder in metrics.recorders {
                watched.told.append("\(recorder.label) \(recorder.dimensions)")
            }
            #expect(!metrics.timers.isEmpty, "requests are measured")
            for span in tracer.finishedSpans {
                watched.told.append("\(span.operationName) \(span.status as Any)")
                span.attributes.forEach { watched.told.append("\($0) \($1)") }
                for event in span.events { watched.told.append("\(event)") }
                for error in span.errors { watched.told.append("\(error.error)") }
            }
            #expect(tracer.finishedSpans.count > 10, "requests are traced")
            #expect(watched.secrets.count > 50, "too few to mean anything")
            #expect(watched.leaks == [])
            watched.told.append("planted \(watched.secrets.first ?? "")")
            #expect(watched.leaks.count == 1, "what is planted is found")
        }
    }

    @Test func `a store that cannot be scanned for client telemetry is logged`() async {
        await #expect(processExitsWith: .success) {
            let log = InMemoryLogHandler()
            LoggingSystem.bootstrap { _ in log }
            let loop = try UVLoop(name: "observed")
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = try await SQLiteEventStore(path: folder.path + "/payments.db", loop: loop)
            let logger = EventLogger(
                store: store,
                vault: try KeyFileVault(path: folder.path + "/payments.db.key"),
                sender: NoSender(),
                clock: UVClock(on: loop),
                random: SystemRandom(),
                executor: loop
            )
            await store.close()
            await logger.catchUp()
            let codes = log.entries.map { "\($0.level) \($0.metadata["code"] ?? "")" }
            #expect(codes == ["warning store.closed"])
            await logger.shutdown()
            try FileManager.default.removeItem(at: folder)
        }
    }
}

private struct NoSender: BeaconSender {
    func send(_ beacon: Beacon, to address: String) async -> BeaconOutcome { .failed }
}

/// What was recorded, and what must not be in it.
struct Watched {
    var told: [String] = []
    var secrets: Set<String> = []

    /// Adds the parts of a secret that would not occur by chance.
    mutating func add(_ text: String) {
        let parts = text.split {
            !($0.isASCII && ($0.isLetter || $0.isNumber) || "-_.~+=".contains($0))
        }
        for part in parts where part.utf8.count >= 10 && part.contains(where: \.isNumber) {
            let isToken = part.utf8.count >= 16 || part.allSatisfy { $0.isNumber || $0 == "+" }
            if isToken || part.contains("marked") { secrets.insert(String(part)) }
        }
    }

    /// Everything recorded that contains a secret: in the clear, base64 or hexadecimal.
    var leaks: [String] {
        let forms = secrets.flatMap { secret -> [String] in
            let hexadecimal = secret.utf8.map { String(format: "%02x", $0) }.joined()
            let base64 = Data(secret.utf8).base64EncodedString().prefix(secret.utf8.count * 8 / 6)
            return [secret, hexadecimal, hexadecimal.uppercased(), String(base64)]
        }
        return Set(told).filter { text in
            // By bytes: comparing characters takes a hundred times as long.
            let bytes = Data(text.utf8)
            return forms.contains { bytes.range(of: Data($0.utf8)) != nil }
        }.sorted()
    }
}
