// Time. What the clocks say is an input. Calendar time is exact; the time zone is an
// input, too: for each conversion, how far local time is ahead of UTC (at most a day) and
// whether it is summer time. The ranges that follow are stated where engines would have
// to divide to find them.

//@ time
// -1, or a second from the epoch to the end of the kernel's clock in 2262.
long __cairn_input_time(void);
long time(long *result) {
    long now = __cairn_input_time();
    if (now < 0 || now > 9223372036)
        now = -1;
    if (result)
        *result = now;
    return now;
}

//@ clock
// -1, or a number that never gets smaller.
long __cairn_input_clock(void);
long clock(void) {
    static long last;
    long now = __cairn_input_clock();
    if (now < last)
        return -1;
    last = now;
    return now;
}

//@ difftime
double difftime(long end, long start) {
    return end < start ? -(double)((unsigned long)start - (unsigned long)end)
                       : (double)((unsigned long)end - (unsigned long)start);
}

//@ __cairn_days
// Days from the epoch to the first of a month (0 is January), in the Gregorian calendar. Years
// begin in March, so that the day that is sometimes there is the last.
long long __cairn_days(long long year, int month) {
    if (month < 2)
        year--;
    long long cycle = (year >= 0 ? year : year - 399) / 400;
    int within = (int)(year - cycle * 400), from_march = (month + 10) % 12;
    return cycle * 146097 + within * 365 + within / 4 - within / 100 + (153 * from_march + 2) / 5 - 719468;
}

//@ __cairn_break_down
// Broken-down time of a second, `offset` seconds ahead of UTC; -1 with EOVERFLOW if the year is no
// `int`.
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
long long __cairn_days(long long year, int month);
int __cairn_refuse(int error);
int __cairn_break_down(long long t, long offset, int isdst, const char *zone, struct tm *tm) {
    t += offset;
    long long days = (t >= 0 ? t : t - 86399) / 86400;
    int second = (int)(t - days * 86400);
    // Days from the first of March of a year that 400 divides.
    long long from = days + 719468, cycle = (from >= 0 ? from : from - 146096) / 146097;
    int within = (int)(from - cycle * 146097);
    int year_within = (within - within / 1460 + within / 36524 - within / 146096) / 365;
    int day = within - (365 * year_within + year_within / 4 - year_within / 100);
    int from_march = (5 * day + 2) / 153;
    int month = from_march < 10 ? from_march + 2 : from_march - 10;
    long long year = cycle * 400 + year_within + (month < 2);
    if (year - 1900 != (int)(year - 1900))
        return __cairn_refuse(75); // EOVERFLOW
    int weekday = (int)((days + 4) % 7);
    tm->sec = second % 60;
    tm->min = second / 60 % 60;
    tm->hour = second / 3600;
    tm->mday = day - (153 * from_march + 2) / 5 + 1;
    tm->mon = month;
    tm->year = (int)(year - 1900);
    tm->wday = weekday < 0 ? weekday + 7 : weekday;
    tm->yday = (int)(days - __cairn_days(year, 0));
    tm->isdst = isdst;
    tm->gmtoff = offset;
    tm->zone = zone;
    __cairn_assume(tm->sec >= 0 && tm->sec <= 59 && tm->min >= 0 && tm->min <= 59 && tm->hour >= 0 && tm->hour <= 23);
    __cairn_assume(tm->mday >= 1 && tm->mday <= 31 && tm->mon >= 0 && tm->mon <= 11);
    __cairn_assume(tm->wday >= 0 && tm->wday <= 6 && tm->yday >= 0 && tm->yday <= 365);
    return 0;
}

//@ __cairn_zone
// The zone of this moment: how far ahead of UTC, and whether it is summer time.
int __cairn_input_timezone(void);
int __cairn_input_daylight(void);
long __cairn_zone(int *isdst) {
    long offset = __cairn_input_timezone();
    *isdst = __cairn_input_daylight() & 1;
    return offset < -86400 || offset > 86400 ? 0 : offset;
}

//@ gmtime_r
// Null with EOVERFLOW.
struct tm;
int __cairn_break_down(long long t, long offset, int isdst, const char *zone, struct tm *tm);
struct tm *gmtime_r(const long *t, struct tm *result) {
    return __cairn_break_down(*t, 0, 0, "GMT", result) < 0 ? 0 : result;
}

//@ localtime_r
// Null with EOVERFLOW.
struct tm;
int __cairn_break_down(long long t, long offset, int isdst, const char *zone, struct tm *tm);
long __cairn_zone(int *isdst);
struct tm *localtime_r(const long *t, struct tm *result) {
    int isdst;
    long offset = __cairn_zone(&isdst);
    return __cairn_break_down(*t, offset, isdst, "UTC", result) < 0 ? 0 : result;
}

