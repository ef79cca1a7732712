internal import Adapters
internal import SwedbankPay

/// Keeps a scratch store from contacting any PSP.
enum Scratch {
    /// Restricts the allowed hosts to this machine, whatever the configuration contains.
    ///
    /// `host` is the one that a command is about to call.
    ///
    /// - Throws: A failure when the host is another machine.
    static func confine(
        _ transport: inout TransportConfiguration,
        host: String?
    ) throws(Failure) {
        if let host, !APIAddress.isLoopback(host) { throw .notLoopback }
        transport.allowedHostSuffixes = []
        // A proxy is another machine, which would send the request.
        transport.proxy = nil
    }

    /// Returns the credentials for a sandbox: its own token, whatever files the options name.
    ///
    /// A real token is of no use at a sandbox, and must not be shown to whatever listens there.
    static let access = OrderAccess(
        headers: { _ in [("Authorization", "Bearer \(SandboxBackend.callerToken)")] },
        accessToken: { _ in SandboxBackend.callerToken }
    )
}

extension PersistentStore {
    /// Returns whether it is a scratch store.
    func isScratchStore() async throws(Failure) -> Bool {
        do {
            return try await isScratch()
        } catch {
            throw Failure(error)
        }
    }
}
