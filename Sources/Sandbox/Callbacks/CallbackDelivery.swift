/// One callback to a merchant, with all tries to deliver it.
public struct CallbackDelivery: Sendable, Equatable, Codable {
    /// The state of a delivery.
    public enum State: String, Sendable, Codable {
        /// Another try will follow.
        case waiting
        /// The merchant responded with a 2xx status.
        case delivered
        /// Every try failed.
        case givenUp
        /// The sandbox cannot reach the address: https without a custom sender.
        case undeliverable
    }

    /// One request to the merchant.
    public struct Try: Sendable, Equatable, Codable {
        /// When the try ended, ISO 8601 in UTC.
        public let at: String
        /// The HTTP status of the response; 0 when there was none.
        public let status: Int
    }

    /// The position in the order of creation, from 1.
    public let sequence: Int
    /// The order's id.
    public let order: String
    /// The PSP's number of the transaction concerned.
    public let transaction: Int
    /// The JSON text of the callback.
    public let body: String
    /// The tries so far, in order.
    public internal(set) var tries: [Try]
    /// The state of the delivery.
    public internal(set) var state: State
}

/// How the callbacks of an order behave.
public enum CallbackBehavior: String, Sendable {
    /// Each is sent at once, and repeated until the merchant accepts it.
    case normal
    /// None is sent.
    case none
    /// Each is sent some time later.
    case late
    /// Each is sent twice.
    case duplicated
    /// The newer of two is sent first.
    case outOfOrder
}

/// The callbacks of all orders: which are due, and their results.
///
/// - Note: Source: payment order API, callbacks: after a failure they are repeated, counted from
///   the first try.
struct CallbackBook: Sendable {
    /// When a callback that was not accepted is repeated, in seconds after the first try.
    static let repeatSeconds = [30, 60, 360, 432, 864, 1265]

    /// The time for which an out-of-order callback waits for a newer one.
    static let holdLimit = Duration.seconds(30)

    /// A callback that is due now.
    struct Post: Sendable {
        let sequence: Int
        let url: String
        let body: String
    }

    private struct Entry: Sendable {
        var delivery: CallbackDelivery
        let url: String
        var first: ContinuousClock.Instant?
        var nextAt: ContinuousClock.Instant?
        /// The callback that must have been tried before this one.
        var predecessor: Int?
    }

    private let limit: Int
    private let scale: Double
    private var entries: [Int: Entry] = [:]
    private var sequence = 0
    /// The callbacks that are not finished.
    private var open: Set<Int> = []
    /// The callback of an order that waits for a newer one.
    private var held: [String: Int] = [:]

    init(limit: Int, timeScale: Double) {
        self.limit = max(limit, 1)
        self.scale = max(timeScale, 0)
    }

    /// Whether no callback is waiting.
    var isIdle: Bool { open.isEmpty }

    /// Adds a callback of an order.
    mutating func add(
        _ notice: CallbackNotice,
        of order: PaymentOrder,
        to url: String,
        at now: ContinuousClock.Instant
    ) {
        let scenario = order.request.scenario
        switch scenario.callbacks {
        case .none: break
        case .normal: enqueue(notice, order, url, at: now)
        case .late: enqueue(notice, order, url, at: now + scenario.callbackDelay)
        case .duplicated:
            enqueue(notice, order, url, at: now)
            enqueue(notice, order, url, at: now)
        case .outOfOrder:
            if let older = held.removeValue(forKey: order.id) {
                enqueue(notice, order, url, at: now)
                entries[older]?.predecessor = sequence
                entries[older]?.nextAt = now
            } else {
                enqueue(notice, order, url, at: now + Self.holdLimit * scale)
                held[order.id] = sequence
            }
        }
    }

    private mutating func enqueue(
        _ notice: CallbackNotice,
        _ order: PaymentOrder,
        _ url: String,
        at time: ContinuousClock.Instant
    ) {
        sequence += 1
        let body = String(decoding: order.callback(notice).bytes, as: UTF8.self)
        entries[sequence] = Entry(
            delivery: CallbackDelivery(
                sequence: sequence,
                order: order.id,
                transaction: notice.transaction,
                body: body,
                tries: [],
                state: .waiting
            ),
            url: url,
            nextAt: time
        )
        open.insert(sequence)
        if let old = entries.count > limit ? entries.keys.min() : nil {
            entries[old] = nil
            open.remove(old)
        }
    }

    /// Returns the due deliveries; report each result with ``record(_:status:at:now:)``.
    mutating func removeDue(at now: ContinuousClock.Instant) -> [Post] {
        var due: [Post] = []
        for number in open.sorted() {
            guard let entry = entries[number], let nextAt = entry.nextAt, nextAt <= now else {
                continue
            }
            if let predecessor = entry.predecessor,
                entries[predecessor]?.delivery.tries.isEmpty == true
            {
                continue
            }
            entries[number]?.nextAt = nil
            if entry.first == nil { entries[number]?.first = now }
            if held[entry.delivery.order] == number { held[entry.delivery.order] = nil }
            due.append(Post(sequence: number, url: entry.url, body: entry.delivery.body))
        }
        return due
    }

    /// Records the result of a try; `nil` means that the sandbox cannot reach the address at all.
    mutating func record(_ number: Int, status: Int?, at date: String) {
        guard var entry = entries[number] else { return }
        if let status {
            entry.delivery.tries.append(CallbackDelivery.Try(at: date, status: status))
        }
        let repeats = entry.delivery.tries.count - 1
        if status.map({ (200..<300).contains($0) }) == true {
            entry.delivery.state = .delivered
        } else if status == nil {
            entry.delivery.state = .undeliverable
        } else if Self.repeatSeconds.indices.contains(repeats), let first = entry.first {
            entry.nextAt = first + Duration.seconds(Self.repeatSeconds[repeats]) * scale
        } else {
            entry.delivery.state = .givenUp
        }
        if entry.delivery.state != .waiting { open.remove(number) }
        entries[number] = entry
    }

    /// The callbacks of one order or of all, in the order of their creation.
    func deliveries(of order: String? = nil) -> [CallbackDelivery] {
        entries.keys.sorted().compactMap { entries[$0]?.delivery }
            .filter { order == nil || $0.order == order }
    }
}
