internal import EventLog

/// Converts amounts in minor units to the usual decimal notation.
///
/// - Note: Source: ISO 4217, list one (active codes), as of 2025; merchant API, amounts (10000 is
///   100.00).
package enum MinorUnits {
    /// Currencies grouped by the number of digits after the decimal point.
    private static let currencies: [(digits: Int, codes: String)] = [
        (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
        (
            2,
            """
            AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF \
            CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF \
            IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN \
            MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS \
            SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
            """
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"), (4, "CLF UYW"),
    ]

    private static let digits: [Substring: Int] = Dictionary(
        currencies.flatMap { entry in entry.codes.pieces(between: " ").map { ($0, entry.digits) } }
    ) { first, _ in first }

    /// The number of digits that amounts of a currency have after the decimal point; `nil` for a
    /// currency that ISO 4217 does not contain.
    package static func digits(of currency: String) -> Int? { digits[currency[...]] }

    /// An amount without its currency: `649.00` for 64900 öre, `649` for as many yen.
    ///
    /// - Returns: The text; `nil` for a currency that ISO 4217 does not contain.
    package static func text(_ amount: Amount, of currency: String) -> String? {
        guard let count = digits(of: currency) else { return nil }
        let sign = amount < 0 ? "-" : ""
        let all = String(amount.minorUnits.magnitude)
        guard count > 0 else { return sign + all }
        let padded = String(repeating: "0", count: max(0, count + 1 - all.count)) + all
        return sign + padded.dropLast(count) + "." + padded.suffix(count)
    }

    /// An amount with its currency: `649.00 SEK`; in minor units when the number of digits of the
    /// currency, or the currency itself, is unknown.
    package static func words(_ amount: Amount, of currency: String?) -> String {
        guard let currency else { return "\(amount) minor units" }
        return text(amount, of: currency).map { "\($0) \(currency)" }
            ?? "\(amount) minor units of \(currency)"
    }
}
