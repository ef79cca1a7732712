internal import EventLog
internal import Glibc
internal import SwedbankPay

/// The time of the day where people are: the zone of `--time-zone`, else of `TZ`, else of the
/// machine.
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
        var parts = parts(of: instant)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        parts.tm_mday += days
        return self.instant(&parts)
    }

    /// Returns the instant of a local time; the earlier one if there are two.
    ///
    /// `shown` is the time as if it were UTC.
    static func instant(shownAs shown: Instant) -> Instant {
        var seconds = time_t(shown.microseconds / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return instant(&parts)
    }

    private static func parts(of instant: Instant) -> tm {
        var seconds = time_t(
            (Double(instant.microseconds) / 1_000_000).rounded(.down)
        )
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func instant(_ parts: inout tm) -> Instant {
        // The time zone determines whether it is daylight saving time.
        parts.tm_isdst = -1
        return Instant(microseconds: Int64(mktime(&parts)) * 1_000_000)
    }
}
