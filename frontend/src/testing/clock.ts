/**
 * The clock by which every test runs, whenever that is: 23 November 2026, after lunch. So no date that a test names is passed by
 * the real one, and no midnight comes in between. It goes on by a millisecond each time it is looked at: what happens later is
 * later, and nothing grows old while a machine stands still. Timers are the browser's, or those of `vi.useFakeTimers`.
 */
const BEGINS = Date.UTC(2026, 10, 23, 13);

let looks = 0;
Date.now = () => BEGINS + looks++;

globalThis.Date = new Proxy(Date, {
  construct: (real, given, made) => Reflect.construct(real, given.length > 0 ? given : [Date.now()], made),
  apply: (real) => new real(Date.now()).toString(),
});
