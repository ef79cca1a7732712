internal import ArgumentParser

/// Where a command writes what it makes.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The output file, or - for standard output.", valueName: "file")
    )
    var output = "-"

    /// Whether it is a file and not standard output.
    var isFile: Bool { output != "-" }

    /// Writes bytes that are in memory as a whole; a file for its owner alone.
    func write(
        _ bytes: [UInt8],
        isJSON: Bool = false,
        in invocation: Invocation
    ) throws(Failure) {
        if isFile {
            try FileBytes.replace(output, with: bytes)
        } else {
            invocation.output.write(document: bytes, isJSON: isJSON)
        }
    }

    /// Where bytes are written piece by piece, compressed when the file's name says so.
    func sink(in invocation: Invocation) throws(Failure) -> any ByteSink {
        guard isFile else { return OutputSink(invocation) }
        let file = try FileDraft(output)
        return try CompressedForm(path: output)?.writing(to: file) ?? file
    }
}