//@ __cairn_tm
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
struct tm __cairn_tm;

//@ gmtime
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
extern struct tm __cairn_tm;
struct tm *__model_gmtime_r(const long *t, struct tm *result);
struct tm *gmtime(const long *t) {
    return __model_gmtime_r(t, &__cairn_tm);
}

//@ localtime
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
extern struct tm __cairn_tm;
struct tm *__model_localtime_r(const long *t, struct tm *result);
struct tm *localtime(const long *t) {
    return __model_localtime_r(t, &__cairn_tm);
}

//@ __cairn_second
// The second that broken-down time means, in UTC; months may be any number.
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
long long __cairn_days(long long year, int month);
long long __cairn_second(const struct tm *tm) {
    int years = tm->mon / 12, month = tm->mon % 12;
    if (month < 0) {
        month += 12;
        years--;
    }
    long long days = __cairn_days((long long)tm->year + 1900 + years, month) + tm->mday - 1;
    return days * 86400 + tm->hour * 3600LL + tm->min * 60LL + tm->sec;
}

//@ timegm
// -1 with EOVERFLOW.
struct tm;
long long __cairn_second(const struct tm *tm);
int __cairn_break_down(long long t, long offset, int isdst, const char *zone, struct tm *tm);
int __cairn_refuse(int error);
long timegm(struct tm *tm) {
    long long t = __cairn_second(tm);
    if (t != (long)t)
        return __cairn_refuse(75); // EOVERFLOW
    return __cairn_break_down(t, 0, 0, "GMT", tm) < 0 ? -1 : (long)t;
}

//@ mktime
// -1 with EOVERFLOW.
struct tm;
long long __cairn_second(const struct tm *tm);
int __cairn_break_down(long long t, long offset, int isdst, const char *zone, struct tm *tm);
long __cairn_zone(int *isdst);
int __cairn_refuse(int error);
long mktime(struct tm *tm) {
    int isdst;
    long offset = __cairn_zone(&isdst);
    long long t = __cairn_second(tm) - offset;
    if (t != (long)t)
        return __cairn_refuse(75); // EOVERFLOW
    return __cairn_break_down(t, offset, isdst, "UTC", tm) < 0 ? -1 : (long)t;
}
//@= mktime timelocal

//@ tzset
void tzset(void) {}

//@ asctime_r
// Undefined if a field is out of its range.
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
int __model_sprintf(char *buf, const char *format, ...);
char *asctime_r(const struct tm *tm, char *buf) {
    static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    __model_sprintf(buf, "%s %s%3d %.2d:%.2d:%.2d %d\n", tm->wday < 0 || tm->wday > 6 ? "???" : days[tm->wday],
                    tm->mon < 0 || tm->mon > 11 ? "???" : months[tm->mon], tm->mday, tm->hour, tm->min, tm->sec,
                    tm->year + 1900);
    return buf;
}

//@ asctime
struct tm;
char *__model_asctime_r(const struct tm *tm, char *buf);
char *asctime(const struct tm *tm) {
    static char text[80];
    return __model_asctime_r(tm, text);
}

//@ ctime_r
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
struct tm *__model_localtime_r(const long *t, struct tm *result);
char *__model_asctime_r(const struct tm *tm, char *buf);
char *ctime_r(const long *t, char *buf) {
    struct tm tm;
    return __model_localtime_r(t, &tm) ? __model_asctime_r(&tm, buf) : 0;
}

//@ ctime
char *__model_ctime_r(const long *t, char *buf);
char *ctime(const long *t) {
    static char text[80];
    return __model_ctime_r(t, text);
}

