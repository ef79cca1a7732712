public import EventLog

/// How one simulated world went.
public struct SimulationReport: Sendable {
    /// What it was made from.
    public var plan: SimulationPlan
    /// The first guarantee that was broken; nothing when all held.
    public var violation: EffectLedger.Violation?
    /// How long after the beginning of the world that was.
    public var violatedAfter: Duration?
    /// How the payments ended, and how many of each; `waiting` for those that wait for their payer, and
    /// `notOpened` for those whose client gave up before an engine took them in.
    public var outcomes: [String: Int]
    /// What was counted.
    public var statistics: SimulationStatistics
    /// The history as a hash: over every record of every log and the time, place and kind of every step.
    public var digest: Digest256
    /// What happened, if it was asked for.
    public var steps: [SimulatedStep]

    /// The minutes of trouble that a repetition needs to get to the violation.
    var minutesToViolation: Int {
        guard let violatedAfter else { return plan.minutes }
        return min(plan.minutes, Int(violatedAfter.components.seconds / 60) + 1)
    }
}

extension SimulationStatistics {
    /// Takes in the numbers of another world.
    public mutating func add(_ other: SimulationStatistics) {
        steps += other.steps
        crashes += other.crashes
        powerLosses += other.powerLosses
        tornWrites += other.tornWrites
        survivingWrites += other.survivingWrites
        conflicts += other.conflicts
        takeovers += other.takeovers
        handOvers += other.handOvers
        lostLeases += other.lostLeases
        requests += other.requests
        keptBack += other.keptBack
        lostAnswers += other.lostAnswers
        events += other.events
        clockJumps += other.clockJumps
        partitions += other.partitions
        simulatedTime += other.simulatedTime
        sessionTime += other.sessionTime
    }
}
