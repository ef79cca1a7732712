internal import ArgumentParser
internal import SwedbankPay

/// An amount of money as it is written on the command line.
///
/// Digits alone are minor units: `64900` is SEK 649.00. With a decimal point or comma, or with a
/// currency, it is the amount that people write: `649.00`, `649 SEK`, `SEK 1 234,50`,
/// `1,234.50 SEK`.
struct AmountArgument: ExpressibleByArgument, Hashable {
    /// The forms that are accepted.
    static let forms =
        "write the amount with its currency, such as '649.00 SEK' or '1 299,50 SEK', or in minor "
        + "units: 64900"

    /// The currency, if it was written.
    private let currency: String?
    /// The digits before the decimal point.
    private let whole: String
    /// The digits after it; empty when there is no decimal point.
    private let fraction: String
    /// Whether the digits are minor units.
    var isMinor: Bool { currency == nil && fraction.isEmpty }

    init?(argument: String) {
        var text = argument[...]
        var code: Substring = ""
        let isLetter = { (character: Character) in character.isASCII && character.isLetter }
        let isSpace = { (character: Character) in character.isWhitespace }
        if text.first.map(isLetter) == true {
            code = text.prefix(while: isLetter)
            text = text.dropFirst(code.count)
        } else if text.last.map(isLetter) == true {
            code = text.reversed().prefix(while: isLetter).reversed().reduce(into: "") {
                $0.append($1)
            }
            text = text.dropLast(code.count)
        }
        while text.first.map(isSpace) == true { text = text.dropFirst() }
        while text.last.map(isSpace) == true { text = text.dropLast() }
        // The last point or comma begins the decimals. With a point and a comma, as with spaces,
        // the other one separates thousands; which one a single kind means cannot be known.
        let mark = text.last { [".", ","].contains($0) }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == mark }
        guard (1...2).contains(parts.count) else { return nil }
        let groups = parts[0].split(omittingEmptySubsequences: false) {
            isSpace($0) || $0 == "." || $0 == ","
        }
        guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
            groups.count == 1 || groups[0].count <= 3,
            groups.dropFirst().allSatisfy({ $0.count == 3 }),
            parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(\.isASCIIDigit),
            code.isEmpty || MinorUnits.digits(of: code.uppercased()) != nil
        else { return nil }
        // Digits alone are minor units, so nobody may mean an amount in the usual notation by them.
        guard groups.count == 1 || parts.count == 2 || !code.isEmpty else { return nil }
        currency = code.isEmpty ? nil : code.uppercased()
        whole = groups.joined()
        fraction = parts.count == 2 ? String(parts[1]) : ""
    }

    /// Returns the amount.
    ///
    /// - Parameters:
    ///   - known: The currency of the payment, if it is known.
    ///   - option: The option's name, for the error.
    /// - Returns: The amount.
    /// - Throws: A usage ``Failure`` for another currency than the payment's, for anything but
    ///   minor units when the payment's currency is not known, for digits that the currency does
    ///   not have, and for an amount that a log cannot contain.
    func value(in known: String?, _ option: String) throws(Failure) -> Amount {
        guard !isMinor else { return try number(whole, option) }
        if let currency, let known, currency != known {
            throw .usage(
                option,
                "the amount is given in \(currency), but this payment is in \(known)",
                hint: "give --\(option) in \(known)"
            )
        }
        guard let known, let digits = MinorUnits.digits(of: known) else {
            throw .usage(
                option,
                "the currency of this payment is not known here",
                hint:
                    "give the amount in minor units, without a currency: --\(option) 64900 for 649.00"
            )
        }
        guard fraction.isEmpty || fraction.count == digits else {
            throw .usage(
                option,
                "amounts in \(known) have \(digits == 0 ? "no" : "\(digits)") decimals",
                hint: digits == 0
                    ? "write thousands without a point or comma, for example: 1234"
                    : "write all decimals, for example: 1234."
                        + String(repeating: "0", count: digits)
            )
        }
        let rest = fraction.isEmpty ? String(repeating: "0", count: digits) : fraction
        return try number(whole + rest, option)
    }

    /// Returns the amount with the currency that was written with it; `nil` when none was, and for
    /// zero.
    ///
    /// - Throws: As ``value(in:_:)``.
    func withCurrency(_ option: String) throws(Failure) -> Money? {
        guard let currency else { return nil }
        let amount = try value(in: currency, option)
        return amount > 0 ? try? Money(minorUnits: amount.minorUnits, currency: currency) : nil
    }

    private func number(_ digits: String, _ option: String) throws(Failure) -> Amount {
        let greatest = Money.greatest
        guard let number = Int64(digits), number <= greatest else {
            throw .usage(option, "the amount is too large", hint: "at most \(greatest) minor units")
        }
        return Amount(number)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
