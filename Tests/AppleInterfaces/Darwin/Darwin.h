// SPDX-License-Identifier: Apache-2.0

// The part of Apple's C library that Linnet uses: names from POSIX and the C standard with their types on Apple's systems. As there, only
// the thread functions are annotated for null pointers. Values of constants do not matter, because Scripts/Check/apple runs nothing.

#ifndef DARWIN_H
#define DARWIN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int64_t off_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef unsigned int nfds_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;

struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };

// Errors
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define EAFNOSUPPORT 47
#define ENETUNREACH 51
#define ECONNRESET 54
#define ENOBUFS 55
#define EISCONN 56
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define EHOSTUNREACH 65
#define EDQUOT 69
#define ENOTSUP 45
char *strerror(int error);
int strerror_r(int error, char *text, size_t size);

// Files
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_ACCMODE 3
#define O_NONBLOCK 4
#define O_APPEND 8
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_CLOEXEC 0x1000000
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define PATH_MAX 1024
#define S_IFMT ((mode_t)0170000)
#define S_IFIFO ((mode_t)0010000)
#define S_IFDIR ((mode_t)0040000)
#define S_IFLNK ((mode_t)0120000)
#define S_IFREG ((mode_t)0100000)
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
};
int stat(const char *path, struct stat *status);
struct statvfs {
    unsigned long f_bsize, f_frsize;
    uint32_t f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
    unsigned long f_fsid, f_flag, f_namemax;
};
int statvfs(const char *path, struct statvfs *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int close(int descriptor);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t write(int descriptor, const void *buffer, size_t count);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset);
off_t lseek(int descriptor, off_t offset, int origin);
int access(const char *path, int mode);
int chmod(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
mode_t umask(mode_t mask);
int ftruncate(int descriptor, off_t size);
int fsync(int descriptor);
int link(const char *path, const char *new_path);
int mkdir(const char *path, mode_t mode);
int rmdir(const char *path);
int rename(const char *path, const char *new_path);
int unlink(const char *path);
int mkstemp(char *name);
char *getcwd(char *path, size_t size);
#define AT_SYMLINK_NOFOLLOW 0x0020
int fstatat(int folder, const char *path, struct stat *status, int flags);
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int descriptor, int operation);
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
#define RLIMIT_NOFILE 8
int getrlimit(int resource, struct rlimit *limit);
int dup(int descriptor);
int dup2(int descriptor, int target);
int pipe(int *descriptors);
int isatty(int descriptor);
char *realpath(const char *path, char *resolved);
ssize_t readlink(const char *path, char *text, size_t size);
pid_t getpid(void);
uid_t geteuid(void);

// Folders
struct dirent { ino_t d_ino; uint64_t d_seekoff; uint16_t d_reclen; uint16_t d_namlen; uint8_t d_type; char d_name[1024]; };
typedef struct _telldir DIR;
#define DT_DIR 4
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
int dirfd(DIR *folder);

// Memory, strings, environment
void *malloc(size_t size);
void free(void *memory);
void *memcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);
int memcmp(const void *one, const void *other, size_t count);
size_t strlen(const char *text);
char *strdup(const char *text);
double strtod(const char *text, char **end);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
void exit(int status) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

// Standard streams
typedef struct __sFILE FILE;
extern FILE *__stdinp, *__stdoutp, *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp
#define EOF (-1)
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
size_t fread(void *memory, size_t size, size_t count, FILE *file);
int fflush(FILE *file);
int fputs(const char *text, FILE *file);
size_t fwrite(const void *memory, size_t size, size_t count, FILE *file);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);

// Waiting
struct pollfd { int fd; short events; short revents; };
#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
int poll(struct pollfd *descriptors, nfds_t count, int milliseconds);
typedef uint32_t useconds_t;
int usleep(useconds_t microseconds);
unsigned int sleep(unsigned int seconds);

// Time
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);
time_t time(time_t *time);
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; char *tm_zone; };
struct tm *gmtime_r(const time_t *time, struct tm *result);
time_t timegm(struct tm *time);
struct tm *localtime_r(const time_t *time, struct tm *result);
time_t mktime(struct tm *time);
size_t strftime(char *text, size_t size, const char *format, const struct tm *time);
typedef struct mach_timebase_info { uint32_t numer; uint32_t denom; } mach_timebase_info_data_t;
typedef int kern_return_t;
kern_return_t mach_timebase_info(mach_timebase_info_data_t *info);
uint64_t mach_absolute_time(void);

