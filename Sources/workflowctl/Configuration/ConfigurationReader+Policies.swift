internal import Adapters
internal import EventLog
internal import SwedbankPay

extension ConfigurationReader {
    /// Reads which actions of operators are recorded.
    func readAudit(
        _ object: JSONValue.Member,
        into audit: inout AuditPolicy
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "recordReveal": audit.recordsReveal = try inner.flag(member)
            case "recordInterventions": audit.recordsInterventions = try inner.flag(member)
            case "requireReason": audit.requiresReason = try inner.flag(member)
            case "requireSecondPerson": audit.requiresSecondPerson = try inner.flag(member)
            default: throw inner.unknown(member)
            }
        }
    }

    /// Reads the retention periods of sealed values.
    func readRetention(
        _ object: JSONValue.Member,
        into retention: inout RetentionPolicy
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            if member.name == "period" {
                retention.period = try inner.period(member)
            } else if let outcome = Outcome(rawValue: member.name) {
                retention.byOutcome[outcome] = try inner.period(member)
            } else {
                throw inner.unknown(member)
            }
        }
    }

    /// Reads the location of the master keys as a whole, because the locations exclude one another.
    func readKeys(_ object: JSONValue.Member, into keys: inout KeyPolicy) throws(Failure) {
        keys = KeyPolicy()
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "command": keys.command = try inner.text(member)
            case "file": keys.file = try inner.text(member)
            default: throw inner.unknown(member)
            }
        }
        guard keys.command == nil || keys.file == nil else {
            throw Self.wrong("\(path(of: object)) has both a command and a file; use only one")
        }
    }

    /// Reads which sessions are retried automatically after an outage of the PSP.
    func readRecovery(
        _ object: JSONValue.Member,
        into limits: inout RecoveryLimits
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "tries": limits.tries = try inner.count(member)
            case "pause": limits.pause = try inner.duration(member)
            case "window": limits.window = try inner.duration(member)
            case "perSecond": limits.perSecond = try inner.positive(member)
            case "sessions": limits.sessions = try inner.positive(member)
            default: throw inner.unknown(member)
            }
        }
    }
}
