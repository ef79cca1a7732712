extension CanonicalReader {
    /// Reads an instant: a string in exactly the form that ``Instant/description`` writes.
    package mutating func instant() throws(EventDecodingError) -> Instant {
        let start = index
        guard matches("\"", at: start), matches("-", at: start + 5), matches("-", at: start + 8),
            matches("T", at: start + 11), matches(":", at: start + 14),
            matches(":", at: start + 17), matches(".", at: start + 20),
            matches("Z\"", at: start + 27)
        else { throw .notCanonical(offset: start) }
        let (year, month, day) = (
            try decimal(4, at: start + 1), try decimal(2, at: start + 6),
            try decimal(2, at: start + 9)
        )
        let (hour, minute, second) = (
            try decimal(2, at: start + 12), try decimal(2, at: start + 15),
            try decimal(2, at: start + 18)
        )
        let fraction = try decimal(6, at: start + 21)
        let days = Instant.days(year: year, month: month, day: day)
        guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            Instant.civil(fromDays: days) == (year, month, day)
        else { throw .notCanonical(offset: start) }
        step(to: start + 29)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        return Instant(microseconds: seconds * 1_000_000 + fraction)
    }

    /// Reads a session identifier: a lower-case UUID of version 7.
    package mutating func session() throws(EventDecodingError) -> SessionID {
        let start = index
        guard matches("\"", at: start), matches("-", at: start + 9), matches("-", at: start + 14),
            matches("-", at: start + 19), matches("-", at: start + 24),
            matches("\"", at: start + 37)
        else { throw .notCanonical(offset: start) }
        let high =
            try hexadecimal(8, at: start + 1) << 32 | hexadecimal(4, at: start + 10) << 16
            | hexadecimal(4, at: start + 15)
        let low = try hexadecimal(4, at: start + 20) << 48 | hexadecimal(12, at: start + 25)
        guard high >> 12 & 0xF == 7, low >> 62 == 2 else { throw .notCanonical(offset: start) }
        step(to: start + 38)
        return SessionID(high: high, low: low)
    }
}
