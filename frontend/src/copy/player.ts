const inMinutes = (minutes: number): string => `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;

/** The words of the player. */
export const player = {
  position: "Position",
  of: (at: string, all: string) => `${at} of ${all}`,
  left: (clock: string) => `${clock} left`,
  play: "Play",
  playTitle: (title: string) => `Play ${title}`,
  pause: "Pause",
  pauseTitle: (title: string) => `Pause ${title}`,
  back: "Back 15 seconds",
  forward: "Forward 15 seconds",
  reset: "Reset",
  share: "Share",
  close: "Close the player",
  keepBrowsing: "Keep browsing",
  keepBrowsingLabel: "Keep browsing; it carries on in the mini player",
  region: "Player",
  nowPlaying: "Now playing",
  transcript: "Transcript",
  sound: "Sound",
  around: "Background sound",
  ambience: "Ambient sound",
  none: "None",
  voice: "Voice",
  volume: "volume",
  readBy: (type: string, narrator: string) => (narrator ? `${type}, read by ${narrator}` : type),
  with: (clock: string, track: string) => (track ? `${clock}, with ${track}` : clock),
  states: {
    blocked: "Press play to begin",
    buffering: "Waiting for the next words",
    failed: "We couldn’t load the sound. Press play to try again.",
    ended: "That’s the end. Take your time.",
    ambienceAway: (track: string) => `${track} couldn’t be loaded. The voice carries on without it.`,
  },
  /** A minute to hear before deciding. */
  sample: {
    title: "The lake after rain",
    away: "It isn’t here yet. We’re still trying.",
  },
  /** One quiet next step at the end. */
  next: {
    region: "What next",
    tomorrow: (title: string) => `Make one for tomorrow: ${title}`,
    introduction: (title: string) => `Next in the introduction: ${title}`,
    own: (title: string) => `Make one of your own: ${title}`,
    make: "Make a meditation of your own",
  },
  /** Everything around the voice, at one place. */
  more: {
    open: "Sound, speed and sleep timer",
    title: "Sound, speed and sleep timer",
    tracksAway: "We couldn’t load the sounds. They’ll be here when you open this again.",
    words: "The words",
    speed: "Speed of the voice",
    /** "0.8 times"; 1 is the pace it was read at. */
    times: (rate: number) => `${rate}×`,
    sleep: "Sleep timer",
    sleepLabel: "Stop playing after, in minutes",
    off: "Off",
    end: "At the end",
    minutes: (minutes: number) => `${minutes} min`,
    /** What the timer will do. */
    fades: {
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
    },
  },
  opening: "Opening your meditation",
  gone: {
    title: "We can’t find that meditation",
    message: "It may have been removed, or the address isn’t quite right.",
    action: "Back to My Journey",
  },
  notReady: {
    title: "This one is still being made",
    message: "You can listen to what is ready, and watch the rest arrive.",
    action: "Go to it",
  },
} as const;
