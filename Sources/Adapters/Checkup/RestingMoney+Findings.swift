extension RestingMoney {
    /// The finding about payments whose outcome is unknown; `nil` when there are none.
    var finding: Finding? {
        guard unknown > 0 else { return nil }
        let isOne = unknown == 1
        var words =
            isOne
            ? "one payment has an unknown outcome" : "\(unknown) payments have an unknown outcome"
        if !parts.isEmpty { words += "; " + parts.joined(separator: ", ") }
        var advice = ["'workflowctl at-risk' lists \(isOne ? "it" : "them")"]
        if unknown > Self.limit {
            advice.append("'explain' shows what to do about each")
        } else {
            if retryable > 0 {
                advice.append("'retry' reads a payment at the PSP and then continues it")
            }
            if unknown > retryable {
                let which = isOne ? "it was" : retryable > 0 ? "the others were" : "they were"
                advice.append(
                    "find out at the PSP whether \(which) paid, and record it with 'resolve'"
                )
            }
        }
        return Finding(.sessions, .warning, words, advice: advice.joined(separator: "; "))
    }

    /// What became of the payments whose outcome is unknown; empty where not all logs were read.
    private var parts: [String] {
        guard unknown <= Self.limit else { return [] }
        let open = unknown - retryable - ended
        guard unknown > 1 else {
            return [
                retryable > 0
                    ? "'retry' continues it"
                    : ended > 0 ? "its session has ended" : "its session is still open"
            ]
        }
        var parts: [String] = []
        if retryable > 0 { parts.append("\(retryable) of them can be continued with 'retry'") }
        if ended > 0 { parts.append("\(ended) \(ended == 1 ? "has" : "have") ended") }
        if open > 0 { parts.append("\(open) \(open == 1 ? "is" : "are") still open") }
        return parts
    }
}
