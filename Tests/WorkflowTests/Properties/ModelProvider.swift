import SwedbankPay
import Workflow
import WorkflowTesting

/// A minimal PSP, which by itself loses, delays and repeats nothing: its faults come from outside.
///
/// It records what matters: how many attempts it really began for each attempt of the payer, and
/// whether it was paid.
struct ModelProvider {
    private(set) var starts: [Int] = []
    private(set) var isPaid = false
    private var stage = Stage.unprepared
    private var problem: SessionProblem?
    private var reads = 0
    private var delayed: [OperationRequest] = []
    var generator: SplitMix64
    /// Whether it begins another attempt on every request, like a PSP without its own protection.
    let isCareless: Bool

    private enum Stage {
        case unprepared
        case choosing(opened: PaymentMethodName?)
        case running(PaymentMethodName)
        case paid, givenUp
    }

    init(seed: UInt64, isCareless: Bool) {
        generator = SplitMix64(seed: seed)
        self.isCareless = isCareless
    }

    /// The snapshot of an observer.
    var view: Snapshot {
        let plain: Snapshot
        switch stage {
        case .unprepared: plain = .unprepared
        case .choosing(nil): plain = .withSwishAndCard
        case .choosing(let opened?): plain = .withSwishAndCard.expanding(opened)
        case .running(.swish): plain = .swishUnderWay
        case .running: plain = .cardUnderWay
        case .paid: plain = .paid
        case .givenUp: plain = .givenUp
        }
        return problem.map { plain.with($0) } ?? plain
    }

    /// Returns the outcome of a request, over a network that may fail in any way.
    mutating func respond(_ request: OperationRequest, isFaulty: Bool) -> ProviderResponse.Outcome {
        let late = delayed
        delayed = []
        let fault = isFaulty ? Int.random(in: 0..<12, using: &generator) : 99
        // Delayed requests arrive before or after this one.
        if fault.isMultiple(of: 2) { for old in late { _ = process(old) } }
        defer { if !fault.isMultiple(of: 2) { for old in late { _ = process(old) } } }
        switch fault {
        case 0: return .notSent
        case 1: return .lost
        case 2: return .refused(503)
        case 3:
            _ = process(request)
            return .lost
        case 4:
            _ = process(request)
            return .refused(500)
        case 5:
            // With a careless PSP a late request could not be distinguished from a lost one before
            // it begins twice.
            if !isCareless { delayed.append(request) }
            return .lost
        case 6:
            _ = process(request)
            return .undecodable(status: 200, raw: nil)
        default: return process(request)
        }
    }

    private mutating func process(_ request: OperationRequest) -> ProviderResponse.Outcome {
        switch (request.rel, request.body, stage) {
        case (.session, _, _), (.getPayment, _, _): read()
        case (.preparePayment, _, .unprepared): stage = .choosing(opened: nil)
        case (.expandMethod, .method(let method), .choosing) where problem == nil:
            stage = .choosing(opened: method)
        case (.startPaymentAttempt, let body, .choosing(let opened?))
        where problem == nil && body.method == opened:
            starts.append(request.attempt ?? 0)
            reads = 0
            stage = .running(opened)
        case (.startPaymentAttempt, let body, _) where isCareless && problem == nil:
            guard let method = body.method else { return .refused(400) }
            starts.append(request.attempt ?? 0)
            reads = 0
            stage = .running(method)
        case (.acknowledgeFailedAttempt, _, _) where problem != nil:
            problem = nil
            return .empty(status: 204)
        case (.abortPayment, _, .choosing): stage = .givenUp
        case (.abortPayment, _, .running): return .refused(409, .operationNotAllowed)
        default: return .refused(409)
        }
        return .snapshot(view, status: 200)
    }

    private mutating func read() {
        guard case .running = stage else { return }
        reads += 1
        guard reads > Int.random(in: 0...3, using: &generator) else { return }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            stage = .paid
            isPaid = true
        } else {
            stage = .choosing(opened: nil)
            problem = .sample(acknowledge: "ack-\(starts.count)")
        }
    }
}

extension OperationBody {
    fileprivate var method: PaymentMethodName? {
        switch self {
        case .swishAttempt: .swish
        case .cardAttempt: .creditCard
        default: nil
        }
    }
}
