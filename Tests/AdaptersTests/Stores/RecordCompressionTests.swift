import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

/// The compressed form of stored records, which anyone who may write the store can alter.
@Suite struct RecordCompressionTests {
    private static let content = Result {
        try #require(RecordDictionary.train(with: try GoldenLogs.records()))
    }

    private static let number: UInt32 = 40_000

    private func dictionary(_ number: UInt32 = Self.number) throws -> RecordDictionary {
        try #require(RecordDictionary(trained: try Self.content.get(), as: number))
    }

    private func compressed(_ record: [UInt8], _ number: UInt32 = Self.number) throws -> [UInt8] {
        let compressor = try #require(RecordCompressor(try dictionary(number)))
        return compressor.withCompressed(record) { Array($0) }
    }

    /// Returns what a decompressor with the dictionary makes of stored bytes; `nil` for damaged
    /// ones.
    private func decompressed(_ stored: [UInt8]) throws -> [UInt8]? {
        let prepared = try #require(RecordDecompressor.Prepared(try dictionary()))
        let decompressor = RecordDecompressor([Self.number: prepared])
        switch stored.withUnsafeBytes({ decompressor.decompress($0) }) {
        case .record(let record): return record
        case .needs, .damaged: return nil
        }
    }

    @Test func `every record is restored as it was, and takes less than half of its space`() throws
    {
        let records = try GoldenLogs.records()
        let compressor = try #require(RecordCompressor(try dictionary()))
        let prepared = try #require(RecordDecompressor.Prepared(try dictionary()))
        let decompressor = RecordDecompressor([Self.number: prepared])
        var (before, after) = (0, 0)
        for record in records {
            let stored = compressor.withCompressed(record) { Array($0) }
            guard case .record(record) = stored.withUnsafeBytes({ decompressor.decompress($0) })
            else {
                Issue.record("not restored: \(String(decoding: record, as: UTF8.self))")
                continue
            }
            (before, after) = (before + record.count, after + stored.count)
        }
        #expect(after * 2 < before)
    }

    @Test
    func `random and empty bytes, and what compresses beyond the limit, are kept as they are`()
        throws
    {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        let blank = [UInt8](repeating: 0x20, count: 4 << 20)
        for record in [[], noise, blank] {
            #expect(try compressed(record) == record)
            #expect(try decompressed(compressed(record)) == record)
        }
        // Less blank, it is compressed.
        #expect(try compressed([UInt8](repeating: 0x20, count: 2_000)).count < 100)
    }

    @Test
    func `a frame that is altered anywhere is damaged, or gives a record for its hash to judge`()
        throws
    {
        let record = try GoldenLogs.records()[3]
        let stored = try compressed(record)
        #expect(stored.count < record.count)
        for index in stored.indices {
            for bit in 0..<8 {
                var altered = stored
                altered[index] ^= 1 << UInt8(bit)
                let result = try decompressed(altered)
                // Without the magic number it is a record that no hash fits.
                if index < 4 { #expect(result == altered) }
                #expect((result?.count ?? 0) <= stored.count * RecordCompressor.maximumExpansion)
            }
            #expect(try decompressed(Array(stored[..<index])) != record)
        }
    }

    @Test func `bytes behind a frame, no size, no dictionary and a wrong one are damage`() throws {
        let record = try GoldenLogs.records()[3]
        let stored = try compressed(record)
        #expect(try decompressed(stored) == record)
        #expect(try decompressed(stored + stored) == nil)
        #expect(try decompressed(stored + [0]) == nil)
        // Another number in the frame, and the same number on another dictionary.
        #expect(try decompressed(compressed(record, Self.number + 1)) == nil)
        for frame in try Self.foreignFrames(of: record) {
            #expect(frame.starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
            #expect(try decompressed(frame) == nil)
        }
    }

    /// Frames of the record that the `zstd` tool makes: without a dictionary, and of unknown size.
    private static func foreignFrames(of record: [UInt8]) throws -> [[UInt8]] {
        try StoreFile.withDirectory { directory in
            let file = directory.appendingPathComponent("record")
            try Data(record).write(to: file)
            return try ["zstd -q -c '\(file.path)'", "zstd -q -c < '\(file.path)'"].map { command in
                Array(try StoreFile.shell(command))
            }
        }
    }

    @Test(.threat("T-12"))
    func `a frame that claims to be larger than any record is refused before it is read`() throws {
        try StoreFile.withDirectory { directory in
            let dictionary = directory.appendingPathComponent("dictionary")
            try Data(try self.dictionary().content).write(to: dictionary)
            let frame = try StoreFile.shell(
                "head -c 33554432 /dev/zero > '\(directory.path)/zeros';"
                    + "zstd -q -19 -D '\(dictionary.path)' -c '\(directory.path)/zeros'"
            )
            #expect(frame.count < 16_384)
            #expect(try decompressed(Array(frame)) == nil)
        }
    }

    @Test func `a dictionary is accepted only with its own digest and number`() throws {
        let good = try dictionary(7)
        let digest = good.digest.bytes
        #expect(RecordDictionary(id: 7, content: good.content, digest: digest) == good)
        #expect(RecordDictionary(id: 8, content: good.content, digest: digest) == nil)
        var altered = good.content
        altered[altered.count - 1] ^= 1
        #expect(RecordDictionary(id: 7, content: altered, digest: digest) == nil)
        #expect(RecordDictionary(id: 7, content: good.content, digest: []) == nil)
        let garbage = [UInt8](repeating: 7, count: 100)
        #expect(RecordDictionary(trained: garbage) == nil)
        let drawn = (0..<9).compactMap { _ in RecordDictionary(trained: good.content)?.id }
        #expect(Set(drawn).count == 9 && drawn.allSatisfy(RecordDictionary.numbers.contains))
        #expect(RecordDictionary(trained: good.content, as: 0) == nil)
        #expect(RecordDictionary.train(with: [[1, 2, 3]]) == nil)
    }
}
