// Only scripts/fuzz builds this file, because it links libFuzzer.
#if FUZZING
    import Foundation
    import Testing

    /// Passes a target to libFuzzer, which ends the process when the time is over.
    @Suite struct LibFuzzer {
        private static let environment = ProcessInfo.processInfo.environment

        @MainActor @Test func `runs the target that the environment names`() throws {
            let name = try #require(Self.environment["FUZZ_TARGET"])
            let folder = try #require(Self.environment["FUZZ_FOLDER"])
            let target = try #require(FuzzTarget.all.first { $0.name == name })
            chosen = target
            // The kept inputs and those in the code, as files for libFuzzer's corpus.
            let seeds = folder + "/seeds"
            try FileManager.default.createDirectory(
                atPath: seeds,
                withIntermediateDirectories: true
            )
            let inputs = Inputs.corpus(of: target) + Inputs.regressions(of: target)
            for (index, input) in inputs.enumerated() {
                try Data(input.bytes).write(to: URL(fileURLWithPath: "\(seeds)/\(index)"))
            }
            let options = (Self.environment["FUZZ_OPTIONS"] ?? "").split(separator: " ")
            let arguments =
                ["fuzz", folder + "/corpus", seeds, "-max_len=\(target.maximumLength)"]
                + options.map(String.init)
            var count = CInt(arguments.count)
            var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
            let status = texts.withUnsafeMutableBufferPointer { buffer in
                var start = buffer.baseAddress
                return runLibFuzzer(&count, &start, { bytes, length in checkOne(bytes, length) })
            }
            exit(status)
        }
    }

    /// The target of this process, which is set once before libFuzzer calls.
    nonisolated(unsafe) private var chosen = FuzzTarget.all[0]

    /// The callback of libFuzzer.
    private func checkOne(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
        do {
            _ = try chosen.check(Array(UnsafeBufferPointer(start: start, count: length)))
        } catch {
            // libFuzzer detects a finding by the signal that ends the process, and keeps the input.
            FileHandle.standardError.write(Data("\(chosen.name): \(error)\n".utf8))
            abort()
        }
        return 0
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runLibFuzzer(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt
#endif
