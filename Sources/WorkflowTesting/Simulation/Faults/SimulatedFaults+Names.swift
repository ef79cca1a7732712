extension SimulatedFaults {
    /// A named kind of fault.
    public struct Kind: Sendable {
        /// The name, for example `answerLost`.
        public var name: String
        /// A description of the fault in one sentence.
        public var meaning: String
        /// Its frequency in ``stormy``, in thousandths.
        public var stormy: Int
        let path: any WritableKeyPath<SimulatedFaults, Int> & Sendable

        init(
            _ path: any WritableKeyPath<SimulatedFaults, Int> & Sendable,
            _ name: String,
            _ stormy: Int,
            _ meaning: String
        ) {
            self.name = name
            self.meaning = meaning
            self.stormy = stormy
            self.path = path
        }
    }

    /// Every kind of fault: network, store, engines, clients.
    public static let all: [Kind] = [
        Kind(\.requestLost, "requestLost", 40, "a request is lost on its way"),
        Kind(\.connectionRefused, "connectionRefused", 20, "the connection can't be opened"),
        Kind(\.answerLost, "answerLost", 50, "performed by the PSP, but the response is lost"),
        Kind(\.requestLate, "requestLate", 20, "a request arrives long after its deadline"),
        Kind(\.answerTwice, "answerTwice", 50, "a response arrives twice"),
        Kind(\.answerLate, "answerLate", 30, "a response arrives after later ones"),
        Kind(\.hang, "hang", 10, "no response arrives before the request's deadline"),
        Kind(\.unavailable, "unavailable", 40, "503, and it was not performed"),
        Kind(\.failsAfterProcessing, "failsAfterProcessing", 30, "500, but it was performed"),
        Kind(\.unusableResponse, "unusableAnswer", 30, "a response is empty or cannot be read"),
        Kind(\.tooManyRequests, "tooManyRequests", 20, "429 with Retry-After"),
        Kind(\.outage, "outage", 1, "the PSP is down for a while"),
        Kind(\.rateLimiting, "rateLimiting", 1, "the PSP responds to all with 429 for a while"),
        Kind(\.appendFails, "appendFails", 20, "an append fails"),
        Kind(\.commitUnacknowledged, "commitUnacknowledged", 20, "durable, but reported as failed"),
        Kind(\.slowDisk, "slowDisk", 20, "an append takes seconds"),
        Kind(\.fullDisk, "fullDisk", 1, "the disk is full for a while"),
        Kind(\.crash, "crash", 8, "an engine dies"),
        Kind(\.powerLoss, "powerLoss", 2, "all engines die"),
        Kind(\.pause, "pause", 2, "an engine is suspended for a while"),
        Kind(\.providerCut, "providerCut", 1, "an engine can't reach the PSP"),
        Kind(\.storeCut, "storeCut", 1, "an engine can't reach the store"),
        Kind(\.clockJump, "clockJump", 3, "an engine's clock jumps"),
        Kind(
            \.workAfterDeath,
            "workAfterDeath",
            300,
            "the PSP goes on with a request whose engine died"
        ),
        Kind(\.forgedLog, "forgedLog", 20, "somebody without the keys forges a log"),
        Kind(\.changedRow, "changedRow", 20, "somebody without the keys changes a row"),
        Kind(\.letGo, "letGo", 80, "an engine releases the lease on a session"),
        Kind(\.otherWriter, "otherWriter", 120, "another process records a report"),
        Kind(\.reportLate, "reportLate", 60, "a report comes late"),
        Kind(\.reportTwice, "reportTwice", 100, "a report comes twice"),
        Kind(\.reportNever, "reportNever", 40, "a report never comes"),
        Kind(\.reportWrong, "reportWrong", 60, "a report is wrong"),
        Kind(\.doubleTap, "doubleTap", 60, "a command is sent twice"),
        Kind(\.impatience, "impatience", 30, "a payer acts before an action is requested"),
        Kind(\.otherDevice, "otherDevice", 30, "another device pays the same session"),
        Kind(\.portal, "portal", 20, "the merchant's staff act in the PSP's portal"),
        Kind(\.refusedMidway, "refusedMidway", 20, "400 during an attempt that continues"),
        Kind(\.foreignResponse, "foreignAnswer", 10, "a response about another payment"),
        Kind(\.changedMind, "changedMind", 20, "the PSP shows a paid order in another way"),
        Kind(\.acceptedLater, "acceptedLater", 200, "a transaction is performed or refused later"),
        Kind(\.refusedTransaction, "refusedTransaction", 200, "the PSP refuses a transaction"),
        Kind(\.staleAnswer, "staleAnswer", 20, "a read shows an order as it was before"),
        Kind(\.lastMinute, "lastMinute", 20, "somebody pays in the last minute of a session"),
        Kind(\.ownPace, "ownPace", 0, "a payer approves at a time of their own, polled or not"),
        Kind(\.carelessProvider, "carelessProvider", 500, "the PSP accepts any second start"),
    ]

    /// The names of all kinds of faults.
    public static var allNames: [String] { all.map(\.name) }

    /// The frequency of a fault, by name; `nil` for an unknown name.
    ///
    /// Setting an unknown name, or `nil`, has no effect; other values are clamped to 0...1000.
    public subscript(name: String) -> Int? {
        get { Self.all.first { $0.name == name }.map { self[keyPath: $0.path] } }
        set {
            guard let newValue, let kind = Self.all.first(where: { $0.name == name }) else {
                return
            }
            self[keyPath: kind.path] = min(max(newValue, 0), 1000)
        }
    }

    /// Whether anything delays or prevents what engines do.
    var disturbs: Bool {
        var others = self
        (others.ownPace, others.carelessProvider) = (0, 0)
        return others != .none
    }

    /// No faults.
    public static let none = SimulatedFaults()

    /// Every fault occurs occasionally; in half of the worlds the PSP accepts every start of an
    /// attempt.
    public static let stormy: SimulatedFaults = {
        var faults = SimulatedFaults()
        for kind in all { faults[keyPath: kind.path] = kind.stormy }
        return faults
    }()
}
