import { useState } from "react";
import { exporting as words } from "@/copy/exporting";
import { LOST } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import { defineWrite, useWrite } from "@/data/mutation";
import type { MakeExportResponse } from "@/gen/serein/web/v1/export_pb";
import { ExportService } from "@/gen/serein/web/v1/export_pb";
import { now } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";
import { Button } from "@/ui/Button";
import { ErrorNote } from "@/ui/States";
import { BandRow, Fact } from "./Band";
import css from "./Export.module.css";
import { Outcome } from "./Outcome";
import { msOf } from "./plan";

const MAKE = defineWrite({ method: ExportService.method.makeExport });

const MEGABYTE = 1_000_000;

const aboutIt = ({ bytes, expiresAt }: MakeExportResponse): string =>
  words.made(bytes > 0 ? words.size(Number(bytes) / MEGABYTE) : "", dayAndTime(msOf(expiresAt), now()));

/** A copy of everything of the member's: a link that is made here, and works once. */
export function Export() {
  const { send, pending, trouble } = useWrite(MAKE);
  const [link, setLink] = useState<MakeExportResponse | null>(null);
  const [used, setUsed] = useState(false);
  const make = async () => {
    const { answer } = await send({});
    if (!answer) return;
    setLink(answer);
    setUsed(false);
  };
  const offered = link !== null && !used;
  const button = (
    <Button small look={link ? "quiet" : "line"} pending={pending} onClick={() => void make()}>
      {link ? words.again : words.make}
    </Button>
  );
  const download = (
    <a className={css.download} href={link?.url} download={link?.fileName} onClick={() => setUsed(true)}>
      {words.download}
    </a>
  );
  return (
    <BandRow title={words.title} text={words.text}>
      {offered ? (
        <Fact label={link.fileName} text={aboutIt(link)} action={download} />
      ) : (
        <Fact label={words.what} text={words.detail} action={link ? null : button} />
      )}
      {trouble ? (
        <ErrorNote message={LOST.has(trouble.code) ? lostWords(words.lost) : words.failed(trouble.message)} />
      ) : null}
      <Outcome text={offered ? words.ready : used ? words.downloading : ""} />
      {link ? <p className={css.again}>{button}</p> : null}
    </BandRow>
  );
}
