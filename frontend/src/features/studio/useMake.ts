import { useRef } from "react";
import { useWrite } from "@/data/mutation";
import type { Answers, Kind } from "./model";
import { MAKE_ARTICLE, MAKE_MEDITATION } from "./writes";

/** One id a request: the same answers sent again, because their answer was lost, make one. */
function useId() {
  const last = useRef({ of: "", id: "" });
  return (answers: Answers): string => {
    const of = JSON.stringify(answers);
    if (last.current.of !== of) last.current = { of, id: crypto.randomUUID() };
    return last.current.id;
  };
}

/** Sends the generator's answers. */
export function useMake(kind: Kind) {
  const meditation = useWrite(MAKE_MEDITATION);
  const article = useWrite(MAKE_ARTICLE);
  const idOf = useId();
  const make = (a: Answers) => {
    const { title, type, practice, immersive, narratorId } = a;
    const common = { id: idOf(a), title: title.trim(), type, practice, immersive, narratorId };
    return kind === "meditation"
      ? meditation.send({ ...common, script: a.script, intro: a.intro })
      : article.send({ ...common, text: a.script, open: a.open });
  };
  const { pending, trouble, forget } = kind === "meditation" ? meditation : article;
  return { make, pending, trouble, forget };
}
