import { remember, remembered } from "./storage";

/** What somebody writes on a form, kept for this tab: through a reload, leaving and coming back. Nobody else is shown it. */
export interface OwnedDraft<T> {
  /** The draft that `uid` wrote, or null. */
  read: (uid: string | undefined) => T | null;
  keep: (value: T, uid: string | undefined) => void;
  drop: () => void;
}

/** `isSound` refuses what an older version of the app, or somebody's hand, has left there. */
export function ownedDraft<T>(key: string, isSound: (value: Partial<T>) => boolean): OwnedDraft<T> {
  const parsed = (): { owner?: unknown; value?: Partial<T> } | null => {
    try {
      return JSON.parse(remembered("sessionStorage", key) ?? "null");
    } catch {
      return null;
    }
  };
  return {
    read: (uid) => {
      const draft = parsed();
      if (!draft?.value || !uid || draft.owner !== uid || !isSound(draft.value)) return null;
      return draft.value as T;
    },
    keep: (value, uid) => {
      if (uid) remember("sessionStorage", key, JSON.stringify({ owner: uid, value }));
    },
    drop: () => remember("sessionStorage", key, null),
  };
}
