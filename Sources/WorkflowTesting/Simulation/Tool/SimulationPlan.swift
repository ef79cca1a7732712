/// The definition of one simulated world: the same plan gives the same history, byte for byte.
public struct SimulationPlan: Hashable, Sendable {
    /// The seed of all randomness.
    public var seed: UInt64
    /// The number of engines that share the journal.
    public var nodes: Int
    /// The number of payments.
    public var sessions: Int
    /// The duration of the world in minutes.
    public var minutes: Int
    /// The faults, with their frequencies.
    public var faults: SimulatedFaults

    /// The limits of a plan; a larger world would need too much memory or time.
    public enum Bounds {
        /// The number of engines.
        public static let nodes = 1...16
        /// The number of payments.
        public static let sessions = 1...100_000
        /// The number of minutes in the world, up to thirty days.
        public static let minutes = 1...43_200
    }

    /// Creates a plan; numbers beyond ``Bounds`` are clamped.
    public init(
        seed: UInt64,
        nodes: Int = 2,
        sessions: Int = 6,
        minutes: Int = 60,
        faults: SimulatedFaults = .stormy
    ) {
        self.seed = seed
        self.nodes = nodes.clamped(to: Bounds.nodes)
        self.sessions = sessions.clamped(to: Bounds.sessions)
        self.minutes = minutes.clamped(to: Bounds.minutes)
        self.faults = faults
    }

    /// The plan as options of `workflowctl simulate`.
    public var arguments: [String] {
        [
            "--seed", "\(seed)", "--nodes", "\(nodes)", "--sessions", "\(sessions)",
            "--minutes", "\(minutes)", "--faults", faults.text,
        ]
    }
}

extension Comparable {
    fileprivate func clamped(to bounds: ClosedRange<Self>) -> Self {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
