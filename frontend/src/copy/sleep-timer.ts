const inMinutes = (minutes: number): string => `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;

/** What the sleep timer will do. */
export const fades = {
  end: "The sound fades out slowly once the voice has ended.",
  all: (minutes: number) =>
    minutes < 1
      ? "The sound is about to fade out."
      : `The sound fades out in ${inMinutes(minutes)}. Your place is kept.`,
  /** Where the voice's volume cannot be set: the background sound fades, and then the voice stops. */
  ambience: (minutes: number) =>
    minutes < 1
      ? "The background sound is about to fade out, and the voice stops after it."
      : `In ${inMinutes(minutes)} the background sound fades out, and the voice stops after it. Your place is kept.`,
  /** The same without a background sound. */
  none: (minutes: number) =>
    minutes < 1
      ? "The sound is about to stop."
      : `The sound stops in ${inMinutes(minutes)}. Your place is kept.`,
} as const;
