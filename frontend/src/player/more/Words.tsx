import { useEffect, useState } from "react";
import { player as copy } from "@/copy/player";
import { useNowPlaying, usePlayer } from "../hooks";
import type { ScriptItem } from "../recording";
import { Transcript } from "../Transcript";
import { fetchWords } from "./words";
import css from "./Words.module.css";

const NONE: readonly ScriptItem[] = [];

/** What is said in the player's recording: a bespoke meditation and what is kept on this device bring it along, of a narration it is fetched. */
function useWords(): readonly ScriptItem[] {
  const now = useNowPlaying(usePlayer());
  const url = now?.recorded?.url;
  const [fetched, set] = useState<{ of: string; script: readonly ScriptItem[] } | null>(null);
  useEffect(() => {
    if (!url) return undefined;
    const left = new AbortController();
    fetchWords(url, left.signal).then(
      (script) => set({ of: url, script }),
      () => undefined, // offline: it is asked for again when this opens the next time
    );
    return () => left.abort();
  }, [url]);
  if (now?.meditation || now?.script.length) return now.script;
  return fetched && fetched.of === url ? fetched.script : NONE;
}

/** The words in time with the voice; nothing where it is not known when they are said. */
export function Words({ className }: { className?: string | undefined }) {
  const script = useWords();
  if (script.length === 0) return null;
  return (
    <section>
      <h3 className={className}>{copy.more.words}</h3>
      <Transcript script={script} className={css.words} />
    </section>
  );
}
