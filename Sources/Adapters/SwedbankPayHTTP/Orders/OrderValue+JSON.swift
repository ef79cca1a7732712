internal import EventLog
internal import SwedbankPay

extension String: OrderElement {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> String? {
        reader.read(name, "must be a string") { $0.string }
    }

    static func readAll(_ name: String, by reader: inout OrderMemberReader) -> [String]? {
        reader.read(name, "must be a list of strings") { value in
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    var json: ForeignJSON { .string(self) }
}

extension Array: OrderValue where Element: OrderElement {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> [Element]? {
        Element.readAll(name, by: &reader)
    }

    var json: ForeignJSON { .array(map(\.json)) }
}

extension Bool: OrderValue {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Bool? {
        reader.read(name, "must be true or false") { value in
            guard case .bool(let bool) = value else { return nil }
            return bool
        }
    }

    var json: ForeignJSON { .bool(self) }
}

/// A number of minor units; a number with decimals is refused even when they are zeros, since
/// `100.00` most likely does not mean 1.00.
extension Amount: OrderValue {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Amount? {
        reader.integer(name, "must be a whole number of minor units, 10000 for 100.00")
            .map { Amount($0) }
    }

    var json: ForeignJSON { .integer(minorUnits) }
}

extension Quantity: OrderValue {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Quantity? {
        let decimals = Quantity.decimals
        return reader.read(name, "must be a number with up to \(decimals) decimals") { value in
            switch value {
            case .integer(let integer): Quantity(String(integer))
            case .number(let number): Quantity(plain(number))
            case .null, .bool, .string, .array, .object: nil
            }
        }
    }

    /// A number without an exponent, in its shortest form.
    private static func plain(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15
            ? String(Int64(number)) : number.description
    }

    var json: ForeignJSON {
        let (whole, rest) = tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        // The nearest floating-point number; its shortest form has the same decimals.
        return rest == 0 ? .integer(whole) : .number(Double(tenThousandths) / 10_000)
    }
}

/// Words of a list that the PSP may extend.
extension OrderValue where Self: RawRepresentable<String> {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Self? {
        String.read(name, by: &reader).flatMap(Self.init(rawValue:))
    }

    var json: ForeignJSON { .string(rawValue) }
}

/// Words of closed lists.
extension OrderValue where Self: RawRepresentable<String> & CaseIterable {
    static func read(_ name: String, by reader: inout OrderMemberReader) -> Self? {
        let words = allCases.map(\.rawValue).joined(separator: ", ")
        return reader.read(name, "must be one of \(words)") {
            $0.string.flatMap(Self.init(rawValue:))
        }
    }
}

extension PaymentOrderPurpose: OrderValue {}
extension Language: OrderValue {}
extension PaymentMethodName: OrderElement {
    static func readAll(_ name: String, by reader: inout OrderMemberReader) -> [Self]? {
        String.readAll(name, by: &reader)?.map(Self.init(rawValue:))
    }
}
extension OrderItem.Kind: OrderValue {}
extension AccountInfo.Age: OrderValue {}
extension AccountInfo.Recency: OrderValue {}
extension AccountInfo.NameMatch: OrderValue {}
extension AccountInfo.Suspicion: OrderValue {}
extension RiskIndicator.DeliveryTimeFrame: OrderValue {}
extension RiskIndicator.PreOrder: OrderValue {}
extension RiskIndicator.Shipment: OrderValue {}
extension RiskIndicator.ReOrder: OrderValue {}
