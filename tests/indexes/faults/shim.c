/* Calls to the file system under one folder: recorded, or made to fail.

   LD_PRELOADed. SHIM_FOLDER is the folder (absolute, resolved). With SHIM_LOG every call that
   changes something there is appended to that file, in the order of the calls:

       u8 kind, u32 handle, u64 offset, u32 length, bytes

   handle: counts the opens; offset: of a write, or the size of a truncation; bytes: what was
   written, or the path (a rename has two, with a 0 between them).

   fail_from(at, count, error, kinds, torn) makes the at-th call from now of the given kinds fail,
   and count - 1 after it (count 0: all after it); torn lets half of the first failing write
   through. calls_seen() is the number of calls of these kinds since then. */

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
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 'O', CREATE = 'C', TRUNCATE_OPEN = 'E', WRITE = 'W', TRUNCATE = 'T', SYNC = 'S',
       RENAME = 'R', EXCHANGE = 'Y', UNLINK = 'U', MKDIR = 'M', RMDIR = 'X' };
enum { FAIL_WRITES = 1, FAIL_SYNCS = 2, FAIL_NAMES = 4 };
enum { FDS = 65536 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int log_fd = -1;
static uint32_t handles[FDS], last_handle;
static long seen, fail_at, fail_count;
static int fail_errno, fail_kinds, fail_torn;

static void forked(void) { pthread_mutex_init(&mutex, NULL); }

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("SHIM_FOLDER"), *log = getenv("SHIM_LOG");
    if (name) {
        strncpy(folder, name, sizeof folder - 1);
        folder_length = strlen(folder);
    }
    if (log)
        log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    pthread_atfork(NULL, NULL, forked);
}

void fail_from(long at, long count, int error, int kinds, int torn)
{
    pthread_mutex_lock(&mutex);
    seen = 0;
    fail_at = at, fail_count = count, fail_errno = error, fail_kinds = kinds, fail_torn = torn;
    pthread_mutex_unlock(&mutex);
}

long calls_seen(void) { return seen; }

/* Whether this call is to fail; counts it. Called with the mutex. */
static int fails(int kind)
{
    if (!(kind & fail_kinds))
        return 0;
    seen++;
    return fail_at && seen >= fail_at && (!fail_count || seen < fail_at + fail_count);
}

static void note(char kind, uint32_t handle, uint64_t offset, const void *bytes, uint32_t length)
{
    if (log_fd < 0)
        return;
    unsigned char head[17];
    head[0] = kind;
    memcpy(head + 1, &handle, 4);
    memcpy(head + 5, &offset, 8);
    memcpy(head + 13, &length, 4);
    struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, length}};
    if (syscall(SYS_writev, log_fd, parts, 2) != (long)(sizeof head + length))
        abort();
}

static int resolved(int at, const char *path, char *out)
{
    char base[PATH_MAX] = "";
    if (path[0] != '/') {
        if (at == AT_FDCWD) {
            if (!getcwd(base, sizeof base))
                return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", at);
            ssize_t length = readlink(link, base, sizeof base - 1);
            if (length < 0)
                return 0;
            base[length] = 0;
        }
    }
    if (snprintf(out, PATH_MAX, "%s%s%s", base, base[0] ? "/" : "", path) >= PATH_MAX)
        return 0;
    return folder_length && !strncmp(out, folder, folder_length)
           && (out[folder_length] == '/' || !out[folder_length]);
}

static uint32_t handle_of(int fd) { return fd >= 0 && fd < FDS ? handles[fd] : 0; }

