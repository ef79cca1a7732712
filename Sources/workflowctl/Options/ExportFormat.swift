internal import ArgumentParser

/// The forms in which logs are exported.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    /// The log's own format: each record with its sequence number, chain hash and seals.
    case ndjson
    /// CloudEvents 1.0, structured mode.
    case cloudevents
}
