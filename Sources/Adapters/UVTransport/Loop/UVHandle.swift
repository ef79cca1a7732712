internal import CUV

/// Handles of libuv, in memory that was allocated for them.
package enum UVHandle {
    /// Closes a handle and frees its memory, which libuv owns until then.
    package static func close(_ handle: UnsafeMutableRawPointer) {
        uv_close(handle.assumingMemoryBound(to: uv_handle_t.self)) {
            UnsafeMutableRawPointer($0)?.deallocate()
        }
    }
}
