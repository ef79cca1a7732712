extension StoreLocation {
    /// The files that may hold keys of the store; not all of them need to be there.
    func secretFiles(environment: [String: String]) -> [String] {
        let keyFile =
            environment["WORKFLOWCTL_KEY_FILE"].nonEmpty ?? configuredKeys.file ?? path + ".key"
        let signing =
            environment["WORKFLOWCTL_SIGNING_KEY_FILE"].nonEmpty ?? path + ".signing-key"
        let token = environment["WORKFLOWCTL_TOKEN_FILE"].nonEmpty
        return [keyFile, signing] + (token.map { [$0] } ?? [])
    }
}