/* What is written goes to the file itself: descriptors are duplicated by nobody here. */
static int do_open(int at, const char *path, int flags, mode_t mode)
{
    char full[PATH_MAX];
    if (!resolved(at, path, full)) {
        int fd = syscall(SYS_openat, at, path, flags, mode);
        if (fd >= 0 && fd < FDS)
            handles[fd] = 0;
        return fd;
    }
    pthread_mutex_lock(&mutex);
    struct stat before;
    int is_new = (flags & O_CREAT) && fstatat(at, path, &before, 0) != 0;
    int fd = -1;
    if (is_new && fails(FAIL_NAMES))
        errno = fail_errno;
    else
        fd = syscall(SYS_openat, at, path, flags, mode);
    int error = errno;
    if (fd >= 0 && fd < FDS) {
        handles[fd] = ++last_handle;
        char kind = is_new ? CREATE : (flags & O_TRUNC) ? TRUNCATE_OPEN : OPEN;
        note(kind, handles[fd], 0, full, strlen(full));
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return fd;
}

#define MODE mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); \
        mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...) { MODE return do_open(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...)
{ MODE return do_open(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return do_open(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...)
{ MODE return do_open(at, path, flags | O_LARGEFILE, mode); }

int close(int fd)
{
    if (fd >= 0 && fd < FDS)
        handles[fd] = 0;
    return syscall(SYS_close, fd);
}

static ssize_t do_write(int fd, const void *data, size_t size, off_t offset, int positioned)
{
    uint32_t handle = handle_of(fd);
    if (!handle)
        return positioned ? syscall(SYS_pwrite64, fd, data, size, offset)
                          : syscall(SYS_write, fd, data, size);
    pthread_mutex_lock(&mutex);
    ssize_t done = -1;
    int failing = fails(FAIL_WRITES);
    if (failing && fail_torn && seen == fail_at && size > 1)
        size /= 2, failing = 0;
    if (failing)
        errno = fail_errno;
    else
        done = positioned ? syscall(SYS_pwrite64, fd, data, size, offset)
                          : syscall(SYS_write, fd, data, size);
    int error = errno;
    if (done > 0) {
        uint64_t start = positioned ? offset : (uint64_t)lseek(fd, 0, SEEK_CUR) - done;
        note(WRITE, handle, start, data, done);
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *data, size_t size) { return do_write(fd, data, size, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{ return do_write(fd, data, size, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{ return do_write(fd, data, size, offset, 1); }

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    if (!handle_of(fd))
        return syscall(SYS_writev, fd, parts, count);
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = do_write(fd, parts[i].iov_base, parts[i].iov_len, 0, 0);
        if (done < 0)
            return total ? total : -1;
        total += done;
        if ((size_t)done < parts[i].iov_len)
            break;
    }
    return total;
}

static int do_truncate(int fd, off_t size)
{
    uint32_t handle = handle_of(fd);
    if (!handle)
        return syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&mutex);
    int done = syscall(SYS_ftruncate, fd, size), error = errno;
    if (!done)
        note(TRUNCATE, handle, size, "", 0);
    pthread_mutex_unlock(&mutex);
    errno = error;
    return done;
}

int ftruncate(int fd, off_t size) { return do_truncate(fd, size); }
int ftruncate64(int fd, off64_t size) { return do_truncate(fd, size); }

static int do_sync(int fd, long call)
{
    uint32_t handle = handle_of(fd);
    if (!handle)
        return syscall(call, fd);
    pthread_mutex_lock(&mutex);
    int done = -1;
    if (fails(FAIL_SYNCS))
        errno = fail_errno;
    else
        done = log_fd < 0 ? syscall(call, fd) : 0; /* the replay decides what is lost */
    int error = errno;
    if (!done)
        note(SYNC, handle, 0, "", 0);
    pthread_mutex_unlock(&mutex);
    errno = error;
    return done;
}

int fsync(int fd) { return do_sync(fd, SYS_fsync); }
int fdatasync(int fd) { return do_sync(fd, SYS_fdatasync); }

static int named(char kind, int at, const char *path, long call, int argument)
{
    char full[PATH_MAX];
    if (!resolved(at, path, full))
        return syscall(call, at, path, argument);
    pthread_mutex_lock(&mutex);
    int done = -1;
    if (kind == MKDIR && fails(FAIL_NAMES))
        errno = fail_errno;
    else
        done = syscall(call, at, path, argument);
    int error = errno;
    if (!done)
        note(kind, 0, 0, full, strlen(full));
    pthread_mutex_unlock(&mutex);
    errno = error;
    return done;
}

int unlink(const char *path) { return named(UNLINK, AT_FDCWD, path, SYS_unlinkat, 0); }
int rmdir(const char *path) { return named(RMDIR, AT_FDCWD, path, SYS_unlinkat, AT_REMOVEDIR); }
int unlinkat(int at, const char *path, int flags)
{ return named(flags & AT_REMOVEDIR ? RMDIR : UNLINK, at, path, SYS_unlinkat, flags); }
int mkdir(const char *path, mode_t mode) { return named(MKDIR, AT_FDCWD, path, SYS_mkdirat, mode); }
int mkdirat(int at, const char *path, mode_t mode)
{ return named(MKDIR, at, path, SYS_mkdirat, mode); }

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    char both[2 * PATH_MAX], full[PATH_MAX];
    int ours = resolved(from_at, from, both);
    if (!resolved(to_at, to, full) && !ours)
        return syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    pthread_mutex_lock(&mutex);
    int done = -1;
    if (fails(FAIL_NAMES))
        errno = fail_errno;
    else
        done = syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    int error = errno;
    if (!done) {
        size_t length = strlen(both);
        memcpy(both + length + 1, full, strlen(full));
        note(flags & RENAME_EXCHANGE ? EXCHANGE : RENAME, 0, 0, both, length + 1 + strlen(full));
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return done;
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{ return renameat2(from_at, from, to_at, to, 0); }
int rename(const char *from, const char *to)
{ return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }
