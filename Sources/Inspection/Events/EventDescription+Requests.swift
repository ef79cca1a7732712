internal import EventLog
internal import SwedbankPay

/// Describes requests to the PSP and their responses.
extension EventDescription {
    init(_ fetched: Fetched) {
        self.init(
            .psp,
            from: .psp,
            fetched.words,
            tone: fetched.snapshot == nil ? .quiet : .plain
        )
    }

    init(_ started: OperationStarted) {
        let retry = started.tryNumber > 1 ? " (try \(started.tryNumber))" : ""
        self.init(
            .engine,
            to: .psp,
            "sends \(started.rel.rawValue)" + retry,
            input: .starting(started.effect)
        )
    }

    init(_ succeeded: OperationSucceeded) {
        self.init(
            .psp,
            from: .psp,
            "\(succeeded.rel.rawValue) returned \(succeeded.status)"
                + " after \(succeeded.durationMilliseconds) ms" + succeeded.content.words
        )
    }

    init(_ failed: OperationFailed) {
        let shape: SequenceDiagram.Shape =
            switch failed.reach {
            case .notSent: .engineAlone
            case .maybeSent: .message(from: .engine, to: .psp, .lost)
            case .responded: .reading
            }
        self.init(.problem, from: .psp, failed.words, shape: shape, input: failed.input)
    }
}

extension Fetched {
    fileprivate var words: String {
        guard let snapshot else { return "\(cause.rawValue): no change" }
        var parts: [String] = []
        if snapshot.problem != nil { parts.append("a problem") }
        let count = snapshot.methods.count
        if count > 0 { parts.append(count == 1 ? "1 method" : "\(count) methods") }
        let operations = Set(
            (snapshot.operations + snapshot.methods.flatMap(\.operations))
                .filter(\.isNext).map(\.rel.rawValue)
        ).sorted()
        if !operations.isEmpty { parts.append("next: " + operations.joined(separator: ", ")) }
        return "\(cause.rawValue): "
            + (parts.isEmpty ? "a new snapshot" : parts.joined(separator: "; "))
    }
}

extension ResponseContent {
    fileprivate var words: String {
        switch self {
        case .snapshot: ""
        case .empty: ", empty"
        case .undecodable: ", unreadable"
        }
    }
}

extension OperationFailed {
    fileprivate var words: String {
        let status = status.map { " \($0)" } ?? ""
        let reach =
            switch self.reach {
            case .notSent: "not sent"
            case .maybeSent: "may have arrived"
            case .responded: "response received"
            }
        let next = retryAt == nil ? "" : ", the engine continues later"
        return "\(rel.rawValue) failed: \(code)\(status), \(reach)" + next
    }

    /// The input with which the engine recorded the failure.
    fileprivate var input: SessionInput {
        let retryAt = retryAt ?? Instant(microseconds: 0)
        if code == OperationFailed.interruptedCode { return .interrupted(effect, retryAt: retryAt) }
        let outcome: ProviderResponse.Outcome =
            if let status, let document {
                .refused(status: status, document: document, retryAfter: nil)
            } else {
                .failed(reach: reach, code: code, isTransient: self.retryAt != nil)
            }
        return .requestEnded(
            effect,
            outcome,
            durationMilliseconds: durationMilliseconds,
            retryAt: retryAt
        )
    }
}
