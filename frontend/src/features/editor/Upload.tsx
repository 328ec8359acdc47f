import type { FormEvent } from "react";
import { useRef, useState } from "react";
import { editor as copy } from "@/copy/editor";
import { useWrite } from "@/data/mutation";
import { Link, useNavigate } from "@/lib/router";
import { Button } from "@/ui/Button";
import { Field, TextArea } from "@/ui/Field";
import { ErrorNote } from "@/ui/States";
import { toast } from "@/ui/toast/store";
import { idFor } from "./fields";
import css from "./NewEntry.module.css";
import { editorAddress } from "./place";
import { UPLOAD } from "./writes";

/** The contract's limit of a file, in bytes. */
const MAX_BYTES = 10_485_760;
const TYPES = "image/avif,image/jpeg,image/png,image/webp,audio/mpeg";
/** The longest name that the contract takes; the end of a name says what it is. */
const MAX_NAME = 120;

/** "Rain on a lake" of "rain-on-a-lake.png". */
const titleOf = (fileName: string): string => {
  const words = fileName
    .replace(/\.[^.]+$/, "")
    .replaceAll(/[-_]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A picture or a sound of one's own, as a draft. */
export function Upload() {
  const navigate = useNavigate();
  const { send, pending, trouble } = useWrite(UPLOAD);
  const [file, setFile] = useState<File | null>(null);
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const random = useRef(crypto.randomUUID().slice(0, 6));
  const large = file !== null && file.size > MAX_BYTES;
  const off = !file || large || title.trim() === "";
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen && title.trim() === "") setTitle(titleOf(chosen.name));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (off || !file) return;
    const content = new Uint8Array(await file.arrayBuffer());
    const { answer } = await send({
      id: idFor(title, random.current),
      title: title.trim(),
      description: description.trim(),
      fileName: file.name.slice(-MAX_NAME),
      content,
    });
    if (!answer?.item) return;
    toast(copy.asset.sent);
    navigate(editorAddress({ assets: true, id: answer.item.id }), { replace: true });
  };
  return (
    <div className={css.page}>
      <p>
        <Link to={editorAddress({ assets: true })}>{copy.back(copy.assets)}</Link>
      </p>
      <h2 className={css.title}>{copy.upload}</h2>
      <form className={css.form} aria-label={copy.upload} noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label={copy.asset.file}
          type="file"
          accept={TYPES}
          required
          hint={copy.asset.fileHint}
          error={large ? copy.asset.large : undefined}
          onChange={(event) => choose(event.target.files?.[0] ?? null)}
        />
        <Field
          label={copy.asset.title}
          value={title}
          required
          maxLength={255}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea
          label={copy.asset.description}
          rows={3}
          value={description}
          maxLength={2000}
          hint={copy.asset.descriptionHint}
          onChange={(event) => setDescription(event.target.value)}
        />
        {trouble ? <ErrorNote message={trouble.message} /> : null}
        <div>
          <Button
            look="primary"
            type="submit"
            pending={pending}
            unavailable={off}
            aria-describedby="upload-needs"
          >
            {copy.asset.send}
          </Button>
          <p className="small muted" id="upload-needs">
            {off ? copy.asset.needs : ""}
          </p>
        </div>
      </form>
    </div>
  );
}
