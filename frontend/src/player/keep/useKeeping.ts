import { useEffect, useRef, useState } from "react";
import { useData } from "@/data/data";
import type { KeepTrouble } from "@/data/kept/kept";
import { createKept, troubleOf } from "@/data/kept/kept";
import { contact } from "@/data/kept/contact";
import type { Keepable, KeptFile } from "@/data/kept/records";
import { bytesOf } from "@/data/kept/records";
import { createPlaceKeeping } from "./follow-places";
import type { Wish } from "./keepable";

/** How far it is. */
export type Keeping =
  | { step: "measuring" }
  | { step: "measured"; of: Keepable; bytes: number; room: number | undefined }
  | { step: "keeping"; done: number; bytes: number }
  | { step: "kept"; bytes: number }
  | { step: "failed"; why: KeepTrouble };

/** Keeps one recording, in steps that the dialog shows. Taking the dialog away ends what is under way, and nothing of it stays. */
export function useKeeping({ read }: Wish) {
  const data = useData();
  const kept = data.part(createKept);
  const [now, set] = useState<Keeping>({ step: "measuring" });
  const files = useRef<KeptFile[]>([]);
  const under = useRef<AbortController>(null);
  const [attempt, again] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    const measure = async () => {
      const of = await read(data, left.signal);
      files.current = await kept.describe(of, left.signal);
      set({ step: "measured", of, bytes: bytesOf([{ files: files.current }]), room: await kept.room() });
    };
    measure().catch((cause: unknown) => {
      if (!left.signal.aborted) set({ step: "failed", why: troubleOf(cause) });
    });
    return () => left.abort();
    // The wish is the dialog's for as long as it is open.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [attempt]);
  useEffect(() => () => under.current?.abort(), []);
  const keep = async (of: Keepable, bytes: number) => {
    const { member } = data.session.get();
    if (!member) return;
    let done = 0;
    const { signal } = (under.current = new AbortController());
    set({ step: "keeping", done, bytes });
    const onBytes = (n: number) => set({ step: "keeping", done: (done += n), bytes });
    try {
      await kept.keep(of, files.current, member, signal, onBytes);
      set({ step: "kept", bytes });
    } catch (cause) {
      if (!signal.aborted) set({ step: "failed", why: troubleOf(cause) });
      return;
    }
    // Takes over where it was left on other devices, and until when it may be heard.
    void contact(data, data.part(createPlaceKeeping).held()).catch(() => undefined);
  };
  const retry = () => {
    set({ step: "measuring" });
    again(attempt + 1);
  };
  return { now, keep, retry };
}
