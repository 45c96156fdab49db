/* Stands between a process and the kernel: counts what the process does to files below one folder, and lets one such
   operation go wrong. SQLite, Tantivy and Python alike pass here, for all of them call the C library.

   Nothing happens before fault_arm, which a process calls for itself. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATHS 4096
#define KEPT 1024

/* Kinds of operations; each is one bit, so that a fault can name those that it befalls. */
enum { OPEN = 1, MAKE = 2, READ = 4, WRITE = 8, SYNC = 16, LINK = 32, REMOVE = 64, FOLDER = 128, CUT = 256, ATTR = 512, LIST = 1024, LOCK = 2048 };
/* What happens at the operation. */
enum { COUNT = 0, KILL = 1, HALF = 2, ONCE = 3, ON = 4, POWER = 5, EDIT = 6 };

static atomic_int armed;
static atomic_long done;
static atomic_int hit;
static long at;
static int how, befalls, number, trace = -1;
static char below[PATHS], edited[PATHS], words[PATHS], sticky[PATHS];
static int sticky_kind;

/* Bytes that were written and not brought to the disk: a descriptor of our own on the file, and its size when synced. */
static struct { dev_t dev; ino_t ino; int fd; off_t size; } unsynced[KEPT];
static atomic_int dirty;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int is_below(const char *path) {
    size_t length = strlen(below);
    return length && !strncmp(path, below, length);
}

static void name_of(int fd, char *into) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, into, PATHS - 1);
    into[length > 0 ? length : 0] = 0;
}

static void whole_name(int folder, const char *path, char *into) {
    if (path[0] == '/') { snprintf(into, PATHS, "%s", path); return; }
    char start[PATHS];
    if (folder == AT_FDCWD) { if (syscall(SYS_getcwd, start, sizeof start) < 0) start[0] = 0; }
    else name_of(folder, start);
    snprintf(into, PATHS, "%.2000s/%.2000s", start, path);
}

static void cut_the_power(void) {
    for (int i = 0; i < dirty && i < KEPT; i++)
        if (unsynced[i].fd >= 0) syscall(SYS_ftruncate, unsynced[i].fd, unsynced[i].size);
}

static void note_write(int fd) {
    struct stat seen;
    if (how != POWER || fstat(fd, &seen) || !S_ISREG(seen.st_mode)) return;
    for (int i = 0; i < dirty && i < KEPT; i++)
        if (unsynced[i].dev == seen.st_dev && unsynced[i].ino == seen.st_ino) return;
    int i = atomic_fetch_add(&dirty, 1);
    if (i >= KEPT) return;
    unsynced[i].dev = seen.st_dev, unsynced[i].ino = seen.st_ino, unsynced[i].size = seen.st_size;
    unsynced[i].fd = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500);
}

static void note_sync(int fd) {
    struct stat seen;
    if (how != POWER || fstat(fd, &seen)) return;
    for (int i = 0; i < dirty && i < KEPT; i++)
        if (unsynced[i].dev == seen.st_dev && unsynced[i].ino == seen.st_ino) unsynced[i].size = seen.st_size;
}

/* Whether there was a folder to save it in. */
static int edit(void) {
    int fd = syscall(SYS_openat, AT_FDCWD, edited, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (fd < 0) return 0;
    syscall(SYS_write, fd, words, strlen(words));
    syscall(SYS_close, fd);
    return 1;
}

/* Whether the operation is to fail; errno says how. */
static int fails(int kind, const char *path) {
    if (!armed || !is_below(path)) return 0;
    long now = atomic_fetch_add(&done, 1);
    if (trace >= 0) {
        char line[PATHS + 32];
        int length = snprintf(line, sizeof line, "%d %s\n", kind, path);
        syscall(SYS_write, trace, line, length);
    }
    if (how == COUNT) return 0;
    if (how == ON && hit && (kind & befalls)) { errno = number; return 1; }
    if (how == ONCE && hit && kind == sticky_kind && !strcmp(path, sticky)) { errno = number; return 1; }
    if (now != at || !(kind & befalls)) return 0;
    hit = 1;
    switch (how) {
    case KILL: syscall(SYS_kill, getpid(), SIGKILL); break;
    case POWER: cut_the_power(); syscall(SYS_kill, getpid(), SIGKILL); break;
    case EDIT: hit = edit(); return 0;
    case ONCE: snprintf(sticky, sizeof sticky, "%s", path); sticky_kind = kind; break;
    case HALF: return 1;
    }
    errno = number;
    return 1;
}

static int fails_at(int kind, int folder, const char *path) {
    char name[PATHS];
    if (!armed) return 0;
    whole_name(folder, path, name);
    return fails(kind, name);
}

static int fails_on(int kind, int fd) {
    char name[PATHS];
    if (!armed) return 0;
    name_of(fd, name);
    return fails(kind, name);
}

/* `at_` is the number of the operation, from 0; `befalls_` the kinds that it must be of to go wrong. */
void fault_arm(const char *below_, int how_, long at_, int befalls_, int number_, int trace_) {
    snprintf(below, sizeof below, "%s", below_);
    how = how_, at = at_, befalls = befalls_, number = number_, trace = trace_;
    hit = 0;
    done = 0;
    dirty = 0;
    armed = 1;
}
void fault_edit(const char *path, const char *text) {
    snprintf(edited, sizeof edited, "%s", path);
    snprintf(words, sizeof words, "%s", text);
}
void fault_disarm(void) { armed = 0; }
int fault_hit(void) { return hit; }
long fault_count(void) { return done; }

static int kind_of_open(int flags) { return flags & (O_CREAT | O_TRUNC) ? MAKE : OPEN; }
static int opened(int folder, const char *path, int flags, mode_t mode) {
    if (fails_at(kind_of_open(flags), folder, path)) return -1;
    return syscall(SYS_openat, folder, path, flags, mode);
}
static mode_t mode_in(int flags, va_list more) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; }
#define WITH_MODE(call) va_list more; va_start(more, flags); mode_t mode = mode_in(flags, more); va_end(more); return call
int open(const char *path, int flags, ...) { WITH_MODE(opened(AT_FDCWD, path, flags, mode)); }
int open64(const char *path, int flags, ...) { WITH_MODE(opened(AT_FDCWD, path, flags, mode)); }
int openat(int folder, const char *path, int flags, ...) { WITH_MODE(opened(folder, path, flags, mode)); }
int openat64(int folder, const char *path, int flags, ...) { WITH_MODE(opened(folder, path, flags, mode)); }
DIR *opendir(const char *path) { return fails_at(LIST, AT_FDCWD, path) ? NULL : REAL(opendir)(path); }

