import type { SetSavedResponse } from "@/gen/serein/web/v1/items_pb";

/** A heart or a bookmark: on or off, and what a press does. */
interface Toggle {
  on: boolean;
  /** The answer is awaited; a press does nothing. */
  pending: boolean;
}

export interface Like extends Toggle {
  /** Of all members, with this press. */
  likes: number;
  press: () => Promise<void>;
}

export interface Save extends Toggle {
  /** Answers with what became of it; null where it was refused, which was said. */
  press: () => Promise<SetSavedResponse | null>;
}
