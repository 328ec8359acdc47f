import { createStore } from "@/lib/store";

/** A short notice. It is never the only place of an error or an undo: three seconds are short. */
export interface Toast {
  id: number;
  text: string;
  tone: "ok" | "info";
}

/** How long one stays, in ms, and how many stand at once (both from the specification). */
export const LASTS_MS = 3000;
export const MOST = 20;

type Timer = ReturnType<typeof setTimeout>;

/** The rules of the notices, without a screen: they leave after their time, and wait while someone reads. */
export function createToaster() {
  const list = createStore<readonly Toast[]>([]);
  const timers = new Map<number, { timer?: Timer; endsAt: number; left: number }>();
  let last = 0;
  let held = false;

  const dismiss = (id: number) => {
    clearTimeout(timers.get(id)?.timer);
    timers.delete(id);
    list.set(list.get().filter((t) => t.id !== id));
    // The place where someone was reading is empty: nothing is held any more.
    if (list.get().length === 0) held = false;
  };
  const run = (id: number, left: number) =>
    timers.set(id, { left, endsAt: Date.now() + left, timer: setTimeout(() => dismiss(id), left) });

  return {
    list,
    dismiss,
    show(text: string, tone: Toast["tone"] = "ok"): void {
      const id = ++last;
      const oldest = list.get()[0];
      if (list.get().length >= MOST && oldest) dismiss(oldest.id);
      list.set([...list.get(), { id, text, tone }]);
      if (held) timers.set(id, { left: LASTS_MS, endsAt: 0 });
      else run(id, LASTS_MS);
    },
    /** While the pointer or the focus is on them, none leaves. */
    hold(): void {
      if (held) return;
      held = true;
      for (const t of timers.values()) {
        clearTimeout(t.timer);
        t.left = Math.max(0, t.endsAt - Date.now());
      }
    },
    release(): void {
      if (!held) return;
      held = false;
      for (const [id, t] of timers) run(id, t.left);
    },
  };
}

export const toaster = createToaster();
/** Shows a notice at the lower right for three seconds. */
export const toast = toaster.show;
