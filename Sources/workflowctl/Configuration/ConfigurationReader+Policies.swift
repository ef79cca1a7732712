internal import EventLog
internal import SwedbankPay

extension ConfigurationReader {
    /// Reads what of people's acts is recorded.
    func readAudit(
        _ object: JSONValue.Member,
        into audit: inout AuditPolicy
    ) throws(Failure) {
        for member in try members(of: object.value, at: object.name) {
            switch member.name {
            case "recordReveal": audit.recordsReveal = try flag(member, of: "audit")
            case "recordInterventions": audit.recordsInterventions = try flag(member, of: "audit")
            case "requireReason": audit.requiresReason = try flag(member, of: "audit")
            default: throw Self.unknown("audit." + member.name)
            }
        }
    }

    /// Reads how long sealed values are kept.
    func readRetention(
        _ object: JSONValue.Member,
        into retention: inout RetentionPolicy
    ) throws(Failure) {
        for member in try members(of: object.value, at: object.name) {
            if member.name == "period" {
                retention.period = try period(member)
            } else if let outcome = Outcome(rawValue: member.name) {
                retention.byOutcome[outcome] = try period(member)
            } else {
                throw Self.unknown("retention." + member.name)
            }
        }
    }

    /// Reads where the master keys are: as a whole, since one place excludes the other.
    func readKeys(_ object: JSONValue.Member, into keys: inout KeyPolicy) throws(Failure) {
        keys = KeyPolicy()
        for member in try members(of: object.value, at: object.name) {
            switch member.name {
            case "command": keys.command = try text(member)
            case "file": keys.file = try text(member)
            default: throw Self.unknown("keys." + member.name)
            }
        }
        guard keys.command == nil || keys.file == nil else {
            throw Self.wrong("keys has a command and a file; give one")
        }
    }

    /// A member that is true or false.
    func flag(_ member: JSONValue.Member, of object: String) throws(Failure) -> Bool {
        guard case .bool(let flag) = member.value else {
            throw Self.wrong("\(object).\(member.name) is neither true nor false")
        }
        return flag
    }

    private func period(_ member: JSONValue.Member) throws(Failure) -> Duration {
        guard case .string(let text) = member.value, let period = PeriodArgument(text),
            period.duration > .zero
        else { throw Self.wrong("\(member.name) is not a period such as \"90d\"") }
        guard !period.isAmbiguous else {
            throw Self.wrong("\(PeriodArgument.ambiguity): \(PeriodArgument.remedy)")
        }
        return period.duration
    }
}
