#ifndef BARE_CLIENT_H
#define BARE_CLIENT_H

// A plain HTTP client: libcurl's multi interface on a libuv loop, nothing else. It is what the
// transport is measured against, so it does only what any such client must: keep-alive, bodies
// collected in memory, results counted.

// What a run gave.
struct bare_result {
    long succeeded;    // answers with status 200
    long failed;       // everything else
    long bytes;        // of all bodies
};

// Performs so many GET requests of one address, so many of them at the same time, on the calling
// thread. Returns 0, or -1 when libcurl or libuv could not be set up.
int bare_client_run(const char *url, int concurrency, long requests, struct bare_result *result);

#endif
