internal import EventLog

/// Encodes gauges and counters in Prometheus's text format.
///
/// Source: Prometheus documentation, text-based exposition format 0.0.4: backslash, quotation mark
/// and line feed are escaped in label values; each metric has its `HELP` and `TYPE` once, before
/// its values.
package enum PrometheusText {
    /// The help text of each gauge of a store.
    package static let meanings: [String: String] = [
        "payment_workflow_overdue_seconds":
            "Seconds that the longest-overdue session without a live node is overdue.",
        "payment_workflow_sessions_without_due_time":
            "Sessions that only an engine can move and whose row does not say when.",
        "payment_workflow_payments_resting":
            "Open payments with money under way or unknown that the engine gave up reading.",
        "payment_workflow_clock_ahead_seconds":
            "Seconds by which the newest event of an open session lies in the future.",
        "payment_workflow_nodes": "Engines that share the database.",
        "payment_workflow_leases": "Sessions leased by these engines.",
        "payment_workflow_index_behind": "Records that the index has not read yet.",
        "payment_workflow_payments": "Payments, by money status.",
        "payment_workflow_money": "The amount of the payments, in minor units.",
        "payment_workflow_payments_without_amount":
            "Payments whose log contains no amount.",
        "payment_workflow_payments_resolved":
            "Payments whose status is what a person found at the PSP.",
        "payment_workflow_possible_duplicates":
            "Orders for which several payments were made and kept.",
        "payment_workflow_webhook_behind": "Records that the endpoint has not been sent yet.",
        "payment_workflow_webhook_deliveries": "Messages sent to the endpoint, by result.",
        "payment_workflow_webhook_disabled": "Whether the endpoint is disabled.",
    ]

    /// Returns the document.
    package static func document(_ readings: [GaugeReadings.Reading]) -> String {
        var (text, name) = ("", "")
        for reading in readings {
            if reading.name != name {
                name = reading.name
                let meaning = meanings[name] ?? "A gauge of the store."
                let type = reading.isCount ? "counter" : "gauge"
                text += "# HELP \(name) \(meaning)\n# TYPE \(name) \(type)\n"
            }
            let labels = reading.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(name)\(list) \(number(reading.value))\n"
        }
        return text
    }

    /// Escapes the value of a label.
    static func escaped(_ value: String) -> String {
        value.rewriting("\\", as: "\\\\").rewriting("\"", as: "\\\"").rewriting("\n", as: "\\n")
    }

    /// Writes whole numbers without a fraction, as far as a double is exact.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
