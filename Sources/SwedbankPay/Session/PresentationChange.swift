/// The presentation of the session that was last requested, and what is known about it.
enum PresentationChange: Hashable, Sendable {
    /// None was requested.
    case none
    /// A request for it was started, and has not succeeded as far as we know.
    ///
    /// Meanwhile the session is presented as before; `nil` when that is not known either.
    case requested(Presentation, before: Presentation?)
    /// The PSP confirmed it or shows it.
    case confirmed(Presentation)

    /// How the session is presented at our request, as far as we know.
    var current: Presentation? {
        switch self {
        case .none: nil
        case .requested(_, let before): before
        case .confirmed(let presentation): presentation
        }
    }

    /// Records the start of a request.
    mutating func start(_ presentation: Presentation) {
        self = .requested(presentation, before: current)
    }

    /// Records the success of the request.
    mutating func succeed() {
        if case .requested(let presentation, _) = self { self = .confirmed(presentation) }
    }

    /// Records a failure after which it is not known how the session is presented.
    mutating func doubt() {
        switch self {
        case .none: break
        case .requested(let presentation, _), .confirmed(let presentation):
            self = .requested(presentation, before: nil)
        }
    }

    /// Records a view: a change whose response was lost shows in it, except for what no view shows.
    mutating func compare(with newest: Snapshot) {
        guard case .requested(let presentation, nil) = self else { return }
        if case .newCard = presentation { return }
        if newest.shows(presentation, knownAs: nil) { self = .confirmed(presentation) }
    }
}
