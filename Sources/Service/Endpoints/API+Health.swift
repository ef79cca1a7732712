internal import Adapters
internal import CoreMetrics
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// Documents that the service publishes beside its endpoints.
public struct ServiceDocuments: Sendable {
    /// The description of the service (OpenAPI 3.1), as JSON.
    public var description: String
    /// What each error code means, for the pages to which problem documents lead.
    public var errors: [String: String]

    /// Creates documents; by default there are none.
    public init(description: String = "", errors: [String: String] = [:]) {
        (self.description, self.errors) = (description, errors)
    }
}

extension PaymentAPI {
    /// Whether the service can open and drive payments now: the store can be read and written, and
    /// the keys are at hand.
    func readiness() async throws(ServiceProblem) -> ServiceResponse {
        guard await !changes.hasEnded else { throw .stopping }
        guard !store.isReadOnly else {
            throw ServiceProblem(503, "store.read-only", "the store can only be read")
        }
        do throws(EventStoreError) {
            try await store.confirmLiving()
            _ = try await store.changeCounter()
        } catch {
            throw ServiceProblem(503, error.code, error.description)
        }
        do throws(KeyVaultError) {
            _ = try await payers.vault.addressFingerprint(of: "readiness:")
        } catch {
            throw ServiceProblem(503, error.code, "the keys are not available")
        }
        return .json(["ready": .bool(true)])
    }

    /// What is measured: of the store now, and of this process since it began.
    func metrics() async -> ServiceResponse {
        var gauges = MetricReadings()
        do throws(EventStoreError) {
            try await StoreGauges(of: store, clock: clock, metrics: gauges).sample()
        } catch {
            // A part of them would look like all.
            gauges = MetricReadings()
            measured.countFailedSample(error.code)
        }
        measured.record(streams: used.openStreams)
        return .text(
            PrometheusText.document(gauges.all + readings.all),
            type: "text/plain; version=0.0.4; charset=utf-8"
        )
    }

    func description() throws(ServiceProblem) -> ServiceResponse {
        guard !documents.description.isEmpty else { throw .noAddress }
        return .text(documents.description, type: "application/json")
    }

    func errorPage(_ request: ServiceRequest) throws(ServiceProblem) -> ServiceResponse {
        guard let text = documents.errors[request.parts[0]] else { throw .noAddress }
        return .text(text, type: "text/plain; charset=utf-8")
    }

    func myself(_ request: ServiceRequest) -> ServiceResponse {
        .json([
            "name": .string(request.caller.name),
            "roles": .array(request.caller.roles.map(\.rawValue).sorted().map { .string($0) }),
        ])
    }
}
