internal import EventLog
internal import SwedbankPay

/// Converts the values of reports exactly, without floating point.
extension ReportCell {
    /// The failure for this value.
    func malformed(_ words: String) -> UnreadableReport {
        UnreadableReport(.malformed, words, at: place)
    }

    /// Returns an amount in minor units of a currency.
    ///
    /// Workbooks store numbers as binary fractions, so that 69.90 is written
    /// `69.900000000000006`; such a rest is rounded away, any other is refused.
    func amount(of currency: String) throws(UnreadableReport) -> Amount {
        guard let digits = MinorUnits.digits(of: currency) else {
            throw malformed("the currency is not one of ISO 4217")
        }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...15).contains(whole.count),
            parts.allSatisfy({ !$0.isEmpty && $0.count <= 30 && $0.allSatisfy(\.isASCIIDigit) })
        else { throw malformed("an amount is not a decimal number such as -1234.50") }
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        let kept = (0..<digits).map { $0 < fraction.count ? fraction[$0] : 0x30 }
        let rest = fraction.dropFirst(digits)
        var units: Int64 = 0
        for digit in Array(whole) + kept {
            let (scaled, isTooLarge) = units.multipliedReportingOverflow(by: 10)
            guard !isTooLarge, scaled <= Money.greatest else {
                throw malformed("an amount is larger than \(Money.greatest) minor units")
            }
            units = scaled + Int64(digit - 0x30)
        }
        if !rest.allSatisfy({ $0 == 0x30 }) {
            let noise = rest.prefix(4)
            guard isNumber, noise.count == 4, Set(noise).count == 1,
                noise.first == 0x30 || noise.first == 0x39
            else { throw malformed("an amount has more decimals than its currency") }
            if noise.first == 0x39 { units += 1 }
        }
        return Amount(isNegative ? -units : units)
    }

    /// Returns a number of transactions.
    func count() throws(UnreadableReport) -> Int {
        guard text.utf8.count <= 9, text.utf8.allSatisfy(\.isASCIIDigit), let count = Int(text)
        else { throw malformed("a number of transactions is not a whole number") }
        return count
    }

    /// Returns the PSP's number of a transaction.
    func transactionNumber() throws(UnreadableReport) -> Int64 {
        try requireExact()
        guard text.utf8.count <= 18, text.utf8.allSatisfy(\.isASCIIDigit),
            let number = Int64(text), number > 0
        else { throw malformed("a transaction number is not a whole number") }
        return number
    }

    /// Returns a day.
    func day() throws(UnreadableReport) -> ReportDay {
        guard let day = ReportDay(text) else {
            throw malformed("a date is not in the form YYYY-MM-DD hh:mm:ss")
        }
        return day
    }

    /// Refuses a number that a spreadsheet program shortened, such as `1.07E+10`.
    func requireExact() throws(UnreadableReport) {
        guard isNumber,
            text.utf8.contains(where: { $0 == UInt8(ascii: "E") || $0 == UInt8(ascii: ".") })
        else { return }
        throw malformed(
            "an identifier was rounded when the workbook was saved; use the file as the PSP sent it"
        )
    }

    /// Returns a report's number.
    func reportNumber() throws(UnreadableReport) -> String {
        guard (1...40).contains(text.utf8.count),
            text.utf8.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || "-_.".utf8.contains($0)
            })
        else { throw malformed("the report's number is not letters, digits and dashes") }
        return text
    }
}

extension ReportRow {
    /// Makes a row of its fields, none of which is empty.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - currency: The currency of a row that does not name one.
    ///   - place: Where the row is.
    /// - Throws: ``UnreadableReport`` for a field that is missing or malformed.
    init(
        _ fields: [ReportField: ReportCell],
        currency: String?,
        at place: String
    ) throws(UnreadableReport) {
        func required(_ field: ReportField) throws(UnreadableReport) -> ReportCell {
            guard let cell = fields[field] else {
                throw UnreadableReport(.malformed, "\(field.rawValue) is missing", at: place)
            }
            return cell
        }
        guard let currency = fields[.currency]?.text ?? currency else {
            throw UnreadableReport(.malformed, "Currency is missing", at: place)
        }
        self.place = place
        self.currency = currency
        number = try required(.number).transactionNumber()
        amount = try required(.amount).amount(of: currency)
        vatAmount = try fields[.vatAmount]?.amount(of: currency)
        created = try required(.created).day()
        modified = try required(.modified).day()
        for field in [ReportField.orderIdentity, .transactionIdentity, .referenced, .external] {
            try fields[field]?.requireExact()
        }
        texts = fields.mapValues(\.text)
    }
}

extension ServiceTotal {
    /// Makes a service's totals of their fields, found by name.
    init(
        subsite: String,
        currency: String?,
        at place: String,
        _ find: (String) -> ReportCell?
    ) throws(UnreadableReport) {
        func required(_ names: [String]) throws(UnreadableReport) -> ReportCell {
            guard let cell = names.lazy.compactMap(find).first else {
                throw UnreadableReport(.malformed, "\(names[0]) is missing", at: place)
            }
            return cell
        }
        self.subsite = subsite
        self.currency = currency
        name = try required(["servicename", "name", "service"]).text
        debits = try required(["noofdebit", "noofdebet"]).count()
        credits = try required(["noofcredit"]).count()
        // A workbook may leave out the currency; all of ours that it can be have two decimals.
        amount = try required(["amount"]).amount(of: currency ?? "SEK")
    }
}
