internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Server-sent events (HTML standard, section 9.2): what is sent to readers that follow a session
/// or all of them.
enum ServerSentEvent {
    /// The media type.
    static let mediaType = "text/event-stream"
    /// A line that keeps connections open, which readers ignore.
    static let heartbeat = Array(": hb\n\n".utf8)
    /// How often a reader hears something at least.
    static let silence = Duration.seconds(15)
    /// How soon a reader connects again.
    static let beginning = Array("retry: 3000\n\n".utf8)
    /// The last event of a service that stops.
    static let farewell = Array("event: bye\ndata: {}\n\n".utf8)

    /// An event; the data has no line ends, as JSON on one line.
    static func event(_ name: String, id: String, _ data: JSONValue) -> [UInt8] {
        event(name, id: id, Array(JSONDocument.text(data).utf8))
    }

    /// An event whose data is a line of JSON.
    static func event(_ name: String, id: String, _ line: [UInt8]) -> [UInt8] {
        Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + line + Array("\n\n".utf8)
    }
}

extension PaymentAPI {
    /// The records of a session as they come, each once and in order.
    ///
    /// Each event has the sequence number as its id, which is the same at every node and after
    /// every restart; the newest of several has the view.
    func stream(
        of session: SessionID,
        after first: SequenceNumber,
        for caller: Caller,
        lasting time: Duration? = nil
    ) throws(ServiceProblem) -> AsyncStream<[UInt8]> {
        let position = StreamPosition(
            SessionPosition(sequence: first),
            try used.openStream(of: caller)
        )
        return parts(from: position, of: session, lasting: time) { position in
            let records = try await store.read(
                session,
                from: position.sequence.next,
                limit: Self.streamBatch
            )
            guard let last = records.last else { return (position, []) }
            let view = try await view(of: session, for: caller)
            var bytes: [UInt8] = []
            for record in records {
                var members: [JSONValue.Member] = [
                    .init("session", .string("\(session)")),
                    .init("seq", .sequence(record.sequence)),
                    .init("type", .string(record.type)),
                    .init("at", .string("\(record.at)")),
                ]
                if record.sequence == last.sequence { members.append(.init("view", view.json)) }
                bytes += ServerSentEvent.event(
                    "session",
                    id: "\(record.sequence)",
                    .object(members)
                )
            }
            return (SessionPosition(sequence: last.sequence), bytes)
        }
    }

    /// The records of all sessions as they come, without their seals, each with the log position
    /// from which a reader can continue at any node.
    func stream(
        after cursor: LogCursor?,
        for caller: Caller
    ) throws(ServiceProblem) -> AsyncStream<[UInt8]> {
        let position = StreamPosition(
            FeedPosition(cursor: cursor),
            try used.openStream(of: caller)
        )
        return parts(from: position, of: nil) { position in
            let found = try await store.records(after: position.cursor, limit: Self.streamBatch)
            guard let last = found.last else { return (position, []) }
            let bytes = found.flatMap { found in
                ServerSentEvent.event("record", id: "\(found.cursor)", Self.line(of: found.record))
            }
            return (FeedPosition(cursor: last.cursor), bytes)
        }
    }

    /// The number of records that one part of a stream has at most.
    static var streamBatch: Int { 256 }

    /// Makes the parts of a stream, each when it is asked for: after a part without events, the
    /// next one waits for news.
    private func parts<Position: Sendable>(
        from position: StreamPosition<Position>,
        of session: SessionID?,
        lasting time: Duration? = nil,
        _ next: @escaping @Sendable (Position) async throws -> (Position, [UInt8])
    ) -> AsyncStream<[UInt8]> {
        let changes = changes
        let end = time.map { ContinuousClock.now + $0 }
        return AsyncStream {
            guard !Task.isCancelled, !position.isOver, end.map({ .now < $0 }) ?? true else {
                return nil
            }
            if position.isFirst {
                position.isFirst = false
                return ServerSentEvent.beginning
            }
            while !Task.isCancelled {
                guard await !changes.hasEnded else {
                    position.isOver = true
                    return ServerSentEvent.farewell
                }
                let mark = await changes.mark
                do {
                    let (reached, bytes) = try await next(position.reached)
                    position.reached = reached
                    if !bytes.isEmpty { return bytes }
                } catch {
                    // The reader connects again, and is told the reason then.
                    return nil
                }
                guard
                    await changes.wait(
                        for: session,
                        since: mark,
                        atMost: ServerSentEvent.silence
                    )
                else {
                    return ServerSentEvent.heartbeat
                }
            }
            return nil
        }
    }

    /// A record as it is shown to others: a line of a log without its seals.
    static func line(of record: StoredRecord) -> [UInt8] {
        var record = record
        record.seals = []
        return LogLine.encode(record)
    }
}

/// How far a stream has been read; only the stream's own reader uses it.
private final class StreamPosition<Position: Sendable>: @unchecked Sendable {
    var reached: Position
    var isFirst = true
    var isOver = false
    /// Counts the stream as long as somebody may read it.
    private let ticket: StreamTicket

    init(_ reached: Position, _ ticket: StreamTicket) {
        (self.reached, self.ticket) = (reached, ticket)
    }
}

private struct SessionPosition: Sendable { var sequence: SequenceNumber }
private struct FeedPosition: Sendable { var cursor: LogCursor? }
