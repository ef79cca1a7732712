internal import SwedbankPay

/// The names of event types in arguments.
enum EventTypes {
    /// Refuses a name that no event type has, because it is mistyped and would not match any event.
    ///
    /// `found` are the types in the log at hand, which a later build may have written.
    static func refuseUnknown(_ names: [String], known found: [String] = []) throws(Failure) {
        let known = Set(SessionEvent.typeNames).union(found)
        guard !known.isSuperset(of: names) else { return }
        throw .usage(
            "type",
            "no such event type",
            hint: "choose from: " + known.sorted().joined(separator: ", ")
        )
    }
}
