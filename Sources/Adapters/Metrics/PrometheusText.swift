internal import EventLog

/// Encodes metrics in Prometheus's text format.
///
/// Source: Prometheus documentation, text-based exposition format 0.0.4: backslash, quotation mark
/// and line feed are escaped in label values; each metric has its `HELP` and `TYPE` once, before
/// its values.
package enum PrometheusText {
    /// The help text of each metric.
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
        "payment_workflow_sums_behind": "Records that sums do not contain yet.",
        "payment_workflow_index_behind": "Records that the index has not read yet.",
        "payment_workflow_payments": "Payments, by money status.",
        "payment_workflow_money": "The amount of the payments, in minor units.",
        "payment_workflow_payments_without_amount":
            "Payments whose log contains no amount.",
        "payment_workflow_payments_resolved":
            "Payments whose status is what a person found at the PSP.",
        "payment_workflow_possible_duplicates":
            "Orders for which several payments were made and kept.",
        "payment_workflow_store_free_bytes": "Bytes that are free for the store on its disk.",
        "payment_workflow_checkpoint_age_seconds":
            "Seconds since the newest checkpoint, or 0 when it covers every record.",
        "payment_workflow_append_failures_total": "Records that the store did not accept.",
        "payment_workflow_samples_failed_total": "Times that the store could not be measured.",
        "payment_workflow_takeovers_total": "Sessions taken over from a node that died.",
        "payment_workflow_renewals_lost_total": "Times that this node found its lease expired.",
        "payment_workflow_rows_corrected_total": "Rows that were corrected from their logs.",
        "payment_workflow_request_duration": "Seconds that requests to the PSP took.",
        "payment_workflow_http_requests_total": "Requests, by endpoint and class of the status.",
        "payment_workflow_http_request_duration": "Seconds until the response began.",
        "payment_workflow_http_refused_total": "Requests that were refused, by reason.",
        "payment_workflow_idempotency_total": "Requests with an Idempotency-Key, by result.",
        "payment_workflow_streams": "Streams that are open.",
        "payment_workflow_webhook_behind": "Records that the endpoint has not been sent yet.",
        "payment_workflow_webhook_deliveries_total": "Messages sent to the endpoint, by result.",
        "payment_workflow_webhook_disabled": "Whether the endpoint is disabled.",
    ]

    /// Returns the document.
    package static func document(_ readings: [MetricReadings.Reading]) -> String {
        var (text, name) = ("", "")
        for reading in readings {
            if reading.name != name {
                name = reading.name
                let meaning = meanings[name] ?? "A metric of the service."
                text += "# HELP \(name) \(meaning)\n# TYPE \(name) \(reading.kind.rawValue)\n"
            }
            let labels = reading.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(name)\(reading.part)\(list) \(number(reading.value))\n"
        }
        return text
    }

    /// Escapes the value of a label.
    static func escaped(_ value: String) -> String {
        value.rewriting("\\", as: "\\\\").rewriting("\"", as: "\\\"").rewriting("\n", as: "\\n")
    }

    /// Writes whole numbers without a fraction, as far as a double is exact.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
