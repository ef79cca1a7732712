public import EventLog
public import SwedbankPay
internal import Workflow

/// A simulated world of payments.
public typealias PaymentWorld = SimulatedWorld<PaymentScenario>

extension SimulationSettings where Scenario == PaymentScenario {
    /// Creates the default settings with these rules; change single members as needed.
    public init(
        decider: SessionDecider = SessionDecider(
            catalogue: ProblemCatalogue(rows: [], version: "simulated")
        )
    ) {
        self.init(PaymentScenario(rules: decider))
    }

    /// The rules, with the host's own limits, problem catalogue and overrides.
    public var decider: SessionDecider {
        get { scenario.rules }
        set { scenario.rules = newValue }
    }

    /// How payers' apps react to what they are shown.
    public var client: any SimulatedClient {
        get { scenario.client }
        set { scenario.client = newValue }
    }
}

extension Simulation where Scenario == PaymentScenario {
    /// Creates a simulation of payments with the default settings.
    public init(driver: any CoreDriver<SessionDecider> = FaithfulDriver<SessionDecider>()) {
        self.init(settings: SimulationSettings(), driver: driver)
    }
}

extension SimulatedMoment where Scenario == PaymentScenario {
    /// The number of attempts that the PSP has seen.
    public var attemptsSeen: Int { scenario.provider.orders[state.session]?.attempts ?? 0 }

    /// The number of payments at the PSP.
    public var payments: Int {
        scenario.provider.orders[state.session]?.payments
            ?? scenario.provider.checkouts[state.session]?.payments ?? 0
    }
}

extension SimulatedWorld where Scenario == PaymentScenario {
    /// Creates a world with the default settings.
    public init(
        faults: SimulatedFaults = .none,
        nodes: Int = 1,
        seed: UInt64,
        driver: any CoreDriver<SessionDecider> = FaithfulDriver<SessionDecider>()
    ) {
        self.init(
            settings: SimulationSettings(),
            faults: faults,
            nodes: nodes,
            seed: seed,
            driver: driver
        )
    }

    /// The PSP.
    public var provider: SimulatedProvider { scenario.provider }

    var decider: SessionDecider { scenario.rules }

    /// Opens a session whose payer behaves like this.
    ///
    /// - Parameters:
    ///   - payer: The payer's decision in the bank's app or on its page.
    ///   - authentication: How the card's issuer authenticates.
    ///   - preferences: What to pay with as soon as the methods are known.
    ///   - pause: The time until the session is opened.
    /// - Returns: The session.
    @discardableResult
    public mutating func open(
        payer: SimulatedProvider.Payer,
        authentication: SimulatedProvider.Authentication,
        paysWith preferences: [Preference],
        after pause: Duration = .zero
    ) -> SessionID {
        open(after: pause) { scenario, session, _ in
            scenario.provider.create(session, payer: payer, authentication: authentication)
            let opened = Opened(
                sessionURL: scenario.secrets.seal("session-\(session)"),
                host: scenario.host,
                userAgent: "simulated",
                preferences: preferences
            )
            return .command(.open(opened))
        }
    }
}
