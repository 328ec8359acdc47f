import type { ConnectRouter } from "@connectrpc/connect";
import { createRouterTransport } from "@connectrpc/connect";
import axe from "axe-core";
import type { ReactNode } from "react";
import { render } from "vitest-browser-react";
import { Providers } from "@/app/Providers";
import { createData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { interceptors } from "@/data/interceptors";
import type { App, Data } from "@/lib/app";
import type { Member } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { createStore, useStore } from "@/lib/store";
import { createPlayer, Player } from "@/player/player";
import { createLiveMeditations } from "@/data/live-meditations";
import { createSampleEngine } from "@/player/sample/sample";
import { PlayerEngine } from "@/player/engine/engine";
import { FakeWorld } from "@/player/engine/testing/fakes";
import { member as aMember } from "./member";
import "@/styles/index.css";

interface Setting {
  /** Who is signed in; null for a visitor. */
  member?: Member | null;
  /** The address, and what its history entry holds. */
  path?: string;
  state?: unknown;
  /** What the gateway answers. */
  gateway?: (router: ConnectRouter) => void;
  /** The texts that are agreed to, as the session names them. */
  termsVersion?: string;
}

/** The texts that are agreed to, where a test names no others. */
export const TERMS_VERSION = "terms 2026-10-01, privacy 2026-10-20";

/** A page's surroundings, made for one test: session, gateway in memory, and a player whose sound the test makes. */
export function createSetting({
  member = aMember(),
  gateway = () => {},
  termsVersion = TERMS_VERSION,
}: Setting = {}) {
  const session = createSession({ member, serverTime: Date.now(), trialOffer, termsVersion });
  const transport = createRouterTransport(gateway, { transport: { interceptors: interceptors(session) } });
  const made = createData(session, transport);
  const parts = new Map<unknown, unknown>();
  const data: Data = {
    ...made,
    part: <T,>(make: (from: Data) => T): T => {
      if (!parts.has(make)) parts.set(make, make(data));
      return parts.get(make) as T;
    },
  };
  const world = new FakeWorld();
  const lives = data.part(createLiveMeditations);
  const player = new Player(new PlayerEngine(world.ports()), (id) => lives.of(id));
  const sample = new PlayerEngine(new FakeWorld().ports());
  parts.set(createPlayer, player).set(createSampleEngine, sample);
  const ready = Promise.resolve(data);
  const app: App = {
    data: () => ready,
    dataToRender: () => data,
    known: Promise.resolve(),
    signOut: () => Promise.resolve(),
    mini: createStore<ReactNode>(null),
  };
  return { session, data, player, sample, world, app };
}

/** What a newcomer gets: numbers that no text writes by hand. */
const trialOffer = { days: 5, invitedDays: 9, credits: 3 };

/** What the app's root shows below every page. */
const Foot = ({ app }: { app: App }) => useStore(app.mini);

/** Shows `ui` in its surroundings in a real browser, with the app's styles. */
export async function show(ui: ReactNode, setting: Setting = {}) {
  window.history.replaceState(setting.state ?? null, "", setting.path ?? "/");
  const made = createSetting(setting);
  const screen = await render(
    <Providers app={made.app} session={made.session}>
      <DataProvider data={made.data}>{ui}</DataProvider>
      <Foot app={made.app} />
    </Providers>,
  );
  return { ...made, screen };
}

/** Faults of accessibility, in words; none when all is well. */
export async function axeFaults(root: Element = document.body): Promise<string[]> {
  // What is still appearing has not its colours yet.
  const ends = document.getAnimations().filter((a) => a.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ends.map((a) => a.finished));
  const { violations } = await axe.run(root, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    // They are about whole pages, which a component is not.
    rules: {
      region: { enabled: false },
      "page-has-heading-one": { enabled: false },
      "landmark-one-main": { enabled: false },
    },
  });
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(", ")}`);
}
