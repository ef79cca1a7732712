internal import Measuring

/// The sample log that several rows share, recorded once per run.
enum Samples {
    private static let known = SharedValue<SessionSample?>(nil)

    /// Returns the log of a payment at the sandbox, recorded by the first call.
    static func log(in directory: String) async throws -> SessionSample {
        if let sample = known.withLock({ $0 }) { return sample }
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let sample = try await SessionSample.record(in: directory, at: sandbox.baseURL)
        known.withLock { $0 = sample }
        return sample
    }
}
