#!/usr/bin/env python3
"""Writes cases.txt: the times of cron expressions, found minute by minute with Python's zoneinfo.

    python3 tests/cron/oracle.py > tests/cron/cases.txt

The walk knows nothing of the code that it tests. For each minute of UTC, it asks zoneinfo for the local time. A local minute that
matches is a run if it comes for the first time. If local minutes were skipped and one of them matches, the run is the first minute
after them.
"""
import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ZONES = """UTC Europe/Berlin Europe/Dublin America/New_York America/St_Johns America/Sao_Paulo America/Havana Australia/Lord_Howe
Antarctica/Troll Africa/Casablanca Asia/Kathmandu Asia/Tehran Pacific/Apia Pacific/Auckland""".split()
FIELDS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
MINUTE = timedelta(minutes=1)
random.seed(20260101)


def values(field, low, high):
    """The values of a field: numbers, ranges, lists and steps."""
    found = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        bounds = (low, high) if span == "*" else (int(first), int(last or first))
        found |= set(range(bounds[0], bounds[1] + 1, int(step or 1)))
    return found


class Cron:
    def __init__(self, text):
        fields = text.split()
        self.minutes, self.hours, self.days, self.months, weekdays = (
            values(field, *bounds) for field, bounds in zip(fields, FIELDS)
        )
        self.weekdays = {day % 7 for day in weekdays}
        # if both fields of days are restricted, one of them is enough
        self.either = fields[2] != "*" and fields[4] != "*"

    def matches(self, time):
        day, weekday = time.day in self.days, time.isoweekday() % 7 in self.weekdays
        is_day = (day or weekday) if self.either else (day and weekday)
        return is_day and time.month in self.months and time.hour in self.hours and time.minute in self.minutes


def runs(cron, zone, after):
    """The runs after a time, in order."""
    minute = after.replace(second=0)
    before = minute.astimezone(zone).replace(tzinfo=None, fold=0)
    while True:
        minute += MINUTE
        aware = minute.astimezone(zone)
        local = aware.replace(tzinfo=None, fold=0)
        is_run = aware.fold == 0 and cron.matches(local)
        skipped = before + MINUTE
        while skipped < local:
            is_run |= cron.matches(skipped)
            skipped += MINUTE
        if is_run:
            yield minute
        before = local


def transitions(zone):
    """The hours in which the offset of a zone changes."""
    found, hour = [], datetime(2011, 1, 1, tzinfo=timezone.utc)
    while hour.year < 2031:
        if hour.astimezone(zone).utcoffset() != (hour + timedelta(hours=1)).astimezone(zone).utcoffset():
            found.append(hour)
        hour += timedelta(hours=1)
    return found


def seconds(time):
    return int(time.timestamp())


def expression(local):
    """An expression whose times are near a local time."""
    near = local + timedelta(minutes=random.randint(-90, 150))
    minute, hour = near.minute, near.hour
    return random.choice(
        [
            f"{minute} {hour} * * *",
            f"{minute // 10 * 10} {hour} * * {random.choice(['*', '0', '7', '1-5', '6,0'])}",
            f"{minute},{(minute + 30) % 60} {hour} {near.day} {near.month} *",
            f"*/{random.choice([5, 7, 15, 30])} * * * *",
            f"{minute} */{random.choice([1, 2, 3])} * * *",
            f"*/20 {hour}-23 * * *",
            f"0 0 * * *",
            f"{minute} {hour} {near.day} * {near.isoweekday() % 7}",
        ]
    )


def leap_days():
    for year in (2016, 2020, 2024, 2027, 2028):
        for text in ("0 0 29 2 *", "30 12 29 2 1", "15 6 28-31 * *", "59 23 31 * *", "0 0 1 * *"):
            start = datetime(year, 2, random.randint(20, 28), random.randint(0, 23), tzinfo=timezone.utc)
            yield random.choice(ZONES), text, start


def main():
    print("# Written by oracle.py. Times are in seconds since the Unix epoch.")
    print("# next|zone|expression|after|the first run after it")
    print("# jump|zone|expression|start|the time after the jump|option|the runs that take place|the next run")
    changes = {name: transitions(ZoneInfo(name)) for name in ZONES}
    cases = []
    while len(cases) < 680:
        name = random.choice(ZONES)
        zone = ZoneInfo(name)
        if changes[name] and random.random() < 0.85:
            time = random.choice(changes[name])
        else:
            time = datetime(2012, 1, 1, tzinfo=timezone.utc) + timedelta(hours=random.randint(0, 160_000))
        after = time + timedelta(minutes=random.randint(-100, 200), seconds=random.choice([0, 0, 1, 59]))
        cases.append((name, expression(time.astimezone(zone)), after))
    cases += [case for _ in range(2) for case in leap_days()]
    for name, text, after in cases:
        # at most a month, except for leap days
        first = next(limited(Cron(text), name, after, 800 if "29 2" in text else 35), None)
        if first is not None:
            print("next", name, text, seconds(after), seconds(first), sep="|")
    jumps = 0
    while jumps < 360:
        name = random.choice(ZONES)
        zone = ZoneInfo(name)
        start = random.choice(changes[name] or [datetime(2024, 2, 28, tzinfo=timezone.utc)])
        start += timedelta(minutes=random.randint(-600, 60))
        text = expression(start.astimezone(zone))
        now = start + timedelta(minutes=random.choice([1, 17, 60, 61, 180, 1440, 3000]), seconds=random.choice([0, 1, 59]))
        passed, following = [], None
        for run in limited(Cron(text), name, start, 4):
            if run > now:
                following = run
                break
            passed.append(run)
        if following is None or not passed:
            continue
        option = random.choice(["once", "all", "none"])
        fresh = [run for run in passed if now - run <= timedelta(seconds=60)]
        kept = {"once": passed[:1], "all": passed, "none": fresh[-1:]}[option]
        times = ",".join(str(seconds(run)) for run in kept)
        print("jump", name, text, seconds(start), seconds(now), option, times, seconds(following), sep="|")
        jumps += 1


def limited(cron, name, after, days):
    end = after + timedelta(days=days)
    for run in runs(cron, ZoneInfo(name), after):
        if run > end:
            return
        yield run


main()
