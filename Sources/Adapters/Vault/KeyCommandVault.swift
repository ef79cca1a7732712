public import EventLog
internal import SwedbankPay

/// A vault that reads its master keys from a command's output, for password managers and key
/// services.
///
/// The command is a shell command line (`/bin/sh -c`). Its output has the format of a key file: 32
/// bytes as base64 or hexadecimal, one key a line, the first of which wraps. It is run once, when
/// the vault is created.
public struct KeyCommandVault: MasterKeySource {
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
        let text = try KeyCommand(line: command, timeLimit: timeLimit).run()
        guard let ring = MasterKeyRing(text: text) else {
            throw .malformed(
                reason: "the key command did not write 32 bytes in base64 or hexadecimal"
            )
        }
        vault = MasterKeyVault(ring: ring, random: random)
    }
}
