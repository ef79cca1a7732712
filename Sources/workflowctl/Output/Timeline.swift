internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Prints a session's events, one per line, as soon as they are durable.
struct Timeline: Sendable {
    private let session: SessionID
    private let store: any PersistentStore
    private let sink: Sink
    private let begin: Instant
    private var told: SequenceNumber

    /// Creates a timeline of the events from a time on.
    init(
        of session: SessionID,
        in store: any PersistentStore,
        on sink: Sink,
        since begin: Instant
    ) {
        self.session = session
        self.store = store
        self.sink = sink
        self.begin = begin
        told = 0
    }

    /// Prints the events up to a sequence number.
    mutating func catchUp(to sequence: SequenceNumber) async throws(Failure) {
        while told < sequence {
            let records: [StoredRecord]
            do {
                records = try await store.read(
                    session,
                    from: told + 1,
                    limit: Int(clamping: sequence - told)
                )
            } catch {
                throw Failure(error)
            }
            guard !records.isEmpty else { return }
            for event in try SessionEvents.read(records) where event.at >= begin {
                let currency = try await store.orderCurrency(for: event)
                let line = EventWords(event.event, currency: currency).line(
                    at: event.at,
                    since: begin,
                    in: sink.style
                )
                sink.write(line + "\n")
            }
            told += records.count
        }
    }
}

enum SessionEvents {
    /// Decodes records.
    static func read(_ records: [StoredRecord]) throws(Failure) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        for record in records {
            do {
                events.append(try RecordReader.event(in: record))
            } catch {
                throw Failure(
                    LogDamage(
                        stream: record.stream,
                        sequence: record.sequence,
                        kind: .unreadable(error)
                    )
                )
            }
        }
        return events
    }
}
