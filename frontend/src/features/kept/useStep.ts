import { useEffect, useState } from "react";
import { kept as copy, named } from "@/copy/kept";
import { useData } from "@/data/data";
import { contact } from "@/data/kept/contact";
import { createKept } from "@/data/kept/kept";
import { userFetchFailed } from "@/lib/user-fetch";
import { createPlaceKeeping } from "@/player/keep/follow-places";

/**
 * Brings the page in step: removes what may be heard no more, with a connection or without, and answers with the sentences that say so. Once the line is back
 * it is asked again who is here.
 */
export function useStep(): readonly string[] {
  const data = useData();
  const [said, say] = useState<readonly string[]>([]);
  useEffect(() => {
    const step = async () => {
      const { held } = data.part(createPlaceKeeping);
      const over = await data.part(createKept).removeOver(Date.now());
      const { gone, ended } = await contact(data, held());
      const titles = [...over.map(({ title }) => title), ...ended];
      say((before) => [
        ...before,
        ...(titles.length > 0 ? [copy.over(named(titles))] : []),
        ...(gone.length > 0 ? [copy.gone(named(gone))] : []),
      ]);
    };
    let known = "";
    const look = () => {
      const { member, serverTime } = data.session.get();
      const now = `${member?.uid} ${serverTime}`;
      if (now === known) return;
      known = now;
      void step().catch(() => undefined);
    };
    look();
    return data.session.subscribe(look);
  }, [data]);
  useEffect(() => {
    const back = () => userFetchFailed.get()?.();
    window.addEventListener("online", back);
    return () => window.removeEventListener("online", back);
  }, []);
  return said;
}
