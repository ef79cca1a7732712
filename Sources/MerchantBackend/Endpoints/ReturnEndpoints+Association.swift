internal import Adapters
internal import EventLog

extension ReturnEndpoints {
    /// Declares which iOS apps may open our payment URLs themselves.
    ///
    /// - Note: Source: merchant backend, Apple app site association: both the form for iOS 12 and
    ///   the one since 13.
    func association() -> BackendResponse {
        let apps = pages.appleAppIDs
        guard !apps.isEmpty else { return .problem(.notFound) }
        let paths = place.path + "sdk-callback/*"
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
