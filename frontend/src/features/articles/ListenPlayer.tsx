import { useMemo } from "react";
import { InlinePlayer } from "@/player/inline/InlinePlayer";
import { wholeRecording } from "@/player/inline/inline";

interface ListenProps {
  url: string;
  title: string;
  narrator: string;
  seconds: number;
}

/** The player of an article's narration, in a chunk of its own. */
export default function ListenPlayer({ url, title, narrator, seconds }: ListenProps) {
  const recording = useMemo(
    () => wholeRecording({ url, title, narrator, seconds }),
    [url, title, narrator, seconds],
  );
  return <InlinePlayer recording={recording} />;
}
