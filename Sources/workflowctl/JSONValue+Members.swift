internal import EventLog
internal import SwedbankPay

/// An object, with its members in the order in which they are written.
extension JSONValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0, $1) })
    }
}
