internal import EventLog
internal import SwedbankPay

/// The authentication of the file.
extension Resumption {
    /// Refuses a file that was not written with the store's keys, because it determines which
    /// records are not verified again.
    func checkOrigin(
        of document: [UInt8],
        said: String,
        _ invocation: Invocation
    ) async throws(Failure) {
        guard let vault else {
            return invocation.note(
                "the progress file is trusted without proof: without the store's keys, its "
                    + "author cannot be checked"
            )
        }
        let text = Self.authenticated(document)
        var own: [Digest256]
        do {
            own = [try await vault.addressFingerprint(of: text)]
            own += try await vault.formerAddressFingerprints(of: text)
        } catch {
            throw Failure(error)
        }
        guard own.contains(where: { $0.hexadecimal == said }) else {
            throw .usage(
                "resume-file",
                "the progress file belongs to another store or was changed: its MAC does not "
                    + "match the store's keys",
                hint:
                    "remove the file to start again. If nobody else can write to it, the first run was made without the store's keys."
            )
        }
    }

    /// The text whose MAC is made with the store's keys; no session has it as its address.
    static func authenticated(_ document: [UInt8]) -> String {
        "verify --resume-file " + HashChain.hash(.zero, document).hexadecimal
    }
}
