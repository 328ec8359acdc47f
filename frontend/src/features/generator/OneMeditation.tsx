import type { ReactNode } from "react";
import { useState } from "react";
import { generator as copy } from "@/copy/generator";
import { useLive } from "@/data/live-meditations";
import { hasEnded } from "@/data/live-meditation";
import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { PageLoader } from "@/ui/PageLoader";
import { Form } from "./Form";
import { Gone } from "./Gone";
import { Layout } from "./Layout";
import { Made } from "./Made";
import { Making } from "./Making";

const GoneAction = () => (
  <ButtonLink look="primary" to={paths.generator}>
    {copy.gone.action}
  </ButtonLink>
);

const Waiting = () => <PageLoader label={copy.making.opening} />;

interface OneMeditationProps {
  id: string;
  page: GetGeneratorResponse | undefined;
  /** What stands there of one that its member has deleted, and what is said of one that is marked. */
  gone: ReactNode;
  notice: ReactNode;
}

/** What stands at a meditation's address: being made, made, or why not. */
export function OneMeditation({ id, page, gone, notice }: OneMeditationProps) {
  const live = useLive(id);
  const [watched, setWatched] = useState(false);
  const { meditation: m } = live;
  useTitle(m?.title ?? "");
  if (m && !watched && !hasEnded(m.stage)) setWatched(true);
  if (live.link === "gone")
    return <Gone id={id} trouble={live.trouble} copy={copy.gone} action={<GoneAction />} />;
  if (!m) return <Waiting />;
  if (gone) return gone;
  if (m.stage === Stage.READY)
    return <Made meditation={m} segments={live.segments} justMade={watched} notice={notice} />;
  if (!hasEnded(m.stage)) return <Making meditation={m} live={live} />;
  if (!page) return <Waiting />;
  const failed = `${m.failureMessage || copy.failedPlain} ${copy.failed}`;
  const fault = m.stage === Stage.CANCELLED ? copy.wasCancelled : failed;
  return (
    <Layout>
      <Form page={page} from={m} fault={fault} />
    </Layout>
  );
}
