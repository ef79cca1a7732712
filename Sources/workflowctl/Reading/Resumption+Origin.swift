internal import EventLog
internal import SwedbankPay

/// Who wrote the file.
extension Resumption {
    /// Refuses a file that was not written with the store's keys: it says which records need not be
    /// checked again.
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
                    "remove the file to start again; if no one else can write it, the first run had no keys"
            )
        }
    }

    /// What the store's keys make a MAC of: a text that is the address of no session.
    static func authenticated(_ document: [UInt8]) -> String {
        "verify --resume-file " + HashChain.hash(.zero, document).hexadecimal
    }
}
