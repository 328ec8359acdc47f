import { useCallback, useEffect, useRef, useState } from "react";
import type { CareCause } from "@/copy/care";
import { useData } from "@/data/data";
import { runWrite } from "@/data/mutation";
import { needsCare } from "./care-model";
import { draftNeedsCare, markDraft } from "./draft";
import { CHECK_TITLE } from "./writes";

/**
 * Words of care in the cover's place. Once the server has said that a title needs them they stand until the title
 * changes, whatever else goes wrong; they outlive leaving the page with the draft. Opened by hand they need no server.
 */
export function useCare(title: string) {
  const data = useData();
  const current = title.trim();
  const [judged, setJudged] = useState(() => (draftNeedsCare() ? current : null));
  const [byHand, setByHand] = useState(false);
  const [asking, setAsking] = useState(false);
  const [calls, setCalls] = useState(0);
  if (judged !== null && judged !== current) setJudged(null);

  const askedOf = useCallback((text: string) => runWrite(data, CHECK_TITLE, { title: text }), [data]);

  // A title from an earlier visit: the rules may have learnt since. Without an answer the words stay.
  const kept = useRef(judged);
  useEffect(() => {
    const text = kept.current;
    kept.current = null;
    if (!text) return; // after a reload the title is gone, and nobody can be asked about it
    void askedOf(text).then(({ answer }) => {
      if (!answer) return;
      markDraft(text, false);
      setJudged((now) => (now === text ? null : now));
    });
  }, [askedOf]);

  /** The server has said it of this title. */
  const show = (text: string) => {
    markDraft(text, true);
    setJudged(text.trim());
    setCalls((n) => n + 1);
  };
  /** Asks the server about a title for people who cannot generate. True if the title needs care, which is then shown. */
  const judge = async (text: string): Promise<boolean> => {
    if (text.trim() === "") return false;
    setAsking(true);
    const { trouble } = await askedOf(text.trim());
    setAsking(false);
    if (!needsCare(trouble)) return false;
    show(text);
    return true;
  };
  const open = () => {
    setByHand(true);
    setCalls((n) => n + 1);
  };
  const close = () => setByHand(false);
  const cause: CareCause | null = judged === null ? (byHand ? "hand" : null) : "title";
  return { cause, calls, asking, show, judge, open, close };
}
