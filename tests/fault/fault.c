/* Preloaded into a process: what it does to the files in one folder is written down, and can be made to fail.
 *
 * FAULT_FOLDER names the folder. torture_trace(path) begins a trace: a header of five 64-bit numbers (operation,
 * file's name length, offset, data length, 0), then the name and the data. torture_arm(n, code, for_ever) has the
 * n-th write or sync from now fail with that errno, and every later one too if asked to; torture_count() says
 * how many there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC = 3, CREATE = 4, UNLINK = 5, RENAME = 6 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static long long done, fails_at;
static int failure, fails_for_ever;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The file's path below the folder, or NULL where it is somewhere else. */
static const char *below(const char *path) {
    static const char *folder;
    if (!folder) folder = getenv("FAULT_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || !path || strncmp(path, folder, length)) return NULL;
    if (path[length] == 0) return ".";
    return path[length] == '/' ? path + length + 1 : NULL;
}

static const char *name_of(int fd, char *buffer) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length < 0) return NULL;
    buffer[length] = 0;
    return below(buffer);
}

static void put(const void *data, size_t length) {
    for (const char *at = data; length;) {
        ssize_t written = REAL(write)(trace, at, length);
        if (written <= 0) abort();
        at += written, length -= (size_t)written;
    }
}

static void tell(int operation, const char *name, int64_t offset, const void *data, size_t length) {
    if (trace < 0) return;
    int64_t header[5] = {operation, (int64_t)strlen(name), offset, (int64_t)length, 0};
    pthread_mutex_lock(&lock);
    put(header, sizeof header), put(name, strlen(name)), put(data, length);
    pthread_mutex_unlock(&lock);
}

/* Whether this operation is one that has to fail; then errno says how. */
static int fails(void) {
    pthread_mutex_lock(&lock);
    done += 1;
    int is_it = fails_at && (done == fails_at || (fails_for_ever && done > fails_at));
    pthread_mutex_unlock(&lock);
    if (is_it) errno = failure;
    return is_it;
}

void torture_trace(const char *path) {
    trace = REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}
void torture_arm(long long n, int code, int for_ever) {
    done = 0, fails_at = n, failure = code, fails_for_ever = for_ever;
}
long long torture_count(void) { return done; }

static ssize_t written(int fd, const void *data, size_t length, off64_t offset, int is_at) {
    char path[PATH_MAX];
    const char *name = name_of(fd, path);
    if (name && fails()) return -1;
    if (name && !is_at) offset = lseek64(fd, 0, SEEK_CUR);
    ssize_t result = is_at ? REAL(pwrite64)(fd, data, length, offset) : REAL(write)(fd, data, length);
    if (name && result > 0) tell(WRITE, name, offset, data, (size_t)result);
    return result;
}
ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return written(fd, data, length, at, 1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) { return written(fd, data, length, at, 1); }

static int truncated(int fd, off64_t length) {
    char path[PATH_MAX];
    const char *name = name_of(fd, path);
    if (name && fails()) return -1;
    int result = REAL(ftruncate64)(fd, length);
    if (name && !result) tell(TRUNCATE, name, length, "", 0);
    return result;
}
int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }

static int synced(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    const char *name = name_of(fd, path);
    if (name && fails()) return -1;
    int result = real(fd);
    if (name && !result) tell(SYNC, name, 0, "", 0);
    return result;
}
int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

static int opened(const char *path, int flags, mode_t mode) {
    const char *name = below(path);
    struct stat found;
    int is_new = name && (flags & O_CREAT) && stat(path, &found) != 0;
    if (is_new && fails()) return -1;
    int result = REAL(open64)(path, flags, mode);
    if (is_new && result >= 0) tell(CREATE, name, 0, "", 0);
    return result;
}
#define OPENED                                                                                                \
    va_list rest;                                                                                             \
    va_start(rest, flags);                                                                                    \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                 \
    va_end(rest);                                                                                             \
    return opened(path, flags, mode)
int open(const char *path, int flags, ...) { OPENED; }
int open64(const char *path, int flags, ...) { OPENED; }

int unlink(const char *path) {
    const char *name = below(path);
    if (name && fails()) return -1;
    int result = REAL(unlink)(path);
    if (name && !result) tell(UNLINK, name, 0, "", 0);
    return result;
}
int rename(const char *from, const char *to) {
    const char *name = below(from), *target = below(to);
    if (name && fails()) return -1;
    int result = REAL(rename)(from, to);
    if (name && target && !result) tell(RENAME, name, 0, target, strlen(target));
    return result;
}
