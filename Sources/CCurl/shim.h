#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, and Swift can't call
// variadic functions, so there is one wrapper for each type of argument.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_url(CURL *easy, CURLU *value) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, value);
}
static inline CURLcode ccurl_set_write(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode ccurl_set_progress(CURL *easy, curl_xferinfo_callback value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_private(CURL *easy, void **value) {
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, value);
}
static inline CURLMcode ccurl_multi_set_socket(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
static inline CURLMcode ccurl_multi_set_timer(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}
static inline CURLMcode ccurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The result is in a union, which Swift can read only unsafely.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

// CURL_GLOBAL_DEFAULT is an expression macro, which Swift does not import.
static inline CURLcode ccurl_global_start(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// CURL_SOCKET_BAD is -1 or, elsewhere, another macro, which Swift does not import.
static inline curl_socket_t ccurl_socket_bad(void) {
    return CURL_SOCKET_BAD;
}

// CURL_SOCKET_TIMEOUT is a cast macro, which Swift does not import.
static inline curl_socket_t ccurl_socket_timeout(void) {
    return CURL_SOCKET_TIMEOUT;
}

#endif
