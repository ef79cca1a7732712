internal import EventLog
internal import SwedbankPay

/// Names for sealed values of a log: the same value has the same name throughout a scenario.
///
/// A name contains no part of the value, so a scenario can be shared freely.
package struct Placeholders {
    private var numbers: [String: [Digest256: Int]] = [:]

    /// A placeholder of a kind, with a number when the log has several values of that kind.
    mutating func name(_ kind: String, for sealed: Sealed?) -> String {
        guard let sealed else { return "{{\(kind)}}" }
        let known = numbers[kind, default: [:]]
        let number = known[sealed.fingerprint] ?? known.count
        numbers[kind, default: [:]][sealed.fingerprint] = number
        return number == 0 ? "{{\(kind)}}" : "{{\(kind)#\(number)}}"
    }

    /// The placeholder for an expected value of that name.
    ///
    /// The sandbox's own bank generates what the bank's pages exchange; values that a wallet shows
    /// are replaced by valid ones.
    mutating func value(of name: String, for sealed: Sealed) -> String {
        switch name {
        case "NotificationUrl": self.name("notification", for: sealed)
        case "creq", "threeDSSessionData", "threeDSMethodData": self.name(name, for: sealed)
        case "TotalAmount", "TotalPrice": "100.00"
        case "CurrencyCode": "SEK"
        case "CountryCode": "SE"
        case "Locale": "sv-SE"
        case "EnvironmentNative": "TEST"
        case "TotalPriceStatus": "FINAL"
        default: self.name("token:" + Self.plain(name), for: sealed)
        }
    }

    /// A name without characters that would end a placeholder.
    static func plain(_ name: String) -> String {
        String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    }
}