// Signals
typedef uint32_t sigset_t;
struct __siginfo;
union __sigaction_u {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, struct __siginfo *, void *);
};
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGPIPE 13
#define SIGTERM 15
#define SIGTSTP 18
#define SIGCONT 19
#define SIGXFSZ 25
#define SIGWINCH 28
#define SIGUSR1 30
#define SA_RESTART 2
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
typedef void (*sig_t)(int);
sig_t signal(int signal, sig_t handler);
int sigaction(int signal, const struct sigaction *action, struct sigaction *old);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int signal);
int sigwait(const sigset_t *set, int *signal);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int raise(int signal);
int kill(pid_t process, int signal);

#pragma clang assume_nonnull begin
// Threads
typedef struct _opaque_pthread_t { long __sig; char __opaque[8176]; } __darwin_pthread_t;
typedef __darwin_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; } pthread_attr_t;
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes, void *_Nullable (*_Nonnull start)(void *),
    void *_Nullable argument);
int pthread_join(pthread_t thread, void *_Nullable *_Nullable result);
int pthread_detach(pthread_t thread);
pthread_t pthread_self(void);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_setname_np(const char *name);
#pragma clang assume_nonnull end
#define _SC_NPROCESSORS_ONLN 58
#define _SC_NPROCESSORS_CONF 57
long sysconf(int name);

// Terminals
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
#define NCCS 20
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_cc[NCCS]; speed_t c_ispeed, c_ospeed; };
#define ICANON 0x100
#define ECHO 8
#define VMIN 16
#define VTIME 17
#define TCSANOW 0
#define TCSAFLUSH 2
int tcgetattr(int descriptor, struct termios *settings);
int tcsetattr(int descriptor, int when, const struct termios *settings);
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x40087468UL
int tcgetpgrp(int descriptor);
pid_t getpgrp(void);

// Sockets
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { uint8_t ss_len; sa_family_t ss_family; char __ss_pad1[6]; int64_t __ss_align; char __ss_pad2[112]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    char *ai_canonname;
    struct sockaddr *ai_addr;
    struct addrinfo *ai_next;
};
#define AF_UNSPEC 0
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define IPPROTO_TCP 6
#define TCP_NODELAY 1
#define TCP_KEEPALIVE 0x10
#define SOL_SOCKET 0xffff
#define SO_KEEPALIVE 8
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define SO_NWRITE 0x1024
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define AI_PASSIVE 1
#define AI_ADDRCONFIG 0x400
#define AI_NUMERICSERV 0x1000
#define EAI_AGAIN 2
#define EAI_NONAME 8
#define EAI_SYSTEM 11
#define NI_NUMERICHOST 2
#define NI_NUMERICSERV 8
#define NI_MAXHOST 1025
#define MSG_NOSIGNAL 0x80000
#define MSG_PEEK 2
int socket(int family, int type, int protocol);
int connect(int descriptor, const struct sockaddr *address, socklen_t size);
int bind(int descriptor, const struct sockaddr *address, socklen_t size);
ssize_t send(int descriptor, const void *buffer, size_t count, int flags);
ssize_t recv(int descriptor, void *buffer, size_t count, int flags);
int shutdown(int descriptor, int how);
int setsockopt(int descriptor, int level, int name, const void *value, socklen_t size);
int getsockopt(int descriptor, int level, int name, void *value, socklen_t *size);
int getsockname(int descriptor, struct sockaddr *address, socklen_t *size);
int getaddrinfo(
    const char *host, const char *service, const struct addrinfo *hints,
    struct addrinfo **result);
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int error);
int getnameinfo(
    const struct sockaddr *address, socklen_t size, char *host, socklen_t host_size, char *service,
    socklen_t service_size, int flags);

// Mathematics
double atan(double), cos(double), exp(double), exp2(double), log(double), log10(double), log2(double), pow(double, double), sin(double), tan(double);
float cosf(float), log10f(float), powf(float, float), sqrtf(float), hypotf(float, float), log2f(float), sinf(float), expf(float), logf(float);
double hypot(double, double);
#endif
