/// What one simulated world is made from: the same plan gives the same history, byte for byte.
public struct SimulationPlan: Hashable, Sendable {
    /// Where all chance comes from.
    public var seed: UInt64
    /// How many engines share the journal.
    public var nodes: Int
    /// How many payments there are.
    public var sessions: Int
    /// How much time may pass in the world, in minutes.
    public var minutes: Int
    /// What goes wrong, and how often.
    public var faults: SimulatedFaults

    /// The most that a plan may ask for; a world beyond it would not fit into memory or a life.
    public enum Bounds {
        /// Engines.
        public static let nodes = 1...16
        /// Payments.
        public static let sessions = 1...100_000
        /// Minutes in the world: thirty days.
        public static let minutes = 1...43_200
    }

    /// A plan; numbers beyond ``Bounds`` are brought back into them.
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
