public import EventLog
public import SwedbankPay
internal import Workflow

/// A simulated world of payments.
public typealias PaymentWorld = SimulatedWorld<PaymentScenario>

extension SimulationSettings where Scenario == PaymentScenario {
    /// The defaults with these rules, to be changed member by member.
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

    /// What payers' apps do about what they are shown.
    public var client: any SimulatedClient {
        get { scenario.client }
        set { scenario.client = newValue }
    }
}

extension Simulation where Scenario == PaymentScenario {
    /// A simulation of payments with the default settings.
    public init(driver: any CoreDriver<SessionDecider> = FaithfulDriver<SessionDecider>()) {
        self.init(settings: SimulationSettings(), driver: driver)
    }
}

extension SimulatedMoment where Scenario == PaymentScenario {
    /// How many attempts the PSP has seen.
    public var attemptsSeen: Int { scenario.provider.orders[state.session]?.attempts ?? 0 }

    /// How many payments the PSP has taken.
    public var payments: Int {
        scenario.provider.orders[state.session]?.payments
            ?? scenario.provider.checkouts[state.session]?.payments ?? 0
    }
}

extension SimulatedWorld where Scenario == PaymentScenario {
    /// A world with the default settings.
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

    /// Takes in a session whose payer behaves like this.
    ///
    /// - Parameters:
    ///   - payer: What the payer does in the bank's app or page.
    ///   - authentication: How the card's issuer authenticates.
    ///   - preferences: What to pay with as soon as the methods are known.
    ///   - pause: How long after now.
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
