internal import CUV

extension UVLoop {
    /// The version of libuv in this process.
    package static var libraryVersion: String { "libuv/" + String(cString: uv_version_string()) }
}
