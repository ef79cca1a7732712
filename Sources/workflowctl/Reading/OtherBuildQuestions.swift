internal import Inspection
internal import SwedbankPay
internal import Synchronization

/// Another build that is run on many logs, until it fails once.
final class OtherBuildQuestions: Sendable {
    private let program: String
    private let config: String?
    private let environment: [String: String]
    /// Its name and version.
    let version: String
    private let failed = Mutex<Failure?>(nil)

    /// Asks a program for its name.
    init(
        _ program: String,
        config: String?,
        _ environment: [String: String]
    ) throws(Failure) {
        (self.program, self.config, self.environment) = (program, config, environment)
        version = try OtherBuild.version(of: program, environment)
    }

    /// Returns the program's output for a log; `nil` once the program has failed.
    func ask(about log: SessionLog) -> OtherBuild? {
        guard failed.withLock({ $0 == nil }) else { return nil }
        do throws(Failure) {
            return try OtherBuild.ask(
                program,
                named: version,
                about: log,
                config: config,
                environment
            )
        } catch {
            failed.withLock { $0 = $0 ?? error }
            return nil
        }
    }

    /// Ends a command for which the program failed.
    ///
    /// - Throws: The reason why it failed.
    func requireAnswers() throws(Failure) {
        if let failure = failed.withLock({ $0 }) { throw failure }
    }
}
