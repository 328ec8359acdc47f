import { Code } from "@connectrpc/connect";
import type { ReactElement } from "react";
import { toUserError } from "@/data/errors";
import { useLiveMeditations } from "@/data/live-meditations";
import { Empty, ErrorPanel } from "@/ui/States";

interface GoneProps {
  id: string;
  /** Why the meditation is not there. */
  trouble: unknown;
  copy: { title: string; message: string };
  /** The way on from a meditation that does not exist. */
  action: ReactElement;
}

/** A page whose meditation does not exist, or could not be read: that can be tried again. */
export function Gone({ id, trouble, copy, action }: GoneProps) {
  const { title, message, code } = toUserError(trouble);
  const { retry } = useLiveMeditations().of(id);
  if (code !== Code.NotFound) return <ErrorPanel as="h1" title={title} message={message} onRetry={retry} />;
  return (
    <Empty as="h1" title={copy.title} action={action}>
      {copy.message}
    </Empty>
  );
}
