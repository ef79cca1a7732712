import Testing

@testable import Adapters

/// The checks of a store's files.
@Suite struct FileCheckTests {
    @Test(
        arguments: [
            (UInt64(1) << 20, "bad"), (UInt64(200) << 20, "warning"), (UInt64(20) << 30, "good"),
        ]
    )
    func `low disk space is graded first as a warning, then as bad`(free: UInt64, grade: String) {
        #expect(FileCheck.room(free).grade.rawValue == grade)
    }
}
