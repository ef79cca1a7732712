internal import Glibc

/// A headless Chromium with a temporary profile.
struct HeadlessBrowser: Sendable {
    private let process: pid_t
    private let folder: String

    /// The names of the program in Debian and other distributions.
    private static let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]

    /// The maximum length of the temporary directory's path: a socket's path has at most 107 bytes,
    /// of which Chromium needs 45.
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
                "there is no Chromium to play the payer's browser",
                hint: "apt-get install chromium"
            )
        }
        // Chromium's sandbox is disabled, because it cannot be used as root and in most containers;
        // the browser opens only pages of this machine.
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
        // A process group of its own, so that all processes of the browser can be ended together.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var process: pid_t = 0
        // Only the variables that a browser needs, since the environment may contain a key.
        var environment = environment
        // The browser creates a socket there; if the path is too long, it waits forever.
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
            throw Failure(.unavailable, "browser.not-started", "Chromium cannot be started")
        }
        return HeadlessBrowser(process: process, folder: folder)
    }

    /// Ends all processes of the browser and removes its profile.
    func close() {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        Self.remove(folder)
    }

    /// Removes a directory with its content without following links; what cannot be removed is
    /// left.
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
