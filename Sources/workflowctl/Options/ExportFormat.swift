internal import ArgumentParser

/// The forms in which logs are exported.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    /// The log's own: a record with its place in the chain and its seals.
    case ndjson
    /// CloudEvents 1.0, structured mode.
    case cloudevents
}
