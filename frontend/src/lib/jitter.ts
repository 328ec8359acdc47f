/**
 * The pause of `ms` milliseconds, longer by up to a half as `draw` (0 to 1) says. Everything that is repeated by itself waits so,
 * or the tabs that a restart of the server cut off would all come back together.
 */
export const jittered = (ms: number, draw = Math.random()): number => ms * (1 + draw / 2);
