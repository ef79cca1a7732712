internal import Adapters
internal import EventLog

extension PaymentBackend {
    /// Declares which iOS apps may open our payment URLs themselves.
    ///
    /// - Note: Source: merchant backend, Apple app site association: both the form for iOS 12 and
    ///   the one since 13.
    func association() throws(BackendProblem) -> BackendResponse {
        let apps = configuration.returnPages.appleAppIDs
        guard !apps.isEmpty else { throw .notFound }
        let paths = configuration.rootPath + "sdk-callback/*"
        let details = apps.map { app -> ForeignJSON in
            [
                "appID": .string(app), "paths": .array([.string(paths)]),
                "appIDs": .array([.string(app)]), "components": .array([["/": .string(paths)]]),
            ]
        }
        return .json(
            ["applinks": ["apps": .array([]), "details": .array(details)]],
            caching: "public, max-age=3600"
        )
    }
}
