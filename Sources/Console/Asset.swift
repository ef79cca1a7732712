internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service

/// A file that pages need; its name has its digest, so that browsers may keep it for ever.
struct Asset: Sendable {
    let address: String
    let type: String
    let content: [UInt8]

    private init(_ name: String, _ ending: String, _ type: String, _ content: [UInt8]) {
        let digest = "\(HashChain.hash(content))".prefix(12)
        address = "/console/assets/\(name)-\(digest).\(ending)"
        (self.type, self.content) = (type, content)
    }

    /// The only style.
    static let style = Asset(
        "console",
        "css",
        "text/css; charset=utf-8",
        Array(DrawingStyle.declarations.utf8) + PackageResources.console_css
    )
    /// The only script, a module.
    static let script = Asset(
        "console",
        "js",
        "text/javascript; charset=utf-8",
        PackageResources.console_js
    )
    /// The sign in the tab.
    static let icon = Asset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)

    /// All of them.
    static let all = [style, script, icon]

    /// The response with the file of an address; `nil` when there is none.
    static func response(at address: String) -> ServiceResponse? {
        guard let asset = all.first(where: { $0.address == address }) else { return nil }
        var response = ServiceResponse.console(.ok, asset.content, type: asset.type)
        response.head.headerFields[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }
}