//@ strftime
// 0 if there is no room. Flags and widths, which are GNU's own, make any text.
struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
long long __cairn_second(const struct tm *tm);
char __cairn_input_strftime(void);
struct out {
    char *buf;
    size_t room, n;
};
static void put(struct out *o, char c) {
    if (o->n < o->room)
        o->buf[o->n] = c;
    o->n++;
}
static void text(struct out *o, const char *s, int most, char change) {
    for (int i = 0; i < most && s[i]; i++)
        put(o, change && s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i]);
}
static void number(struct out *o, long long value, int width, char fill) {
    char digits[24];
    int n = 0;
    unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0) {
        put(o, '-');
        width--;
    }
    for (; width > n; width--)
        put(o, fill);
    while (n > 0)
        put(o, digits[--n]);
}
// The ISO week, and the year it belongs to.
static int week(const struct tm *tm, long long *year) {
    *year = (long long)tm->year + 1900;
    int monday = (tm->wday + 6) % 7, start = tm->yday - monday + 3, n;
    if (start < 0) {
        --*year;
        int leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
        start += 365 + leap;
        return start / 7 + 1;
    }
    n = start / 7 + 1;
    int leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
    if (n == 53 && start >= 365 + leap) {
        ++*year;
        n = 1;
    }
    return n;
}
static int format_one(struct out *o, char c, const struct tm *tm) {
    static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    static const char *const months[] = {"January", "February", "March", "April", "May", "June",
                                         "July", "August", "September", "October", "November", "December"};
    const char *day = tm->wday < 0 || tm->wday > 6 ? "?" : days[tm->wday];
    const char *month = tm->mon < 0 || tm->mon > 11 ? "?" : months[tm->mon];
    long long year = (long long)tm->year + 1900, of_week;
    int hour = tm->hour > 12 ? tm->hour - 12 : tm->hour == 0 ? 12 : tm->hour;
    const char *half = tm->hour > 11 ? "PM" : "AM", *parts = 0;
    switch (c) {
    case '%': put(o, '%'); break;
    case 'n': put(o, '\n'); break;
    case 't': put(o, '\t'); break;
    case 'a': text(o, day, 3, 0); break;
    case 'A': text(o, day, 9, 0); break;
    case 'h':
    case 'b': text(o, month, 3, 0); break;
    case 'B': text(o, month, 9, 0); break;
    case 'p': text(o, half, 2, 0); break;
    case 'P': text(o, half, 2, 1); break;
    case 'C': number(o, (year >= 0 ? year : year - 99) / 100, 2, '0'); break;
    case 'Y': number(o, year, 1, '0'); break;
    case 'y': number(o, (year % 100 + 100) % 100, 2, '0'); break;
    case 'm': number(o, tm->mon + 1, 2, '0'); break;
    case 'd': number(o, tm->mday, 2, '0'); break;
    case 'e': number(o, tm->mday, 2, ' '); break;
    case 'H': number(o, tm->hour, 2, '0'); break;
    case 'I': number(o, hour, 2, '0'); break;
    case 'k': number(o, tm->hour, 2, ' '); break;
    case 'l': number(o, hour, 2, ' '); break;
    case 'M': number(o, tm->min, 2, '0'); break;
    case 'S': number(o, tm->sec, 2, '0'); break;
    case 'j': number(o, tm->yday + 1, 3, '0'); break;
    case 'u': number(o, (tm->wday + 6) % 7 + 1, 1, '0'); break;
    case 'w': number(o, tm->wday, 1, '0'); break;
    case 'U': number(o, (tm->yday - tm->wday + 7) / 7, 2, '0'); break;
    case 'W': number(o, (tm->yday - (tm->wday + 6) % 7 + 7) / 7, 2, '0'); break;
    case 'V': number(o, week(tm, &of_week), 2, '0'); break;
    case 'G': week(tm, &of_week); number(o, of_week, 1, '0'); break;
    case 'g': week(tm, &of_week); number(o, (of_week % 100 + 100) % 100, 2, '0'); break;
    case 's': number(o, __cairn_second(tm) - tm->gmtoff, 1, '0'); break;
    case 'Z': text(o, tm->zone ? tm->zone : "", 64, 0); break;
    case 'z': {
        long offset = tm->gmtoff / 60;
        put(o, offset < 0 ? '-' : '+');
        if (offset < 0)
            offset = -offset;
        number(o, offset / 60 * 100 + offset % 60, 4, '0');
        break;
    }
    case 'D':
    case 'x': parts = "m/d/y"; break;
    case 'F': parts = "Y-m-d"; break;
    case 'T':
    case 'X': parts = "H:M:S"; break;
    case 'R': parts = "H:M"; break;
    case 'r': parts = "I:M:S p"; break;
    case 'c': parts = "a b e H:M:S Y"; break;
    default: return 0;
    }
    // A mixture of others, each by its letter.
    for (; parts && *parts; parts++)
        if (*parts == '/' || *parts == ':' || *parts == '-' || *parts == ' ')
            put(o, *parts);
        else
            format_one(o, *parts, tm);
    return 1;
}
size_t strftime(char *buf, size_t room, const char *format, const struct tm *tm) {
    struct out o = {buf, room, 0};
    int known = 1;
    for (; *format; format++) {
        if (*format != '%') {
            put(&o, *format);
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O')
            format++;
        if (!format_one(&o, *format, tm)) {
            known = 0;
            break;
        }
    }
    if (known && o.n < room) {
        buf[o.n] = 0;
        return o.n;
    }
    if (known)
        return 0;
    for (size_t i = 0; i < room; i++)
        buf[i] = __cairn_input_strftime();
    for (size_t i = 0; i < room; i++)
        if (!buf[i])
            return i;
    return 0;
}

//@ clock_gettime
// -1 with EINVAL for a clock that is none, or with any error. All clocks but that of the calendar
// only move forward.
struct timespec { long sec, nsec; };
int __cairn_refuse(int error);
int __cairn_fail(void);
long __cairn_input_clock_gettime(void);
int clock_gettime(int id, struct timespec *now) {
    static struct timespec last[12];
    if (id > 11)
        return __cairn_refuse(22); // EINVAL
    long sec = __cairn_input_clock_gettime();
    if (sec < 0 || sec > 9223372036)
        return __cairn_fail();
    long nsec = __cairn_input_clock_gettime();
    if (nsec < 0 || nsec > 999999999)
        nsec = 0;
    if (id > 0 && id != 5 && id != 8 && id != 11) {
        if (sec < last[id].sec)
            sec = last[id].sec;
        if (sec == last[id].sec && nsec < last[id].nsec)
            nsec = last[id].nsec;
        last[id].sec = sec;
        last[id].nsec = nsec;
    }
    now->sec = sec;
    now->nsec = nsec;
    return 0;
}

//@ clock_getres
// As `clock_gettime`; at most a second.
struct timespec { long sec, nsec; };
int __cairn_refuse(int error);
long __cairn_input_clock_getres(void);
int clock_getres(int id, struct timespec *unit) {
    if (id > 11)
        return __cairn_refuse(22); // EINVAL
    long nsec = __cairn_input_clock_getres();
    if (unit) {
        unit->sec = 0;
        unit->nsec = nsec < 1 || nsec > 999999999 ? 1 : nsec;
    }
    return 0;
}

//@ timespec_get
// 0 if it fails.
struct timespec { long sec, nsec; };
int __model_clock_gettime(int id, struct timespec *now);
int timespec_get(struct timespec *now, int base) {
    return base == 1 && __model_clock_gettime(0, now) == 0 ? base : 0;
}

//@ gettimeofday
// Does not fail.
struct timeval { long sec, usec; };
long __cairn_input_gettimeofday(void);
int gettimeofday(struct timeval *now, void *zone) {
    long sec = __cairn_input_gettimeofday(), usec = __cairn_input_gettimeofday();
    if (now) {
        now->sec = sec < 0 || sec > 9223372036 ? 0 : sec;
        now->usec = usec < 0 || usec > 999999 ? 0 : usec;
    }
    if (zone)
        ((int *)zone)[0] = ((int *)zone)[1] = 0;
    return 0;
}

//@ times
// -1 with any error, or ticks since some point in the past.
struct tms { long user, system, children_user, children_system; };
long __cairn_input_times(void);
long times(struct tms *all) {
    if (all) {
        all->user = __cairn_input_times() & 0x7fffffff;
        all->system = __cairn_input_times() & 0x7fffffff;
        all->children_user = __cairn_input_times() & 0x7fffffff;
        all->children_system = __cairn_input_times() & 0x7fffffff;
    }
    return __cairn_input_times();
}

//@ nanosleep
// -1 with EINVAL for a time that is none, or with EINTR: then `left` is told.
struct timespec { long sec, nsec; };
int __cairn_refuse(int error);
long __cairn_input_nanosleep(void);
int nanosleep(const struct timespec *time, struct timespec *left) {
    if (time->sec < 0 || time->nsec < 0 || time->nsec > 999999999)
        return __cairn_refuse(22); // EINVAL
    long sec = __cairn_input_nanosleep();
    if (sec < 0 || sec > time->sec)
        return 0;
    long nsec = __cairn_input_nanosleep();
    if (nsec < 0 || nsec > (sec == time->sec ? time->nsec : 999999999))
        nsec = 0;
    if (left) {
        left->sec = sec;
        left->nsec = nsec;
    }
    return __cairn_refuse(4); // EINTR
}

//@ sleep
// The seconds that are left if a signal came.
unsigned __cairn_input_sleep(void);
unsigned sleep(unsigned seconds) {
    unsigned left = __cairn_input_sleep();
    return left <= seconds ? left : 0;
}

//@ usleep
// -1 with EINVAL or EINTR.
int __cairn_refuse(int error);
int __cairn_input_usleep(void);
int usleep(unsigned microseconds) {
    return __cairn_input_usleep() < 0 ? __cairn_refuse(4) : 0;
}

//@ alarm
// The seconds that an earlier alarm had left. What comes of it is a signal.
unsigned __cairn_input_alarm(void);
unsigned alarm(unsigned seconds) {
    return __cairn_input_alarm();
}
