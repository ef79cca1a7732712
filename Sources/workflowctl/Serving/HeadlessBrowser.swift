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
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(
                &actions,
                descriptor,
                "/dev/null",
                descriptor == 0 ? O_RDONLY : O_WRONLY,
                0
            )
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In a process group of its own, so that all of its processes end together.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var process: pid_t = 0
        // Only what a browser needs: the environment may contain a key.
        var environment = environment
        // If the path of the socket that it creates there is too long, it waits forever.
        if let folder = environment["TMPDIR"], folder.utf8.count > longestTemporaryFolder {
            environment["TMPDIR"] = nil
        }
        let variables = ["PATH", "HOME", "LANG", "TMPDIR"].compactMap { name in
            environment[name].map { "\(name)=\($0)" }
        }
        let code = CStrings.with(arguments) { arguments in
            CStrings.with(variables) { variables in
                posix_spawn(&process, program, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else {
            throw Failure(.unavailable, "browser.not-started", "Chromium could not be started")
        }
        return HeadlessBrowser(process: process, folder: folder)
    }

    /// Ends the browser with all of its processes, and deletes its profile.
    func close() {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
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
