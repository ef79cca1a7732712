extension StoreLocation {
    /// Returns the files that may hold keys of the store, whether they exist or not.
    func keyFiles(environment: [String: String]) -> [String] {
        let keyFile =
            environment["WORKFLOWCTL_KEY_FILE"].nonEmpty ?? configuredKeys.file ?? path + ".key"
        let signing =
            environment["WORKFLOWCTL_SIGNING_KEY_FILE"].nonEmpty ?? path + ".signing-key"
        return [keyFile, signing]
    }
}
