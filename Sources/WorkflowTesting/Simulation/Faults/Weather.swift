import EventLog
internal import Workflow

extension SimulatedFaults {
    /// Conditions that affect all engines for a while.
    struct Weather: Sendable {
        private var providerDown: Instant?
        private var rateLimited: Instant?
        private var diskFull: Instant?

        func isProviderDown(at now: Instant) -> Bool { providerDown.map { now < $0 } ?? false }

        /// The remaining time in which the PSP refuses every request; `nil` when it does not.
        func rateLimit(at now: Instant) -> Duration? {
            guard let rateLimited, now < rateLimited else { return nil }
            return min(rateLimited - now + .seconds(1), .seconds(10))
        }

        func isDiskFull(at now: Instant) -> Bool { diskFull.map { now < $0 } ?? false }

        mutating func takeDownProvider(until end: Instant) { providerDown = end }
        mutating func limitRate(until end: Instant) { rateLimited = end }
        mutating func fillDisk(until end: Instant) { diskFull = end }
    }

    /// A condition that may start at any step.
    struct Mishap: Sendable {
        enum Kind: Sendable {
            case crash, powerLoss, pause, providerCut, storeCut, clockJump
            case outage, rateLimiting, fullDisk
        }
        var kind: Kind
        /// The upper bound of the dice for this condition; the lower one is the bound of the
        /// condition before.
        var below: Int
    }
}

extension SimulatedWorld {
    /// Draws which condition starts at this step, if any.
    mutating func mayGoWrong() {
        let dice = Int(generator.next() % 1000)
        guard let mishap = mishaps.first(where: { dice < $0.below }) else { return }
        let node = anyNode()
        let otherSide = scenario.otherSide
        switch mishap.kind {
        case .crash: crash(node)
        case .powerLoss: losePower()
        case .pause: pause(node)
        case .providerCut: cut(node, from: .cutFromProvider)
        case .storeCut: cut(node, from: .cutFromStore)
        case .clockJump: jump(node)
        case .outage:
            weather.takeDownProvider(until: now + pause(1000...40_000))
            note(.weather, node: nil, nil, "\(otherSide) is down")
        case .rateLimiting:
            weather.limitRate(until: now + pause(1000...20_000))
            note(.weather, node: nil, nil, "\(otherSide) limits its rate")
        case .fullDisk:
            weather.fillDisk(until: now + pause(500...20_000))
            note(.weather, node: nil, nil, "the disk is full")
        }
    }
}

extension SimulatedFaults {
    /// The conditions with a frequency above 0.
    var mishaps: [Mishap] {
        let kinds: [(Mishap.Kind, Int)] = [
            (.crash, crash), (.powerLoss, powerLoss), (.pause, pause),
            (.providerCut, providerCut), (.storeCut, storeCut), (.clockJump, clockJump),
            (.outage, outage), (.rateLimiting, rateLimiting), (.fullDisk, fullDisk),
        ]
        var below = 0
        return kinds.filter { $0.1 > 0 }.map { kind, chance in
            below += chance
            return Mishap(kind: kind, below: below)
        }
    }
}
