package import EventLog
internal import SwedbankPay

/// Converts one session's log to a scenario: a sandbox that plays it responds, delays and fails as
/// the PSP did.
///
/// The scenario contains no sealed value of the log.
package struct ScenarioRecorder {
    private var placeholders = Placeholders()
    private var steps: [(rel: String, step: [JSONValue.Member])] = []
    private var newest: Snapshot?
    private var answered: OperationSucceeded?
    private var enabled: [PaymentMethodName] = []

    /// Returns the scenario of a log.
    package static func scenario(of log: SessionLog, called name: String) -> JSONValue {
        var recorder = ScenarioRecorder()
        for event in log.events { recorder.record(event) }
        return recorder.scenario(called: name)
    }

    private mutating func record(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .operationSucceeded(let succeeded): record(succeeded)
        case .operationFailed(let failed): record(failed, at: recorded.at)
        case .fetched(let fetched): record(fetched)
        case .methodsOffered(let offered) where enabled.isEmpty:
            enabled = offered.methods.map(\.method)
        default: break
        }
    }

    private mutating func record(_ succeeded: OperationSucceeded) {
        switch succeeded.content {
        case .snapshot: answered = succeeded
        case .empty:
            add(
                succeeded.rel,
                after: succeeded.durationMilliseconds,
                [.init("status", .integer(Int64(succeeded.status)))]
            )
        case .undecodable:
            add(
                succeeded.rel,
                after: succeeded.durationMilliseconds,
                [.init("behaviour", .string("garbage"))]
            )
        }
    }

    private mutating func record(_ fetched: Fetched) {
        let success = answered
        answered = nil
        newest = fetched.snapshot ?? newest
        guard let newest else { return }
        if let names = newest.enabledMethods, enabled.isEmpty { enabled = names }
        add(
            fetched.cause,
            after: success?.durationMilliseconds ?? fetched.durationMilliseconds ?? 0,
            [
                .init("status", .integer(Int64(success?.status ?? 200))),
                .init("body", SnapshotTemplate.body(of: newest, naming: &placeholders)),
            ]
        )
    }

    private mutating func record(_ failed: OperationFailed, at instant: Instant) {
        var members: [JSONValue.Member] = []
        if let status = failed.status {
            if let document = failed.document, document.isWellFormed {
                members.append(.init("refusal", .string(document.type)))
                members.append(.init("status", .integer(Int64(status))))
                if let title = document.title?.inTheClear {
                    members.append(.init("title", .string(title)))
                }
                if let detail = document.detail?.inTheClear {
                    members.append(.init("detail", .string(detail)))
                }
            } else {
                members = [
                    .init("status", .integer(Int64(status))),
                    .init("text", .string("<html><body>recorded failure</body></html>")),
                    .init("contentType", .string("text/html")),
                ]
            }
            if status == 429 || status == 503, let retryAt = failed.retryAt {
                let seconds = (retryAt - instant).components.seconds
                members.append(.init("retryAfterSeconds", .integer(max(1, seconds))))
            }
        } else {
            let isTimeout =
                failed.code.utf8.contains("timeout".utf8)
                || failed.code.utf8.contains("deadline".utf8)
            members = [.init("behaviour", .string(isTimeout ? "hang" : "resetBefore"))]
        }
        let pause = failed.status == nil ? 0 : failed.durationMilliseconds
        members.append(.init("comment", .string("\(failed.code), \(failed.reach.rawValue)")))
        add(failed.rel, after: pause, members)
    }

    private mutating func add(_ rel: Rel, after pause: Int64, _ members: [JSONValue.Member]) {
        let delay: [JSONValue.Member] = pause > 0 ? [.init("after", .integer(pause))] : []
        steps.append((rel.rawValue, delay + members))
    }

    private func scenario(called name: String) -> JSONValue {
        var rels: [String] = []
        for step in steps where !rels.contains(step.rel) { rels.append(step.rel) }
        let operations = rels.map { rel -> JSONValue.Member in
            var list = steps.filter { $0.rel == rel }.map(\.step)
            // A client that plays it may poll more often than the recorded one: the last snapshot
            // is repeated.
            if Rel(rawValue: rel).onlyReads, !list.isEmpty {
                list[list.count - 1].append(.init("times", .string("rest")))
            }
            return .init(rel, .array(list.map { .object($0) }))
        }
        var members: [JSONValue.Member] = [
            .init("name", .string(name)),
            .init(
                "description",
                .string(
                    "Recorded from a log: the PSP's responses, delays and failures, without secrets."
                )
            ),
        ]
        if !enabled.isEmpty {
            var names: [String] = []
            for method in enabled where !names.contains(method.rawValue) {
                names.append(method.rawValue)
            }
            members.append(
                .init("order", ["methods": .array(names.map { .string($0) })])
            )
        }
        return .object(members + [.init("operations", .object(operations))])
    }
}
