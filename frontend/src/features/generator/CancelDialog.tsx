import { useState } from "react";
import { generator } from "@/copy/generator";
import { useLiveMeditations } from "@/data/live-meditations";
import { useWrite } from "@/data/mutation";
import type { CancelTerms, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { useNavigate } from "@/lib/router";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { ErrorNote, Note } from "@/ui/States";
import { creditCount } from "./model";
import type { FormNews } from "./news";
import { CANCEL } from "./writes";

const copy = generator.cancelling;

/** What cancelling means at this moment, in one or two sentences. */
function meaning(m: Meditation, { price, freeLeft }: CancelTerms): string {
  const credits = creditCount(m.cost);
  if (price > 0) return `${freeLeft > 0 ? copy.quarter : copy.noneLeft} ${copy.due(creditCount(price))}`;
  const back = copy.back(credits, m.cost !== 1);
  return m.passagesDone > 0 ? `${copy.free} ${back} ${copy.left(freeLeft - 1)}` : `${copy.nothing} ${back}`;
}

/** Sends the price that is on the screen. Where another is due by now nothing happens, and the new terms are asked for. */
function useCancel(m: Meditation, onClose: () => void) {
  const navigate = useNavigate();
  const live = useLiveMeditations().of(m.id);
  const { send, pending, trouble } = useWrite(CANCEL);
  const changed = trouble?.reason === "CANCEL_TERMS_CHANGED";
  const cancel = async (acceptedPrice: number) => {
    const sent = await send({ id: m.id, acceptedPrice });
    if (sent.trouble?.reason === "CANCEL_TERMS_CHANGED") live.retry();
    const cancelled = sent.answer?.meditation;
    if (!cancelled) return;
    onClose();
    // What was ready just before stays, and shows itself; so does what was paid for.
    if (cancelled.stage === Stage.CANCELLED) {
      const news = generator.cancelled(creditCount(m.cost), m.cost !== 1);
      void navigate(paths.generator, { replace: true, state: { news } satisfies FormNews });
    }
    live.take(cancelled);
  };
  return { cancel, pending, changed, failed: trouble !== null && !changed };
}

/** Says what cancelling means, while that changes, before anything happens. */
export function CancelDialog({ meditation: m, onClose }: { meditation: Meditation; onClose: () => void }) {
  const { cancel, pending, changed, failed } = useCancel(m, onClose);
  const [opened] = useState(m.cancelTerms?.price ?? 0);
  const terms = m.cancelTerms;
  const news = changed || (terms !== undefined && terms.price !== opened);
  return (
    <Dialog title={copy.title} onClose={onClose}>
      {failed ? <ErrorNote message={generator.notCancelled} /> : null}
      {news ? <Note>{copy.changed}</Note> : null}
      <p aria-live="polite">{terms ? meaning(m, terms) : copy.over}</p>
      <DialogActions>
        {terms ? (
          <Button look="danger" pending={pending} onClick={() => void cancel(terms.price)}>
            {terms.price > 0 ? copy.pay(creditCount(terms.price)) : copy.confirm}
          </Button>
        ) : null}
        <Button data-first onClick={onClose}>
          {terms ? copy.keep : copy.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
