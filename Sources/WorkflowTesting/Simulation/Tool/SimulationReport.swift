public import EventLog

/// The result of one simulated world.
public struct SimulationReport: Sendable {
    /// The plan of the world.
    public var plan: SimulationPlan
    /// The first guarantee that was violated; `nil` when all held.
    public var violation: EffectLedger.Violation?
    /// The time of the violation since the beginning of the world.
    public var violatedAfter: Duration?
    /// The number of payments by outcome; `waiting` for those that wait for their payer, and
    /// `notOpened` for those whose client gave up before an engine opened them.
    public var outcomes: [String: Int]
    /// The counts.
    public var statistics: SimulationStatistics
    /// A hash of the history: over every record of every log and the time, node, session and kind
    /// of every step.
    public var digest: Digest256
    /// The steps, if they were requested.
    public var steps: [SimulatedStep]

    /// The number of minutes with faults that a repetition needs to reach the violation.
    var minutesToViolation: Int {
        guard let violatedAfter else { return plan.minutes }
        return min(plan.minutes, Int(violatedAfter.components.seconds / 60) + 1)
    }
}

extension SimulationStatistics {
    /// Adds the counts of another world.
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
        lostResponses += other.lostResponses
        events += other.events
        clockJumps += other.clockJumps
        partitions += other.partitions
        simulatedTime += other.simulatedTime
        sessionTime += other.sessionTime
    }
}
