import { describe, expect, test } from "vitest";
import { reminders as copy } from "@/copy/reminders";
import type { WeeklyEvent } from "./ics";
import { calendar, escaped, folded } from "./ics";
import { faultsOf, fileOf, firstTime } from "./reminder";
import type { Component } from "./testing/parse";
import { parse, textOf } from "./testing/parse";

const EVENT: WeeklyEvent = {
  uid: "0123456789abcdef0123456789abcdef@reminders.serein",
  sequence: 7,
  madeAt: Date.UTC(2026, 10, 23, 13, 5, 9),
  start: { year: 2026, month: 11, day: 24, hour: 7, minute: 30 },
  minutes: 20,
  days: ["FR", "TU"],
  title: "A quiet moment",
  description: "Open Serein.",
  url: "https://serein.example/timer",
};

const only = (components: readonly Component[]): Component => {
  expect(components).toHaveLength(1);
  return components[0] as Component;
};

const eventOf = (file: string): Component => only(parse(file).components);

describe("the calendar file", () => {
  test("says everything once, as the standard has it", () => {
    const file = parse(calendar([EVENT]));
    expect(file.name).toBe("VCALENDAR");
    expect(Object.fromEntries(file.properties)).toEqual({
      VERSION: "2.0",
      PRODID: "-//Serein//Reminders//EN",
      CALSCALE: "GREGORIAN",
      METHOD: "PUBLISH",
    });
    const event = only(file.components);
    expect(Object.fromEntries(event.properties)).toEqual({
      UID: EVENT.uid,
      DTSTAMP: "20261123T130509Z",
      SEQUENCE: "7",
      DTSTART: "20261124T073000",
      DURATION: "PT20M",
      RRULE: "FREQ=WEEKLY;BYDAY=TU,FR",
      SUMMARY: "A quiet moment",
      DESCRIPTION: "Open Serein.",
      URL: "https://serein.example/timer",
      TRANSP: "TRANSPARENT",
    });
    const alarm = only(event.components);
    expect(alarm.name).toBe("VALARM");
    expect(Object.fromEntries(alarm.properties)).toEqual({
      ACTION: "DISPLAY",
      TRIGGER: "PT0S",
      DESCRIPTION: "A quiet moment",
    });
  });

  test("names no time zone: half past seven is that by the clock of the calendar’s owner", () => {
    expect(calendar([EVENT])).not.toMatch(/TZID|VTIMEZONE/);
    expect(eventOf(calendar([EVENT])).properties.get("DTSTART")).not.toMatch(/Z$/);
  });

  test("has no address where it opens nothing", () => {
    expect(eventOf(calendar([{ ...EVENT, url: "" }])).properties.has("URL")).toBe(false);
  });

  test.each([
    "semi; comma, back\\slash",
    "two\nlines, and\r\na third",
    "BEGIN:VALARM\nACTION:AUDIO",
    "Ein Moment für dich, jeden Abend — und für alle, die mögen 🌙🌙🌙🌙🌙🌙🌙🌙🌙🌙🌙🌙",
    "x".repeat(200),
    "",
  ])("gives a text back as it was: %j", (title) => {
    const event = eventOf(calendar([{ ...EVENT, title, description: title }]));
    const wanted = title.replaceAll("\r\n", "\n");
    expect(textOf(event.properties.get("SUMMARY") ?? "")).toBe(wanted);
    expect(textOf(event.properties.get("DESCRIPTION") ?? "")).toBe(wanted);
    expect(event.components).toHaveLength(1);
  });

  test("has no line of more than 75 octets, cuts no character, and ends each line as it should", () => {
    const file = calendar([{ ...EVENT, title: "🌙é".repeat(60) }]);
    const lines = file.split("\r\n");
    expect(lines.pop()).toBe("");
    for (const line of lines) {
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\r\n]/);
      // A character that was cut in two would be encoded as U+FFFD.
      expect(new TextDecoder().decode(new TextEncoder().encode(line))).toBe(line);
    }
  });

  test("leaves out what no text may have", () => {
    expect(escaped("a\u0000b\u0007c\td")).toBe("abc\td");
    expect(folded("short")).toBe("short");
  });
});

describe("a reminder", () => {
  const monday = new Date(2026, 10, 23, 13, 0);

  test("begins on the first of its days whose time has not passed", () => {
    expect(firstTime(monday, ["MO"], "13:01")).toMatchObject({ month: 11, day: 23 });
    expect(firstTime(monday, ["MO"], "13:00")).toMatchObject({ month: 11, day: 30 });
    expect(firstTime(monday, ["SU", "WE"], "07:30")).toEqual({
      year: 2026,
      month: 11,
      day: 25,
      hour: 7,
      minute: 30,
    });
    expect(firstTime(new Date(2026, 11, 31, 22, 0), ["FR"], "07:00")).toMatchObject({
      year: 2027,
      month: 1,
      day: 1,
    });
  });

  const reminder = {
    days: ["MO", "TH"],
    times: ["07:30", "21:00"],
    title: " Sit ",
    minutes: 15,
    path: "/timer",
  } as const;
  const by = (member: string, now = monday) =>
    fileOf(reminder, { member, now, origin: "https://serein.example", describe: copy.describe });
  const uids = (file: string) => parse(file).components.map(({ properties }) => properties.get("UID"));

  test("has an event for each of its times, and opens what was chosen", async () => {
    const events = parse(await by("amara")).components;
    expect(events.map(({ properties }) => properties.get("DTSTART"))).toEqual([
      "20261126T073000",
      "20261123T210000",
    ]);
    expect(events.map(({ properties }) => properties.get("SUMMARY"))).toEqual(["Sit", "Sit"]);
    expect(events[0]?.properties.get("URL")).toBe("https://serein.example/timer");
    expect(textOf(events[0]?.properties.get("DESCRIPTION") ?? "")).toContain("https://serein.example/timer");
  });

  test("keeps its name when it is changed, and is the newer version; another member's has another", async () => {
    const first = await by("amara");
    const later = await by("amara", new Date(2026, 10, 23, 13, 1));
    expect(uids(later)).toEqual(uids(first));
    expect(new Set(uids(first)).size).toBe(2);
    expect(uids(await by("noor"))).not.toEqual(uids(first));
    const version = (file: string) => Number(parse(file).components[0]?.properties.get("SEQUENCE"));
    expect(version(later)).toBeGreaterThan(version(first));
    expect(first).not.toContain("amara");
  });

  test("wants a day, a time, a title and a length", () => {
    expect(faultsOf({ ...reminder })).toEqual([]);
    expect(faultsOf({ days: [], times: [""], title: " ", minutes: Number.NaN, path: "" })).toEqual([
      "days",
      "times",
      "title",
      "minutes",
    ]);
    expect(faultsOf({ ...reminder, times: ["24:00"], minutes: 2.5 })).toEqual(["times", "minutes"]);
  });
});
