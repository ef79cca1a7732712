/// How a session is presented: all methods, some of them, or one.
///
/// - Note: Source: payment session API, derived values and customize-payment.
extension Snapshot {
    /// The same presentation in the one form in which it is requested and compared.
    ///
    /// A list without names and a list of all names both mean all methods: a PSP shows them like
    /// that, and a comparison with the list would never succeed (flaw F-04).
    func normalized(_ presentation: Presentation) -> Presentation {
        guard case .restricted(let names) = presentation else { return presentation }
        let wanted = Set(names)
        let enabled = Set(enabledMethods ?? [])
        return wanted.isEmpty || (!enabled.isEmpty && enabled.isSubset(of: wanted))
            ? .all : .restricted(names)
    }

    /// Whether only some of the order's methods are shown.
    var isRestricted: Bool {
        guard let enabledMethods else { return false }
        return Set(methods.map(\.name)) != Set(enabledMethods)
    }

    /// Whether the session is presented like that.
    ///
    /// - Parameters:
    ///   - presentation: The presentation, normalised.
    ///   - known: The last presentation set at our request, needed because a snapshot shows neither
    ///     whether saved cards are hidden nor whether the page asks for consent.
    /// - Returns: Whether it is.
    func shows(_ presentation: Presentation, knownAs known: Presentation?) -> Bool {
        switch presentation {
        case .all: return instrumentMode == nil && !isRestricted
        case .restricted(let names):
            return instrumentMode == nil && Set(methods.map(\.name)) == Set(names)
        case .instrument(let name):
            guard instrumentMode == name else { return false }
            if case .newCard = known { return false }
            return true
        case .newCard:
            guard instrumentMode == .creditCard else { return false }
            // An order created for cards only can't be changed, and shows them.
            return known == presentation || sessionOperation(.customizePayment) == nil
        }
    }
}
