import { SOUND_KEY } from "@/data/left-behind";
import type { SessionStore } from "@/lib/session";
import { onMemberChange } from "@/lib/session";
import { remember, remembered } from "@/lib/storage";
import type { Engine, Loop } from "./engine/types";

/** The sounds beneath so many recordings are remembered; then the oldest choice goes. */
const MOST_LOOPS = 60;
/** A sound's address may be gone a month after another has replaced it (ms). */
const ADDRESS_MS = 30 * 24 * 3_600_000;

interface Chosen {
  /** Of which recording. */
  id: string;
  /** null for the voice alone. */
  loop: Loop | null;
  /** When its address was last read from the list of sounds, in ms since 1970. */
  at: number;
}

interface Kept {
  voice: number;
  ambience: number;
  rate: number;
  loops: readonly Chosen[];
  /** The id of the sound that was chosen for the library as a whole, "none" for the voice alone; "" before any choice. */
  library: string;
}

const FIRST: Kept = { voice: 0.8, ambience: 0.45, rate: 1, loops: [], library: "" };

const share = (n: unknown, otherwise: number): number =>
  typeof n === "number" && n >= 0 && n <= 1 ? n : otherwise;

/** What stands there, as far as it is sound: an older version of the app, or somebody's hand, may have left it. */
function parsed(text: string | null, uid: string): Kept {
  try {
    const { owner, voice, ambience, rate, loops, library } = JSON.parse(text ?? "null") ?? {};
    if (owner !== uid) return FIRST;
    return {
      voice: share(voice, FIRST.voice),
      ambience: share(ambience, FIRST.ambience),
      rate: rate >= 0.5 && rate <= 2 ? rate : FIRST.rate,
      loops: Array.isArray(loops) ? loops : [],
      library: typeof library === "string" ? library : "",
    };
  } catch {
    return FIRST;
  }
}

/** What a member likes to hear: both volumes, the speed, and the sound beneath a recording. Kept for them on this device. */
export class Choices {
  readonly #uid: () => string | undefined;

  constructor(uid: () => string | undefined = () => undefined) {
    this.#uid = uid;
  }

  read(): Kept {
    const uid = this.#uid();
    return uid ? parsed(remembered("localStorage", SOUND_KEY), uid) : FIRST;
  }

  keep(part: Partial<Kept>): void {
    const owner = this.#uid();
    if (owner) remember("localStorage", SOUND_KEY, JSON.stringify({ ...this.read(), ...part, owner }));
  }

  /** The sound that was chosen for a recording, null for none; undefined where nothing was chosen. */
  loopOf(id: string): Loop | null | undefined {
    return this.#chosen(id)?.loop;
  }

  /** Whether the address of the sound that was chosen for a recording has to be read again. */
  isOld(id: string): boolean {
    return Date.now() - (this.#chosen(id)?.at ?? 0) >= ADDRESS_MS;
  }

  #chosen(id: string): Chosen | undefined {
    return this.read().loops.find((one) => one.id === id);
  }

  keepLoop(id: string, loop: Loop | null): void {
    const others = this.read().loops.filter((one) => one.id !== id);
    this.keep({ loops: [...others, { id, loop, at: Date.now() }].slice(-MOST_LOOPS) });
  }
}

/** The engine begins as the member likes it, and what they change is kept. Another member begins with theirs. */
export function followChoices(session: SessionStore, engine: Engine, choices: Choices): void {
  const begin = () => {
    const { voice, ambience, rate } = choices.read();
    engine.setVolumes({ voice, ambience });
    engine.setRate(rate);
    engine.setSleep("off");
  };
  begin();
  onMemberChange(session, begin);
  let known = "";
  engine.subscribe(() => {
    const { voiceVolume: voice, ambienceVolume: ambience, rate } = engine.snapshot();
    const now = `${voice} ${ambience} ${rate}`;
    if (now === known) return;
    known = now;
    const kept = choices.read();
    if (voice !== kept.voice || ambience !== kept.ambience || rate !== kept.rate)
      choices.keep({ voice, ambience, rate });
  });
}
