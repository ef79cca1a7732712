public import EventLog
internal import SwedbankPay

/// A vault whose master keys a command writes to its standard output: for password managers and key services.
///
/// The command is a line of shell (`/bin/sh -c`). Its output is what a key file holds: base64 or hexadecimal digits of 32
/// bytes, one key a line, the first of which wraps. It is asked once, when the vault is made.
public struct KeyCommandVault: MasterKeySource {
    /// The keys.
    package let vault: MasterKeyVault

    /// A vault with the keys that a command gives.
    ///
    /// The caller's thread waits for the command: make the vault before the event loop has work to do.
    ///
    /// - Parameters:
    ///   - command: A line of shell; its standard input is empty, its standard error is this process's.
    ///   - timeLimit: How long it may take; then it is killed.
    ///   - random: Where data keys and nonces come from.
    /// - Throws: ``KeyVaultError/unavailable(reason:)`` when it can't be run, takes too long, fails or writes too much,
    ///   ``KeyVaultError/malformed(reason:)`` when its output holds no key. Its output is never quoted.
    public init(
        command: String,
        timeLimit: Duration = .seconds(30),
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let text = try KeyCommand(line: command, timeLimit: timeLimit).run()
        guard let ring = MasterKeyRing(text: text) else {
            throw .malformed(
                reason: "the key command wrote neither base64 nor hexadecimal digits of 32 bytes"
            )
        }
        vault = MasterKeyVault(ring: ring, random: random)
    }
}
