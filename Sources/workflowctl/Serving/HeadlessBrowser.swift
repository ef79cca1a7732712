internal import Adapters
internal import EventLog
internal import Glibc

/// A Chromium without a window, with a temporary profile.
struct HeadlessBrowser: Sendable {
    private let process: pid_t
    private let folder: String

    /// Its names in Debian and other distributions.
    private static let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]

    /// The maximum length of the path of a temporary folder: a socket's path has 107 bytes, of
    /// which Chromium needs 45.
    private static let longestTemporaryFolder = 62

    /// Finds the program in the search path.
    static func path(in environment: [String: String]) -> String? {
        for folder in (environment["PATH"] ?? "").pieces(between: ":") {
            for name in names where access("\(folder)/\(name)", X_OK) == 0 {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    /// Opens a page.
    ///
    /// `folder` is an empty folder for the profile.
    static func open(
        _ url: String,
        profile folder: String,
        environment: [String: String]
    ) throws(Failure) -> HeadlessBrowser {
        guard let program = path(in: environment) else {
            throw Failure(
                .unavailable,
                "browser.missing",
                "Chromium, which acts as the payer's browser, was not found",
                hint: "install it with 'apt-get install chromium'"
            )
        }
        // Without its own sandbox, which does not work for root and in most containers: it shows
        // only pages of this machine.
        let arguments = [
            program, "--headless=new", "--disable-gpu", "--no-sandbox", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
            "--remote-debugging-port=0", "--user-data-dir=\(folder)", url,
        ]
        // Only what a browser needs: the environment may contain a key.
        var environment = environment
        // If the path of the socket that it creates there is too long, it waits forever.
        if let folder = environment["TMPDIR"], folder.utf8.count > longestTemporaryFolder {
            environment["TMPDIR"] = nil
        }
        do throws(ChildProcess.Failure) {
            let process = try ChildProcess.start(
                arguments,
                input: nil,
                output: nil,
                diagnostics: nil,
                variables: ChildProcess.variables(
                    of: environment,
                    named: ["PATH", "HOME", "LANG", "TMPDIR"]
                ),
                hasOwnGroup: true
            )
            return HeadlessBrowser(process: process, folder: folder)
        } catch {
            throw Failure(.unavailable, "browser.not-started", "Chromium could not be started")
        }
    }

    /// Ends the browser with all of its processes, and deletes its profile.
    func close() {
        ChildProcess.end(process)
        Self.remove(folder)
    }

    /// Removes a folder and its contents without following links, ignoring failures.
    private static func remove(_ folder: String) {
        guard let entries = opendir(folder) else { return }
        defer {
            closedir(entries)
            rmdir(folder)
        }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = folder + "/" + name
            if unlink(path) != 0 { remove(path) }
        }
    }
}
