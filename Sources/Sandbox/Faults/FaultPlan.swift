/// The faults of one order, with the number of requests that each of them has seen.
struct FaultPlan: Sendable {
    /// The maximum number of faults per order.
    static let limit = 100

    private var entries: [(fault: Fault, seen: Int)] = []

    init(_ faults: [Fault]) {
        entries = faults.prefix(Self.limit).map { ($0, 0) }
    }

    /// Adds a fault, which counts requests from now on; `false` when the plan is full.
    mutating func install(_ fault: Fault) -> Bool {
        guard entries.count < Self.limit else { return false }
        entries.append((fault, 0))
        return true
    }

    /// Counts a request and returns the fault that disturbs it: the first installed one that
    /// applies.
    mutating func strike(_ rel: String) -> Fault? {
        var chosen: Fault?
        for index in entries.indices {
            let fault = entries[index].fault
            guard fault.rel == rel || fault.rel == "*" else { continue }
            entries[index].seen += 1
            if chosen == nil, fault.requests.includes(entries[index].seen) { chosen = fault }
        }
        return chosen
    }
}
