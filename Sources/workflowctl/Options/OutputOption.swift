internal import ArgumentParser

/// Where a command writes its output.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file")
    )
    var output = "-"

    /// Whether it is a file, and not standard output.
    var isFile: Bool { output != "-" }

    /// Writes bytes at once; a file is readable only by its owner.
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

    /// Returns a sink for pieces of output, which are compressed if the file's name says so.
    func sink(in invocation: Invocation) throws(Failure) -> any ByteSink {
        guard isFile else { return OutputSink(invocation) }
        let file = try FileDraft(output)
        return try CompressedForm(path: output)?.writing(to: file) ?? file
    }
}
