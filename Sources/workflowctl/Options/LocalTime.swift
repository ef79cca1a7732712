internal import EventLog
internal import Glibc
internal import SwedbankPay

/// The local time: in the zone of `--time-zone`, else of `TZ`, else of the machine.
enum LocalTime {
    /// The directory of the system's time zones.
    private static let folder = "/usr/share/zoneinfo"

    /// Sets the time zone of the whole process, before any thread starts.
    ///
    /// - Throws: A usage failure for an unknown zone: the C library would treat it as UTC.
    static func use(zone: String?) throws(Failure) {
        defer { tzset() }
        guard let zone else { return }
        let isName = zone.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "/_+-".utf8.contains($0)
            }
        }
        let path = "\(folder)/\(zone)"
        let isFile = access(path, R_OK) == 0 && access(path + "/.", F_OK) != 0
        let isZone = zone == "UTC" || isName && !zone.isEmpty && isFile
        guard isZone, setenv("TZ", zone, 1) == 0 else {
            throw .usage(
                "time-zone",
                "unknown time zone",
                hint: "use a name such as Europe/Stockholm or UTC; \(folder) has the full list"
            )
        }
    }

    /// Returns the difference between local time and UTC at an instant.
    static func offset(at instant: Instant) -> Duration {
        .seconds(parts(of: instant).tm_gmtoff)
    }

    /// Returns the beginning of a day, counted from the day of an instant.
    static func beginningOfDay(_ days: Int32, from instant: Instant) -> Instant {
        let shown = instant + offset(at: instant)
        let day = (Double(shown.microseconds) / dayMicroseconds).rounded(.down) + Double(days)
        return self.instant(shownAs: Instant(microseconds: Int64(day * dayMicroseconds)))
    }

    private static let dayMicroseconds = 24.0 * 3600 * 1_000_000

    /// Returns the instant of a local time: the earlier one if there are two, and if there is none,
    /// because clocks were put forward, the one as long after the change as the time is.
    ///
    /// `shown` is the time as if it were UTC. `mktime` is not used: what it chooses depends on its
    /// calls before.
    static func instant(
        shownAs shown: Instant,
        offset: (Instant) -> Duration = offset(at:)
    ) -> Instant {
        // The offsets before and after a change that is near.
        let before = offset(shown + .seconds(-24 * 3600))
        let after = offset(shown + .seconds(24 * 3600))
        let candidates = [before, after].map { shown + (.zero - $0) }
        let shownSo = candidates.filter { $0 + offset($0) == shown }
        return shownSo.min() ?? candidates[0]
    }

    private static func parts(of instant: Instant) -> tm {
        var seconds = time_t(
            (Double(instant.microseconds) / 1_000_000).rounded(.down)
        )
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }
}
