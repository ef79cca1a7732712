import Foundation
import TestSupport

/// Pays with `workflowctl` commands, which are killed at random; what they printed was
/// acknowledged.
struct Shopper {
    let place: Place
    var seed: Seed
    /// The time until which commands are killed.
    let end: ContinuousClock.Instant
    /// The address of the service that its commands ask; `nil` when they drive the store.
    var server: String?
    /// The options of its commands; a service has the PSP's token itself.
    private var options: [String] {
        ["--json", "--wait", "8s"] + (server == nil ? ["--token-file", "token"] : [])
    }
    /// The output of the commands.
    var told: [Oracle.Acknowledgement] = []
    /// How many commands ran, and how many were killed.
    var counts = (commands: 0, kills: 0)
    /// Unexpected exit codes, with the commands' messages.
    var surprises: [String] = []

    /// The maximum number of commands for one payment.
    static let patience = 150

    /// Completes one payment.
    mutating func pay(_ payment: Plan.Payment) async throws {
        var view: [String: Any]?
        for _ in 1...Self.patience {
            guard let known = view, let session = known["session"] as? String else {
                view = try await open(payment)
                continue
            }
            if let outcome = known["outcome"] as? String {
                if isTransacting(known) {
                    let problem = known["problem"] as? [String: Any]
                    let isRetryable = problem?["acceptsRetry"] as? Bool == true
                    view = try await run([isRetryable ? "retry" : "resume", session], session)
                    continue
                }
                guard outcome == "completed",
                    let amount = payment.captures.dropFirst(captured(known)).first
                else { return }
                let reference = "C\(payment.reference.filter { $0 != "-" })P\(captured(known) + 1)"
                view = try await run(
                    ["order", "capture", session, "--payee-reference", reference]
                        + ["--amount", "\(amount)", "--vat", "\(amount / 5)"],
                    session
                )
                continue
            }
            let actions = known["actions"] as? [[String: Any]] ?? []
            if let action = actions.first {
                view = try await respond(action, of: payment, session)
            } else if known["settled"] as? Bool == true {
                view = try await move(payment, known, session)
            } else {
                view = try await run(["resume", session], session)
            }
        }
        surprises.append("\(payment.reference) did not end after \(Self.patience) commands")
    }

    private func transactions(_ view: [String: Any]) -> [[String: Any]] {
        let checkout = view["checkout"] as? [String: Any]
        return checkout?["transactions"] as? [[String: Any]] ?? []
    }

    private func captured(_ view: [String: Any]) -> Int { transactions(view).count }

    /// Returns whether a requested capture has no result yet.
    private func isTransacting(_ view: [String: Any]) -> Bool {
        transactions(view).contains { !($0["result"] is String) }
    }

    /// Opens the session, or finds it again.
    private mutating func open(_ payment: Plan.Payment) async throws -> [String: Any]? {
        guard let document = payment.document else {
            let choice = payment.kind == "cardByItself" ? ["--attempt", "card"] : []
            return try await run(
                ["open", payment.url ?? "", "--reference", payment.reference] + choice,
                nil
            )
        }
        let listed = try await place.tool(["--json", "list", "--reference", payment.reference])
        if let row = (listed.json as? [[String: Any]])?.first,
            let session = row["session"] as? String
        {
            return try await run(["resume", session], session)
        }
        let path = try place.write(document, to: payment.reference + ".json")
        return try await run(["checkout", "start", path, "--psp", place.provider], nil)
    }

    /// Performs the next step of the payer or the merchant in a session that waits for it.
    private mutating func move(
        _ payment: Plan.Payment,
        _ view: [String: Any],
        _ session: String
    ) async throws -> [String: Any]? {
        let problem = view["problem"] as? [String: Any]
        if problem?["acceptsRetry"] as? Bool == true, problem?["kind"] is String {
            return try await run(["retry", session], session)
        }
        if payment.document != nil {
            // An order that could not be created, for example after too many lost responses, is
            // given up.
            let order = (view["checkout"] as? [String: Any])?["order"] as? [String: Any]
            let isHopeless = order == nil && problem != nil
            return try await run([isHopeless ? "abort" : "resume", session], session)
        }
        if payment.kind == "abort" { return try await run(["abort", session], session) }
        let elsewhere = ["swish", "--msisdn", "+46739000001"]
        let isDeclined = problem?["origin"] as? String == "session"
        let choice: [String] =
            switch payment.kind {
            case "swishHere": ["swish"]
            case "swishThere": elsewhere
            case "declinedThenSwish": isDeclined ? elsewhere : ["card", "--prefill", "1"]
            case "newCard": ["new-card"]
            case "applePay": ["apple-pay", "--merchant-id", "merchant.example.shop"]
            case "googlePay": ["google-pay"]
            default: ["card", "--prefill", "1"]
            }
        if payment.kind == "menu" { return try await run(["menu", session], session) }
        return try await run(["attempt", session] + choice, session)
    }

    /// Runs a command that drives a session and may be killed.
    ///
    /// Returns the view that it printed, or that of the next command; `nil` when no session is
    /// known.
    mutating func run(_ command: [String], _ session: String?) async throws -> [String: Any]? {
        var (environment, limit): ([String: String], Duration?) = ([:], nil)
        if ContinuousClock.now < end, seed.chance(60) {
            if server == nil, seed.chance(60) {
                environment = try Faults.kill(
                    at: Int.random(in: 1...40, using: &seed),
                    seed.pick(Faults.Moment.allCases),
                    of: "payments.db"
                )
            } else {
                limit = .milliseconds(Int.random(in: 5...700, using: &seed))
            }
        }
        let ending = try await place.tool(
            options + command,
            environment: environment,
            server: server,
            killedAfter: limit
        )
        counts.commands += 1
        counts.kills += ending.wasKilled ? 1 : 0
        if let view = ending.json as? [String: Any], let known = view["session"] as? String {
            told.append(
                Oracle.Acknowledgement(
                    session: known,
                    sequence: view["lastSeq"] as? Int,
                    outcome: view["outcome"] as? String,
                    source: "workflowctl \(command[0])"
                )
            )
            return view
        }
        // Another process may be faster (1) or hold the store (75); a kill is expected.
        if !ending.wasKilled, ![0, 1, 69, 75].contains(ending.status) {
            surprises.append("\(command.joined(separator: " ")): \(ending.status) \(ending.words)")
        }
        guard let session else { return nil }
        let shown = try await place.tool(
            options + ["resume", session],
            server: server
        )
        return shown.json as? [String: Any]
    }
}
