import EventLog
import Workflow
import WorkflowTesting

/// Guests who book seats at a theatre, in a simulated world.
struct SeatScenario: SimulatedScenario {
    var rules = SeatRules()
    var secrets = SimulatedSecrets()
    /// A non-idempotent theatre holds another seat with each request, an idempotent one holds one
    /// seat for each booking.
    var isCareless = false
    /// The number of seats that the theatre holds for each booking.
    var seats: [SessionID: Int] = [:]
    private var soldOut: Set<SessionID> = []
    private var confirming: Set<SessionID> = []

    static func open(
        in world: inout SimulatedWorld<Self>,
        within span: Duration,
        using dice: inout SplitMix64
    ) {
        let pause = Duration.milliseconds(Int64(dice.next() % UInt64(span / .milliseconds(1))))
        let isSoldOut = dice.next() % 5 == 0
        world.open(after: pause) { scenario, session, number in
            if isSoldOut { scenario.soldOut.insert(session) }
            return .command(.book(seat: "row 7, seat \(number)"))
        }
    }

    /// The guest confirms within ten minutes, which may be too late.
    mutating func client(
        sees state: SeatState,
        at now: Instant,
        using dice: inout SplitMix64
    ) -> [SimulatedAct<SeatRules.Input>] {
        guard state.heldAt != nil, !state.isOver, confirming.insert(state.session).inserted else {
            return []
        }
        return [SimulatedAct(after: .seconds(Int64(dice.next() % 600)), .command(.confirm))]
    }

    func isReport(_ input: SeatRules.Input) -> Bool { input == .command(.confirm) }

    mutating func process(_ request: SeatRequest, of session: SessionID) -> SeatOutcome {
        let held = seats[session, default: 0]
        switch request.kind {
        case .read: return .holds(held > 0)
        case .hold:
            if soldOut.contains(session) { return .soldOut }
            if held == 0 || isCareless { seats[session] = held + 1 }
            return .holds(true)
        }
    }

    func effects(of session: SessionID) -> Int { seats[session, default: 0] }
    func effectsWanted(by state: SeatState) -> Int { state.seat.isEmpty ? 0 : 1 }

    func outcome(of trouble: NetworkTrouble) -> SeatOutcome {
        switch trouble {
        case .notSent: .failed(isUnknown: false, isLost: true)
        case .lost, .canceled: .failed(isUnknown: true, isLost: true)
        case .unavailable, .unusable: .failed(isUnknown: true)
        case .tooManyRequests(let wait): .failed(isUnknown: false, wait: wait)
        }
    }

    func isSuccess(_ outcome: SeatOutcome) -> Bool {
        if case .holds = outcome { true } else { false }
    }

    func meaning(of event: SeatEvent) -> EventMeaning {
        switch event {
        case .started(let start): .started(start.effect, start.kind.rawValue)
        case .failed(let failure) where failure.kind == .read: .readingEnded
        case .failed(let failure) where failure.isSafeToResend: .other
        case .failed(let failure): .leftUnknown(failure.kind.rawValue)
        case .foundNone, .held: .read(isNew: true)
        case .wanted, .ended, .unknown: .other
        }
    }
}
