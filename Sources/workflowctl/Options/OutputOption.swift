internal import ArgumentParser

/// The output file of a command.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The output file, or - for standard output.", valueName: "file")
    )
    var output = "-"

    /// Whether the output is a file and not standard output.
    var isFile: Bool { output != "-" }

    /// Writes bytes from memory as a whole; only its owner can read a file.
    func write(
        _ bytes: [UInt8],
        isJSON: Bool = false,
        in invocation: Invocation
    ) throws(Failure) {
        if isFile {
            try FileDraft.write(bytes, to: output)
        } else {
            invocation.output.write(document: bytes, isJSON: isJSON)
        }
    }

    /// Returns a sink for the output, which is compressed according to the file's extension.
    func sink(in invocation: Invocation) throws(Failure) -> any ByteSink {
        guard isFile else { return OutputSink(invocation) }
        let file = try FileDraft(output)
        return try CompressedForm(path: output)?.writing(to: file) ?? file
    }
}
