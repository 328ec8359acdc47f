import { useState } from "react";
import { credentials } from "@/copy/credentials";
import { copyText } from "@/lib/clipboard";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import css from "./SecondStep.module.css";

const words = credentials.secondStep;

/** How long a browser may take to begin a download, in ms. */
const DOWNLOAD_MS = 30_000;

/** Hands a text over as a file of the member's. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_MS);
}

interface RecoveryCodesProps {
  username: string;
  codes: string[];
  onKept: () => void;
}

/** Shows recovery codes this once: it closes by saying that they are kept, and by nothing else. */
export function RecoveryCodes({ username, codes, onKept }: RecoveryCodesProps) {
  const [said, say] = useState("");
  const copy = async () => say((await copyText(codes.join("\n"))) ? words.copied : words.notCopied);
  const save = () => download(words.file, [words.fileHead(username), "", ...codes, ""].join("\r\n"));
  return (
    <Dialog title={words.codesTitle}>
      <p className={css.lead}>{words.codesLead}</p>
      <ol className={css.codes} aria-label={words.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={css.take}>
        <Button small data-first="" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <Button small onClick={save}>
          {words.download}
        </Button>
      </div>
      <div role="status" className={css.said}>
        {said}
      </div>
      <DialogActions>
        <Button look="primary" onClick={onKept}>
          {words.kept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
