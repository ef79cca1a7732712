import Foundation
import TestSupport

/// What `workflowctl show`, `explain` and `at-risk` say of a session's money, compared with the
/// PSP's ledger at the time of the newest response.
struct MoneyTold {
    var standing: String
    /// The state of the money in `explain`'s story.
    var explained: String
    /// Whether `at-risk` lists the session as unknown.
    var isAtRisk: Bool
    /// When the newest response came; `nil` before the first.
    var asOf: Double?
    /// The amounts, by their member.
    var amounts: [String: Int]

    /// Runs the commands.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - place: Where the program runs.
    ///   - atRisk: The sessions that `at-risk` lists.
    /// - Returns: What `show` and `explain` print about the session's money.
    /// - Throws: An error when the output lacks the state of the money.
    static func read(
        _ session: String,
        of place: Place,
        atRisk: Set<String>
    ) async throws -> MoneyTold {
        let money = try await member("money", of: ["show", session], in: place)
        let story = try await member("money", of: ["explain", session], in: place)
        guard let standing = money["standing"] as? String,
            let explained = story["standing"] as? String
        else { throw CampaignError("\(session): no standing of its money is told") }
        let names = ["paid", "captured", "canceled", "reversed", "net"]
        return MoneyTold(
            standing: standing,
            explained: explained,
            isAtRisk: atRisk.contains(session),
            asOf: (money["asOf"] as? String).flatMap(seconds),
            amounts: names.reduce(into: [:]) { $0[$1] = money[$1] as? Int }
        )
    }

    /// Returns the sessions that `at-risk` lists as unknown.
    static func atRisk(in place: Place) async throws -> Set<String> {
        let told = try await place.tool(["--json", "at-risk"])
        guard let list = (told.json as? [String: Any])?["unknown"] as? [[String: Any]] else {
            throw CampaignError("at-risk: \(told.words)")
        }
        return Set(list.compactMap { $0["session"] as? String })
    }

    private static func member(
        _ name: String,
        of arguments: [String],
        in place: Place
    ) async throws -> [String: Any] {
        let told = try await place.tool(["--json"] + arguments)
        guard let found = (told.json as? [String: Any])?[name] as? [String: Any] else {
            throw CampaignError("\(arguments.joined(separator: " ")): \(told.words)")
        }
        return found
    }

    /// Returns where it is wrong, or more certain than the ledger was.
    ///
    /// - Parameters:
    ///   - row: The order in the PSP's ledger.
    ///   - responses: The requests concerning the order, which date the newest response.
    /// - Returns: One sentence for each fault.
    func faults(with row: Ledger.Order, responses: [Ledger.Entry]) -> [String] {
        var faults = faults(against: row, responses: responses)
        if explained != standing {
            faults.append("'show' told money \(standing), 'explain' \(explained)")
        }
        if isAtRisk != (standing == "unknown") {
            faults.append(
                "'show' told money \(standing), 'at-risk' \(isAtRisk ? "lists" : "misses") it"
            )
        }
        return faults
    }

    private func faults(against row: Ledger.Order, responses: [Ledger.Entry]) -> [String] {
        guard ["none", "intended", "confirmed"].contains(standing) else { return [] }
        guard let asOf else { return ["told money \(standing) before any answer"] }
        // The ledger has a resolution of one millisecond.
        let made = responses.filter { $0.status == 200 }.compactMap { Self.seconds($0.at) }
            .last { $0 <= asOf + 0.001 }
        guard let earliest = made else {
            return ["told money \(standing), and nothing was answered"]
        }
        let moments =
            [earliest]
            + row.movements.compactMap { Self.seconds($0.at) }
            .filter { $0 > earliest && $0 <= asOf }
        let balances = moments.map { moment in Balance(row.movements, until: moment) }
        if standing == "confirmed" {
            let isSo = balances.contains { $0.amounts["paid"] != 0 && $0.agrees(with: amounts) }
            return isSo ? [] : ["told money confirmed \(amounts), the PSP had \(balances)"]
        }
        var faults: [String] = []
        if !balances.contains(where: { $0.amounts["paid"] == 0 }) {
            faults.append("told money \(standing), the PSP had \(balances)")
        }
        for attempt in row.attempts where isUnderWay(attempt, of: row, earliest, asOf) {
            faults.append("told money \(standing), attempt \(attempt.number) was under way")
        }
        return faults
    }

    /// Returns whether an attempt had begun before the response was made and was decided only after
    /// it arrived, or never.
    private func isUnderWay(
        _ attempt: Ledger.Order.Attempt,
        of row: Ledger.Order,
        _ earliest: Double,
        _ asOf: Double
    ) -> Bool {
        guard let started = Self.seconds(attempt.started), started <= earliest else { return false }
        let paid = row.movements.first { $0.transaction == attempt.transaction }
        if let paid, let at = Self.seconds(paid.at) { return at > asOf }
        return attempt.state == "running"
    }

    /// Parses an ISO 8601 time with a fraction into seconds.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1)
        let whole = parts[0].hasSuffix("Z") ? String(parts[0]) : parts[0] + "Z"
        guard let date = ISO8601DateFormatter().date(from: whole) else { return nil }
        let fraction = parts.count > 1 ? Double("0." + parts[1].dropLast()) ?? 0 : 0
        return date.timeIntervalSince1970 + fraction
    }

    /// The state of an order's money at one time.
    struct Balance: CustomStringConvertible {
        var amounts = ["paid": 0, "captured": 0, "canceled": 0, "reversed": 0, "net": 0]

        init(_ movements: [Ledger.Order.Movement], until moment: Double) {
            for movement in movements where (MoneyTold.seconds(movement.at) ?? 0) <= moment {
                let (names, sign): ([String], Int) =
                    switch movement.kind {
                    case "Sale": (["paid", "captured"], 1)
                    case "Authorization": (["paid"], 1)
                    case "Capture": (["captured"], 0)
                    case "Cancellation": (["canceled"], -1)
                    case "Reversal": (["reversed"], -1)
                    default: ([], 0)
                    }
                for name in names { amounts[name, default: 0] += movement.amount }
                amounts["net", default: 0] += sign * movement.amount
            }
        }

        /// Returns whether it has the same amounts, as far as they are known.
        func agrees(with told: [String: Int]) -> Bool {
            told.allSatisfy { amounts[$0.key] == $0.value }
        }

        var description: String {
            amounts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: " ")
        }
    }
}
