#include "bare_client.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct exchange {
    CURL *easy;
    char *body;
    size_t length, capacity;
};

struct client {
    uv_loop_t loop;
    uv_timer_t timer;
    CURLM *multi;
    struct exchange *exchanges;
    const char *url;
    long to_start;
    struct bare_result *result;
};

struct watched {
    uv_poll_t poll;
    curl_socket_t socket;
    struct client *client;
};

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    struct exchange *exchange = context;
    size_t length = size * count;
    if (exchange->length + length > exchange->capacity) {
        size_t capacity = (exchange->length + length) * 2;
        char *body = realloc(exchange->body, capacity);
        if (!body) return 0;
        exchange->body = body;
        exchange->capacity = capacity;
    }
    memcpy(exchange->body + exchange->length, bytes, length);
    exchange->length += length;
    return length;
}

static void start(struct client *client, struct exchange *exchange) {
    if (client->to_start == 0) return;
    client->to_start--;
    exchange->length = 0;
    curl_multi_add_handle(client->multi, exchange->easy);
}

static void collect(struct client *client) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(client->multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL *easy = message->easy_handle;
        CURLcode code = message->data.result;
        struct exchange *exchange;
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&exchange);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (code == CURLE_OK && status == 200) client->result->succeeded++;
        else client->result->failed++;
        client->result->bytes += (long)exchange->length;
        curl_multi_remove_handle(client->multi, easy);
        start(client, exchange);
    }
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    struct watched *watched = poll->data;
    struct client *client = watched->client;
    int flags = 0, running;
    if (status < 0) flags = CURL_CSELECT_ERR;
    if (events & UV_READABLE) flags |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE) flags |= CURL_CSELECT_OUT;
    curl_multi_socket_action(client->multi, watched->socket, flags, &running);
    collect(client);
}

static void on_timer(uv_timer_t *timer) {
    struct client *client = timer->data;
    int running;
    curl_multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    collect(client);
}

static int set_timer(CURLM *multi, long milliseconds, void *context) {
    struct client *client = context;
    (void)multi;
    if (milliseconds < 0) uv_timer_stop(&client->timer);
    else uv_timer_start(&client->timer, on_timer, (uint64_t)milliseconds, 0);
    return 0;
}

static void on_closed(uv_handle_t *handle) { free(handle->data); }

static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    struct client *client = context;
    struct watched *watched = known;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (watched) {
            uv_poll_stop(&watched->poll);
            curl_multi_assign(client->multi, socket, NULL);
            uv_close((uv_handle_t *)&watched->poll, on_closed);
        }
        return 0;
    }
    if (!watched) {
        watched = calloc(1, sizeof *watched);
        if (!watched) return -1;
        watched->socket = socket;
        watched->client = client;
        watched->poll.data = watched;
        uv_poll_init_socket(&client->loop, &watched->poll, socket);
        watched->poll.data = watched;
        curl_multi_assign(client->multi, socket, watched);
    }
    int events = 0;
    if (what != CURL_POLL_OUT) events |= UV_READABLE;
    if (what != CURL_POLL_IN) events |= UV_WRITABLE;
    uv_poll_start(&watched->poll, events, on_poll);
    return 0;
}

static int prepare(struct client *client, struct exchange *exchange) {
    CURL *easy = curl_easy_init();
    if (!easy) return -1;
    exchange->easy = easy;
    curl_easy_setopt(easy, CURLOPT_URL, client->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    return 0;
}

int bare_client_run(const char *url, int concurrency, long requests, struct bare_result *result) {
    struct client client = {.url = url, .to_start = requests, .result = result};
    memset(result, 0, sizeof *result);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (uv_loop_init(&client.loop)) return -1;
    client.multi = curl_multi_init();
    client.exchanges = calloc((size_t)concurrency, sizeof *client.exchanges);
    if (!client.multi || !client.exchanges) return -1;
    uv_timer_init(&client.loop, &client.timer);
    client.timer.data = &client;
    curl_multi_setopt(client.multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(client.multi, CURLMOPT_SOCKETDATA, &client);
    curl_multi_setopt(client.multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(client.multi, CURLMOPT_TIMERDATA, &client);
    curl_multi_setopt(client.multi, CURLMOPT_MAXCONNECTS, (long)concurrency);
    int prepared = 0;
    for (; prepared < concurrency; prepared++) {
        if (prepare(&client, &client.exchanges[prepared])) break;
        start(&client, &client.exchanges[prepared]);
    }
    uv_run(&client.loop, UV_RUN_DEFAULT);
    for (int i = 0; i < prepared; i++) {
        curl_easy_cleanup(client.exchanges[i].easy);
        free(client.exchanges[i].body);
    }
    curl_multi_cleanup(client.multi);
    uv_close((uv_handle_t *)&client.timer, NULL);
    uv_run(&client.loop, UV_RUN_DEFAULT);
    uv_loop_close(&client.loop);
    free(client.exchanges);
    return 0;
}
