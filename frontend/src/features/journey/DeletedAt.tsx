import { timestampMs } from "@bufbuild/protobuf/wkt";
import { own as words } from "@/copy/own";
import { useOwn } from "@/data/own";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { now } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Empty, Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { toast } from "@/ui/toast/store";

function Gone({ m }: { m: Meditation }) {
  const action = (
    <ButtonLink look="primary" to={paths.journey}>
      {words.gone.action}
    </ButtonLink>
  );
  return (
    <Empty as="h1" title={words.gone.title(m.title)} action={action}>
      {words.gone.text}
    </Empty>
  );
}

function Marked({ m }: { m: Meditation }) {
  const { news, recover } = useOwn();
  const until = words.until(dayAndTime(m.deletesAt ? timestampMs(m.deletesAt) : 0, now()));
  const press = async () => {
    if (await recover(m)) toast(words.recovered(m.title));
  };
  return (
    <Note icon="bin" role="status">
      {news?.refused ? news.text : until}{" "}
      <TextButton aria-label={words.recoverOf(m.title)} onClick={() => void press()}>
        {words.recover}
      </TextButton>
    </Note>
  );
}

/** At its own address, one that is marked deleted: until when it can be brought back, or that it is gone. */
export default function DeletedAt({ m, gone }: { m: Meditation; gone: boolean }) {
  return gone ? <Gone m={m} /> : <Marked m={m} />;
}
