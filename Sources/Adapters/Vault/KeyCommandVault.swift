public import EventLog
internal import FoundationEssentials
internal import Glibc
internal import SwedbankPay

/// A vault that reads its master keys from a command's output, for password managers and key
/// services.
///
/// The command is a shell command line (`/bin/sh -c`). Its output has the format of a key file: 32
/// bytes as base64 or hexadecimal, one key a line, the first of which wraps. It is run once, when
/// the vault is created.
public struct KeyCommandVault: MasterKeySource {
    /// The maximum size of the output in bytes; keys are far shorter.
    package static let outputLimit = 16 * 1024

    /// The keys.
    package let vault: MasterKeyVault

    /// Creates a vault with the keys that a command writes.
    ///
    /// The calling thread waits for the command: create the vault before the event loop has work to
    /// do.
    ///
    /// - Parameters:
    ///   - command: A shell command line; its standard input is empty, its standard error is this
    ///     process's.
    ///   - timeLimit: The time limit, after which the command is killed.
    ///   - random: The source of data keys and nonces.
    /// - Throws: ``KeyVaultError/unavailable(reason:)`` when the command cannot be run, takes too
    ///   long, fails or writes too much, ``KeyVaultError/malformed(reason:)`` when its output holds
    ///   no key. The output is never quoted.
    public init(
        command: String,
        timeLimit: Duration = .seconds(30),
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let text = try Self.output(of: command, timeLimit: timeLimit)
        guard let ring = MasterKeyRing(text: text) else {
            throw .malformed(
                reason: "the key command did not write 32 bytes in base64 or hexadecimal"
            )
        }
        vault = MasterKeyVault(ring: ring, random: random)
    }

    private static func output(
        of line: String,
        timeLimit: Duration
    ) throws(KeyVaultError) -> String {
        guard !line.isEmpty, !line.utf8.contains(0) else {
            throw .unavailable(reason: "no key command is configured")
        }
        let result: ChildProcess.Result
        do throws(ChildProcess.Failure) {
            result = try ChildProcess.run(
                ["/bin/sh", "-c", line],
                diagnostics: STDERR_FILENO,
                variables: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
                outputLimit: outputLimit,
                timeLimit: timeLimit
            )
        } catch {
            throw .unavailable(reason: "the key command \(reason(of: error))")
        }
        switch result.end {
        case .exited(0): break
        case .exited(let status):
            throw .unavailable(reason: "the key command ended with status \(status)")
        case .killed(let signal):
            throw .unavailable(reason: "signal \(signal) ended the key command")
        }
        guard let text = String(validating: result.output, as: UTF8.self) else {
            throw .malformed(reason: "the key command did not write text")
        }
        return text
    }

    private static func reason(of failure: ChildProcess.Failure) -> String {
        switch failure {
        case .tooSlow: return "took too long"
        case .canceled: return "was canceled"
        case .tooMuchOutput: return "wrote more than \(outputLimit) bytes"
        case .notRun(let code):
            let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
            return "could not be run: \(words)"
        }
    }
}
