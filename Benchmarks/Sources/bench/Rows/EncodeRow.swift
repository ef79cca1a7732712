internal import EventLog
internal import Measuring
internal import SwedbankPay

/// Encoding records, with canonical form and hash chain, on one core.
enum EncodeRow {
    static let name = "encode"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        var row = Row(
            name: name,
            what: "encode + chain, one core",
            baseline: "SHA-256 of the same bytes, by the same library"
        )
        let ordinary = try await rate(of: sample.ordinary, options)
        row.add("an ordinary event", ordinary.bytes, "bytes")
        row.add("ordinary events, SHA-256 alone", ordinary.pair.baselineMedian, "events/s")
        row.add("ordinary events, of that rate", ordinary.pair.ratio * 100, "%")
        row.expect(
            "ordinary events",
            ordinary.pair.oursMedian,
            atLeast: 1_000_000,
            "events/s"
        )
        let all = try await rate(of: sample.events, options)
        row.add("an event of a whole log, snapshots included", all.bytes, "bytes")
        row.add("whole log", all.pair.oursMedian, "events/s")
        row.add("whole log, SHA-256 alone", all.pair.baselineMedian, "events/s")
        row.add("whole log, of that rate", all.pair.ratio * 100, "%")
        row.notes.append(
            "rates are events per processor second of one thread; sealing is not part of it"
        )
        row.notes.append("ordinary events are those of a real log that hold no snapshot")
        return row
    }

    private static func rate(
        of events: [RecordedEvent],
        _ options: Options
    ) async throws -> (pair: Alternation, bytes: Double) {
        let rounds = options.count(15, quick: 5)
        let times = options.count(100_000, quick: 30_000) / events.count
        let encoded = events.map { EventCodec.encode($0).canonical }
        let bytes = Double(encoded.reduce(0) { $0 + $1.count }) / Double(events.count)
        let count = Double(times * events.count)
        var last = Digest256.zero
        let pair = try await Alternation(rounds: rounds) {
            let start = Machine.threadSeconds()
            for _ in 0..<times {
                for event in events {
                    last = HashChain.hash(last, EventCodec.encode(event).canonical)
                }
            }
            return count / (Machine.threadSeconds() - start)
        } baseline: {
            let start = Machine.threadSeconds()
            for _ in 0..<times {
                for bytes in encoded { last = HashChain.hash(last, bytes) }
            }
            return count / (Machine.threadSeconds() - start)
        }
        guard last != .zero else { throw ChildProcess.Failure(description: "nothing was hashed") }
        return (pair, bytes)
    }
}
