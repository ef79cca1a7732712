internal import CUV

extension UVLoop {
    /// The version of libuv that the program runs with.
    package static var libraryVersion: String { "libuv/" + String(cString: uv_version_string()) }
}
