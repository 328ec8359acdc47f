import { useParams } from "@/lib/router";
import { generator as copy } from "@/copy/generator";
import { toUserError } from "@/data/errors";
import { Form } from "@/features/generator/Form";
import { Layout } from "@/features/generator/Layout";
import { OneMeditation } from "@/features/generator/OneMeditation";
import { useDeleted } from "@/features/journey/at-address";
import { useGeneratorPage } from "@/data/generator-page";
import { useLive } from "@/data/live-meditations";
import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel } from "@/ui/States";

/** One meditation, with what My Journey says of it where it is marked deleted. */
function One(props: { id: string; page: GetGeneratorResponse | undefined }) {
  return <OneMeditation {...props} {...useDeleted(useLive(props.id).meditation)} />;
}

/** The form, or the meditation whose id stands in the address. */
export default function GeneratorPage() {
  const { id } = useParams();
  const { data, error, refetch } = useGeneratorPage();
  useMiniPlayer();
  if (id) return <One key={id} id={id} page={data} />;
  if (error && !data) {
    const { title, message } = toUserError(error);
    return <ErrorPanel as="h1" title={title} message={message} onRetry={() => void refetch()} />;
  }
  return <Layout>{data ? <Form page={data} /> : <PageLoader label={copy.loading} />}</Layout>;
}
