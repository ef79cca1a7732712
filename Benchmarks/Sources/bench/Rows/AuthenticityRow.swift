internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// The cost of MACs and of screening texts, relative to the rest of the work.
enum AuthenticityRow {
    static let name = "authenticity"
    /// The share of a rate that must be left.
    private static let share = 95.0

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        var row = Row(
            name: name,
            what: "MACs of records, and screening of texts",
            baseline: "the same without, in turns"
        )
        for (material, events) in [
            ("ordinary events", sample.ordinary), ("whole log", sample.events),
        ] {
            let pair = try await writing(events, sample, options)
            row.add("encode, seal, chain; \(material)", pair.baselineMedian, "events/s")
            // Part of an append, which waits for the disk: that one has the limit.
            row.add("the same with a MAC", pair.ratio * 100, "%")
        }
        let appends = try await appending(sample, options, in: directory)
        row.add("durable append without a MAC", appends.baselineMedian, "commits/s")
        row.expect("the same with a MAC", appends.ratio * 100, atLeast: share, "%")
        let bed = try await AuthenticityBed(
            sessions: options.count(1000, quick: 300),
            sample: sample,
            path: "\(directory)/authenticity.db"
        )
        let rounds = options.count(10, quick: 6)
        let replays = try await Alternation(rounds: rounds) {
            try await bed.replay(authenticates: true)
        } baseline: {
            try await bed.replay(authenticates: false)
        }
        row.add("replay without comparing MACs", replays.baselineMedian, "events/s")
        row.expect("the same with comparing", replays.ratio * 100, atLeast: share, "%")
        let audits = try await Alternation(rounds: rounds) {
            try await bed.verify(hasKeys: true)
        } baseline: {
            try await bed.verify(hasKeys: false)
        }
        func proving(withMACs: Bool) async throws -> AuthenticityBed {
            try await AuthenticityBed(
                sessions: options.count(1000, quick: 300),
                sample: sample,
                withMACs: withMACs,
                path: "\(directory)/proved-\(withMACs).db"
            )
        }
        let (after, before) = (
            try await proving(withMACs: true), try await proving(withMACs: false)
        )
        let proofs = try await Alternation(rounds: rounds) {
            try await after.verify(hasKeys: true)
        } baseline: {
            try await before.verify(hasKeys: true)
        }
        await bed.close()
        await after.close()
        await before.close()
        row.add("verify without keys", audits.baselineMedian, "events/s")
        row.add("the same with keys, every seal opened", audits.ratio * 100, "%")
        row.add(
            "verify with keys, records without MACs and seals",
            proofs.baselineMedian,
            "events/s"
        )
        row.expect("the same of records with MACs", proofs.ratio * 100, atLeast: share, "%")
        let screening = try await screening(sample, options)
        row.add("record of a response with three texts", screening.baselineMedian, "events/s")
        row.add("the same with its texts screened", screening.ratio * 100, "%")
        row.notes.append("rates are events per processor second; durable appends are by the clock")
        return row
    }

    /// Returns the keys of a session whose records have MACs, or have none.
    static func keys(withMACs: Bool) -> SessionKeys {
        guard
            let keys = SessionKeys(
                dataKey: (0..<UInt8(SessionKeys.dataKeyBytes)).map { $0 },
                authenticFrom: withMACs ? 1 : nil
            )
        else { preconditionFailure("a data key of the right length") }
        return keys
    }

    private static func writing(
        _ events: [RecordedEvent],
        _ sample: SessionSample,
        _ options: Options
    ) async throws -> Alternation {
        let count = options.count(20_000, quick: 5_000)
        func rate(_ keys: SessionKeys) throws -> Double {
            let start = Machine.threadSeconds()
            let records = try sample.records(count, of: events, for: .fresh(), with: keys)
            guard records.count == count else {
                throw AuthenticityBed.NotSound(what: "the number of records")
            }
            return Double(count) / (Machine.threadSeconds() - start)
        }
        let (with, without) = (keys(withMACs: true), keys(withMACs: false))
        return try await Alternation(rounds: options.count(15, quick: 8)) {
            try rate(with)
        } baseline: {
            try rate(without)
        }
    }

    /// Creates and appends one record after the other, each durable before the next, by the wall
    /// clock.
    private static func appending(
        _ sample: SessionSample,
        _ options: Options,
        in directory: String
    ) async throws -> Alternation {
        let loop = try UVLoop(name: "bench")
        let path = directory + "/mac-appends.db"
        let store = try await SQLiteEventStore(path: path, loop: loop)
        let times = options.count(1000, quick: 300)
        func rate(_ keys: SessionKeys) async throws -> Double {
            let session = SessionID.fresh()
            return try await onLoop(loop) {
                let start = Machine.seconds()
                let records = try sample.records(
                    times,
                    of: sample.ordinary,
                    for: session,
                    with: keys
                )
                for record in records {
                    var append = StreamAppend(record)
                    if keys.authenticFrom != nil {
                        let head = StreamHead(sequence: record.sequence, hash: record.hash)
                        append.summary.headMAC = keys.mac(of: head)
                    }
                    try await store.append(append)
                }
                return Double(times) / (Machine.seconds() - start)
            }
        }
        let (with, without) = (keys(withMACs: true), keys(withMACs: false))
        let pair = try await Alternation(rounds: options.count(10, quick: 6)) {
            try await rate(with)
        } baseline: {
            try await rate(without)
        }
        await store.close()
        loop.shutdown()
        return pair
    }

    /// Creates the record of each event, and screens three texts before it, as many as the response
    /// with a problem has.
    private static func screening(
        _ sample: SessionSample,
        _ options: Options
    ) async throws -> Alternation {
        let texts = [
            "Operation not allowed",
            "The attempt could not be completed, choose another way to pay and try once more",
            "Payment declined by the issuer of the card",
        ]
        let keys = keys(withMACs: true)
        let count = options.count(20_000, quick: 5_000)
        let events = sample.events.filter {
            if case .fetched(let fetched) = $0.event { fetched.snapshot != nil } else { false }
        }
        func rate(screens: Bool) throws -> Double {
            let start = Machine.threadSeconds()
            var secrets = sample.secrets
            var plain = 0
            for _ in 0..<count {
                for text in texts {
                    let recorded =
                        screens
                        ? OutsideTextScreen.text(text, keys: keys, secrets: &secrets)
                        : OutsideText.plain(text)
                    if case .plain = recorded { plain += 1 }
                }
            }
            guard plain == count * texts.count else {
                throw AuthenticityBed.NotSound(what: "a text in the clear")
            }
            _ = try sample.records(count, of: events, for: .fresh(), with: keys)
            return Double(count) / (Machine.threadSeconds() - start)
        }
        return try await Alternation(rounds: options.count(10, quick: 6)) {
            try rate(screens: true)
        } baseline: {
            try rate(screens: false)
        }
    }
}
