import { useEffect, useRef, useState } from "react";
import { own as words } from "@/copy/own";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { JourneyService, Stage } from "@/gen/serein/web/v1/generator_pb";
import type { Data } from "@/lib/app";
import { useData } from "./data";
import type { ReasonName, UserError } from "./errors";
import { LOST } from "./errors";
import { createLiveMeditations } from "./live-meditations";
import { journeyChanged } from "./meditations";
import type { Sent } from "./mutation";
import { defineWrite, runWrite } from "./mutation";
import { createOwnChanges } from "./own-changes";

/** Marking one's own meditations as deleted, recovering and renaming them, for every screen that offers it. */

/** Only what can be heard is counted beside My Journey. */
const show = (data: Data, m: Meditation | undefined, counts: number): void => {
  if (m) data.part(createOwnChanges).done(m, m.stage === Stage.READY ? counts : 0);
};

const MARK = defineWrite({
  method: JourneyService.method.markBespokeDeleted,
  applied: (data, { meditation }) => show(data, meditation, -1),
});
const RECOVER = defineWrite({
  method: JourneyService.method.recoverBespoke,
  applied: (data, { meditation }) => show(data, meditation, 1),
});
export const RENAME = defineWrite({
  method: JourneyService.method.renameBespoke,
  applied: (data, { meditation }) => show(data, meditation, 0),
});

/** The sentence for an answer that another tab or device, or the time, has come before. */
const LATE: Partial<Record<ReasonName | "", (title: string) => string>> = {
  MEDITATION_MARKED: words.already,
  MEDITATION_NOT_MARKED: words.notDeleted,
  MEDITATION_DELETED: words.tooLate,
  MEDITATION_NOT_FOUND: words.tooLate,
};

/** What is said of a refusal. What is shown of the meditation may be older than it, so all of it is read again. */
export function refusal(data: Data, m: Meditation, trouble: UserError): string {
  const late = LATE[trouble.reason];
  if (late || LOST.has(trouble.code)) {
    journeyChanged(data);
    data.part(createLiveMeditations).of(m.id).retry();
  }
  return late?.(m.title) ?? trouble.message;
}

/** What has just happened on a screen, with the way back where there is one. */
export interface OwnNews {
  text: string;
  /** The id of the meditation that was marked or recovered. */
  of?: string;
  /** It was marked, and is recovered by Undo. */
  undo?: Meditation;
  /** It was refused. */
  refused?: boolean;
}

/** Mark and recover, with what came of it; each answers whether it was done. A press while its request is under way does nothing. */
export function useOwn() {
  const data = useData();
  const [news, setNews] = useState<OwnNews | null>(null);
  const running = useRef(new Set<string>());
  // Whatever is done with it next, here, in another list or in another tab, makes the notice untrue.
  useEffect(() => {
    const forget = ({ id }: Meditation) => setNews((before) => (before?.of === id ? null : before));
    const leave = data.part(createOwnChanges).subscribe(forget);
    return () => void leave();
  }, [data]);

  const run = async (m: Meditation, send: () => Promise<Sent<unknown>>, done: OwnNews): Promise<boolean> => {
    if (running.current.has(m.id)) return false;
    running.current.add(m.id);
    const { trouble } = await send();
    running.current.delete(m.id);
    setNews(trouble ? { text: refusal(data, m, trouble), refused: true } : done);
    return !trouble;
  };
  const mark = (m: Meditation) =>
    run(m, () => runWrite(data, MARK, { id: m.id }), {
      text: words.marked(m.title),
      of: m.id,
      undo: m,
    });
  const recover = (m: Meditation) =>
    run(m, () => runWrite(data, RECOVER, { id: m.id }), {
      text: words.recovered(m.title),
      of: m.id,
    });
  return { news, tell: setNews, mark, recover };
}