ssize_t read(int fd, void *into, size_t size) { return fails_on(READ, fd) ? -1 : syscall(SYS_read, fd, into, size); }
ssize_t pread64(int fd, void *into, size_t size, off_t from) { return fails_on(READ, fd) ? -1 : syscall(SYS_pread64, fd, into, size, from); }
ssize_t pread(int fd, void *into, size_t size, off_t from) { return pread64(fd, into, size, from); }

/* A disk that is full takes what there is room for first, and a process that is killed has written what it had. */
static int is_short(int fd, size_t *size) {
    int before = hit;
    if (!fails_on(WRITE, fd)) { if (armed) note_write(fd); return 0; }
    if (how == HALF || (how == ON && !before && *size > 1)) { *size /= 2; return how == HALF ? 2 : 0; }
    return 1;
}
static ssize_t then(int was, ssize_t written) {
    if (was == 2) syscall(SYS_kill, getpid(), SIGKILL);
    return written;
}
ssize_t write(int fd, const void *from, size_t size) {
    int was = armed ? is_short(fd, &size) : 0;
    return was == 1 ? -1 : then(was, syscall(SYS_write, fd, from, size));
}
ssize_t pwrite64(int fd, const void *from, size_t size, off_t to) {
    int was = armed ? is_short(fd, &size) : 0;
    return was == 1 ? -1 : then(was, syscall(SYS_pwrite64, fd, from, size, to));
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t to) { return pwrite64(fd, from, size, to); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!armed) return syscall(SYS_writev, fd, parts, count);
    return count > 0 ? write(fd, parts[0].iov_base, parts[0].iov_len) : 0;
}

int fsync(int fd) {
    if (fails_on(SYNC, fd)) return -1;
    int result = syscall(SYS_fsync, fd);
    if (armed) note_sync(fd);
    return result;
}
int fdatasync(int fd) {
    if (fails_on(SYNC, fd)) return -1;
    int result = syscall(SYS_fdatasync, fd);
    if (armed) note_sync(fd);
    return result;
}
int ftruncate64(int fd, off_t size) { if (fails_on(CUT, fd)) return -1; if (armed) note_write(fd); return syscall(SYS_ftruncate, fd, size); }
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
int truncate(const char *path, off_t size) { return fails_at(CUT, AT_FDCWD, path) ? -1 : syscall(SYS_truncate, path, size); }

static int renamed(int from, const char *old, int to, const char *new, unsigned flags) {
    return fails_at(LINK, to, new) ? -1 : syscall(SYS_renameat2, from, old, to, new, flags);
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return renamed(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) { return renamed(from, old, to, new, flags); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
    return fails_at(LINK, to, new) ? -1 : syscall(SYS_linkat, from, old, to, new, flags);
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
int symlinkat(const char *to, int folder, const char *path) { return fails_at(LINK, folder, path) ? -1 : syscall(SYS_symlinkat, to, folder, path); }
int symlink(const char *to, const char *path) { return symlinkat(to, AT_FDCWD, path); }
int unlinkat(int folder, const char *path, int flags) { return fails_at(REMOVE, folder, path) ? -1 : syscall(SYS_unlinkat, folder, path, flags); }
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdirat(int folder, const char *path, mode_t mode) { return fails_at(FOLDER, folder, path) ? -1 : syscall(SYS_mkdirat, folder, path, mode); }
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int fchmod(int fd, mode_t mode) { return fails_on(ATTR, fd) ? -1 : syscall(SYS_fchmod, fd, mode); }
int chmod(const char *path, mode_t mode) { return fails_at(ATTR, AT_FDCWD, path) ? -1 : syscall(SYS_fchmodat, AT_FDCWD, path, mode); }
int fchmodat(int folder, const char *path, mode_t mode, int flags) { return fails_at(ATTR, folder, path) ? -1 : syscall(SYS_fchmodat, folder, path, mode); }
int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
    return fails_at(ATTR, folder, path) ? -1 : syscall(SYS_utimensat, folder, path, times, flags);
}
int flock(int fd, int operation) { return fails_on(LOCK, fd) ? -1 : syscall(SYS_flock, fd, operation); }
