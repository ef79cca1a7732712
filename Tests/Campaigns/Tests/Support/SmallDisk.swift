import Foundation
import TestSupport

/// A small file system of its own, where that is permitted: a tmpfs that a test fills.
///
/// - Note: Where mounting is not permitted, a limit on the size of files simulates a full disk.
struct SmallDisk: Sendable {
    let folder: String

    /// Mounts one; returns `nil` when that is not permitted.
    init?(megabytes: Int) async throws {
        folder = NSTemporaryDirectory() + "campaign-disk-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let options = "size=\(megabytes)m,mode=700"
        guard getuid() == 0,
            let child = try? TestProcess(
                "/bin/mount",
                ["-t", "tmpfs", "-o", options, "campaign", folder],
                in: "/tmp"
            ),
            await child.ending().status == 0
        else {
            try? FileManager.default.removeItem(atPath: folder)
            return nil
        }
    }

    /// Fills it.
    func fill() {
        let filler = open(folder + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(filler) }
        let piece = [UInt8](repeating: 0, count: 1 << 16)
        // The last pieces are small, so that no space is left.
        for size in [1 << 16, 1 << 12] {
            while piece.withUnsafeBytes({ Glibc.write(filler, $0.baseAddress, size) }) == size {}
        }
    }

    /// Frees the space.
    func makeRoom() { try? FileManager.default.removeItem(atPath: folder + "/filler") }

    /// Unmounts it, as soon as nothing uses it any more.
    func unmount() async throws {
        var ending = await (try TestProcess("/bin/umount", [folder], in: "/tmp")).ending()
        if ending.status != 0 {
            ending = await (try TestProcess("/bin/umount", ["-l", folder], in: "/tmp")).ending()
        }
        guard ending.status == 0 else { throw CampaignError(ending.words) }
        try FileManager.default.removeItem(atPath: folder)
    }
}
