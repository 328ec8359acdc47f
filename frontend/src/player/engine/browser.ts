import type { Ports } from "./types";

/** The engine's ports on a real page. */
export function browserPorts(): Ports {
  // iOS takes a volume and goes back to its own; the newer ones only after the script that has set it.
  const probe = new Audio();
  probe.volume = 0.5;
  return {
    keepsVolume: () => probe.volume === 0.5,
    createAudio: () => new Audio(),
    createContext: () => {
      const session = (navigator as Navigator & { audioSession?: { type: string } }).audioSession;
      if (session) session.type = "playback";
      return new AudioContext({ latencyHint: "playback" });
    },
    fetch: (url, signal) => fetch(url, { signal: signal ?? null }),
    createObjectURL: (blob) => URL.createObjectURL(blob),
    revokeObjectURL: (url) => URL.revokeObjectURL(url),
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: (id) => window.clearTimeout(id),
    setInterval: (run, ms) => window.setInterval(run, ms),
    clearInterval: (id) => window.clearInterval(id),
    now: () => performance.now(),
    draw: Math.random,
    onReturn: (run) => {
      const seen = () => document.visibilityState === "visible" && run();
      document.addEventListener("visibilitychange", seen);
      window.addEventListener("online", run);
      return () => {
        document.removeEventListener("visibilitychange", seen);
        window.removeEventListener("online", run);
      };
    },
    mediaSession: navigator.mediaSession,
  };
}
