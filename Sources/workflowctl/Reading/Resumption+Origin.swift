internal import EventLog
internal import SwedbankPay

/// The authenticity of the file.
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
                "what the file to resume from vouches for is taken on trust: without the store's keys nobody can "
                    + "tell who wrote it"
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
                "the file to resume from is not of this store, or was changed: its MAC is not by the store's keys",
                hint:
                    "remove it to begin anew; if nobody else can write it, the first run had no keys"
            )
        }
    }

    /// Returns the text whose MAC the store's keys compute; it cannot be a session's address.
    static func authenticated(_ document: [UInt8]) -> String {
        "verify --resume-file " + HashChain.hash(.zero, document).hexadecimal
    }
}
