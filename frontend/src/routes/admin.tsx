import type { ReactNode } from "react";
import { Suspense } from "react";
import { useQuery } from "@connectrpc/connect-query";
import { studio as copy } from "@/copy/studio";
import { toUserError } from "@/data/errors";
import { MakeForm } from "@/features/studio/MakeForm";
import type { TabId } from "@/features/studio/Tabs";
import { tabOf, Tabs } from "@/features/studio/Tabs";
import { Unverified } from "@/features/studio/Unverified";
import type { GetStudioResponse } from "@/gen/serein/web/v1/studio_pb";
import { StudioService } from "@/gen/serein/web/v1/studio_pb";
import { preloadable } from "@/lib/preloadable";
import { useLocation } from "@/lib/router";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel } from "@/ui/States";

const Editor = preloadable(() => import("@/features/editor/Editor"));
const Trail = preloadable(() => import("@/features/editor/Trail"));

const ALONE: Partial<Record<TabId, () => ReactNode>> = {
  unverified: () => <Unverified />,
  editor: () => <Editor />,
  trail: () => <Trail />,
};

function Generator({
  kind,
  studio,
}: {
  kind: "meditation" | "article";
  studio: GetStudioResponse | undefined;
}) {
  return studio ? <MakeForm key={kind} kind={kind} studio={studio} /> : <PageLoader label={copy.loading} />;
}

/** The workroom of admins; the tab stands in the address. */
export default function AdminPage() {
  const tab = tabOf(useLocation().search);
  const { data, error, refetch } = useQuery(StudioService.method.getStudio, {});
  useMiniPlayer();
  const made = tab === "meditation" || tab === "article";
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} />
      <Tabs here={tab} unverified={data?.unverified} />
      {made && !(error && !data) ? <Generator kind={tab} studio={data} /> : null}
      {made && error && !data ? (
        <ErrorPanel as="h2" {...toUserError(error)} onRetry={() => void refetch()} />
      ) : null}
      <Suspense fallback={<PageLoader label={copy.loading} />}>{ALONE[tab]?.()}</Suspense>
    </div>
  );
}
