internal import EventLog
internal import SwedbankPay
internal import Workflow

/// The plan of one payment of a training store.
struct TrainingPlan: Sendable {
    /// The payment's number, from 1, in the order of time.
    var number: Int
    var story: TrainingCase
    var start: Instant
    var seed: UInt64
    /// The amount in minor units.
    var amount: Int
    var currency: String
    var description: String
    var reference: String
    var metadata: [String: String]

    /// The reference by which the sandbox finds the scenario of the order.
    var payeeReference: String { story.scenario.filter { $0 != "-" } + "\(number)" }

    /// The period over which payments are spread.
    static let month = Duration.seconds(30 * 24 * 3_600)

    /// Returns the plans of a number of payments, oldest first; they are the same for the same
    /// seed.
    static func plans(_ count: Int, seed: UInt64, until: Instant) -> [TrainingPlan] {
        var dice = SplitMix64(seed: seed)
        var cases = deck(count)
        cases.shuffle(using: &dice)
        let starts = cases.map { start(of: $0, until, &dice) }
        let order = cases.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
        return order.enumerated().map { index, place in
            plan(index + 1, cases[place], starts[place], &dice)
        }
    }

    /// Returns each case as often as its weight requires, and at least once if possible.
    private static func deck(_ count: Int) -> [TrainingCase] {
        let all = TrainingCase.all
        let total = all.reduce(0) { $0 + $1.weight }
        var deck = all.flatMap { story in
            Array(repeating: story, count: max(1, story.weight * count / total))
        }
        let usual = all.max { $0.weight < $1.weight }
        while deck.count < count, let usual { deck.append(usual) }
        // The frequent cases make room for the rare ones.
        while deck.count > count {
            let counts = Dictionary(grouping: deck.indices) { deck[$0].name }
            guard let most = counts.values.max(by: { ($0.count, $1[0]) < ($1.count, $0[0]) })
            else { break }
            deck.remove(at: most[most.count - 1])
        }
        return deck
    }

    /// Returns the time at which a payment begins: by day more often than by night, or in the last
    /// minutes if it must be in progress at the end.
    private static func start(
        of story: TrainingCase,
        _ until: Instant,
        _ dice: inout SplitMix64
    ) -> Instant {
        if let minutes = story.minutesBeforeEnd {
            let bounds = minutes.lowerBound * 60_000...minutes.upperBound * 60_000
            return until + .milliseconds(-Int64.random(in: bounds, using: &dice))
        }
        let days = Int64.random(in: story.days...29, using: &dice)
        // Four of five between breakfast and bedtime in Central Europe.
        let hours: ClosedRange<Int64> = Int.random(in: 1...5, using: &dice) == 1 ? 0...23 : 6...20
        let day = (until.microseconds / Self.dayMicroseconds - days) * Self.dayMicroseconds
        let second = Int64.random(in: hours, using: &dice) * 3_600
        let rest = Int64.random(in: 0...3_599_999, using: &dice)
        return Instant(microseconds: day + second * 1_000_000 + rest * 1_000)
    }

    private static let dayMicroseconds: Int64 = 24 * 3_600 * 1_000_000

    private static func plan(
        _ number: Int,
        _ story: TrainingCase,
        _ start: Instant,
        _ dice: inout SplitMix64
    ) -> TrainingPlan {
        let ware = wares[Int.random(in: wares.indices, using: &dice)]
        let pieces = Int.random(in: 1...3, using: &dice)
        let currency =
            story.takesAnyCurrency
            ? currencies[Int.random(in: currencies.indices, using: &dice)] : "SEK"
        let channel = ["ios", "android", "web"][Int.random(in: 0...2, using: &dice)]
        // One order in forty is from the shop in Tokyo, and one from the gift shop.
        let prefix =
            switch Int.random(in: 1...40, using: &dice) {
            case 1: "注文-"
            case 2: "🎁-"
            default: "order-"
            }
        return TrainingPlan(
            number: number,
            story: story,
            start: start,
            seed: dice.next(),
            amount: ware.amount * pieces,
            currency: currency,
            description: pieces == 1 ? ware.name : "\(pieces) × \(ware.name)",
            reference: "\(prefix)\(10_400 + number)",
            metadata: ["channel": channel]
        )
    }

    private static let currencies = ["SEK", "SEK", "SEK", "SEK", "NOK", "DKK", "EUR"]

    private static let wares: [(name: String, amount: Int)] = [
        ("Coffee beans", 12_900), ("Desk lamp", 64_900), ("Running shoes", 119_900),
        ("Train ticket", 34_500), ("Concert ticket", 59_500), ("Notebook", 5_950),
        ("Winter jacket", 189_900), ("Pizza", 13_500), ("Headphones", 99_900),
        ("Monthly pass", 102_000), ("Children's book", 16_900), ("Bicycle helmet", 79_900),
    ]
}
