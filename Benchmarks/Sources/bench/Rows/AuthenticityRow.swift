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
            what: "checking MACs and seals, and screening texts",
            baseline: "the same without, in turns"
        )
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
        await bed.close()
        row.add("verify without keys", audits.baselineMedian, "events/s")
        row.add("the same with keys, every seal opened", audits.ratio * 100, "%")
        let screening = try await screening(sample, options)
        row.add("record of a response with three texts", screening.baselineMedian, "events/s")
        row.add("the same with its texts screened", screening.ratio * 100, "%")
        row.notes.append("rates are events per processor second")
        return row
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
        let keys = sample.keys
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
