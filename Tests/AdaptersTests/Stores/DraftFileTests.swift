import Foundation
import Glibc
import Testing

@testable import Adapters
@testable import EventStores

/// Files that are being written.
@Suite struct DraftFileTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "draft-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func say(_ text: String, in draft: DraftFile) {
        _ = Array(text.utf8).withUnsafeBytes { write(draft.descriptor, $0.baseAddress, $0.count) }
    }

    @Test(arguments: [true, false])
    func `a file gets its name only when complete, and a discarded draft leaves nothing behind`(
        mayBeNameless: Bool
    ) throws {
        try inFolder { folder in
            let path = folder + "/file"
            func made() throws -> DraftFile {
                try #require(DraftFile(for: path, mayBeNameless: mayBeNameless))
            }
            do {
                let draft = try made()
                say("given up", in: draft)
                #expect(!FileManager.default.fileExists(atPath: path))
                withExtendedLifetime(draft) {}
            }
            #expect(try names(in: folder) == [])
            for text in ["first", "second"] {
                let draft = try made()
                say(text, in: draft)
                #expect(draft.replace())
                #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
                #expect(FileFacts(path: path)?.permissions == 0o600)
            }
            let third = try made()
            #expect(!third.put() && errno == EEXIST)
            #expect(try names(in: folder) == ["file"])
            try FileManager.default.removeItem(atPath: path)
            #expect(try made().put())
            #expect(try names(in: folder) == ["file"])
        }
    }

    @Test func `drafts of processes that are gone are removed, and no others`() throws {
        try inFolder { folder in
            let gone = Process()
            gone.executableURL = URL(fileURLWithPath: "/bin/true")
            try gone.run()
            gone.waitUntilExit()
            let (dead, path) = (gone.processIdentifier, folder + "/file")
            let kept = [
                "file.1.draft", "file.\(getpid())-7.draft", "other.\(dead).draft", "file.draft",
                "file.\(dead).draft.txt", "file.x\(dead).draft", "file.\(dead).draft",
                "file.\(dead)-3.draft",
            ]
            for name in kept + ["file.\(dead)-9.draft"] {
                #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: nil))
            }
            // A file of another container, where the number means another process, which is at work
            // on it.
            let lock = open(folder + "/file.\(dead)-3.draft", O_RDONLY)
            #expect(flock(lock, LOCK_EX) == 0)
            _ = DraftFile(for: path)
            #expect(try names(in: folder) == kept.sorted())
            close(lock)
        }
    }
}
