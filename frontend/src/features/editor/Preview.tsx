import type { JsonValue } from "@bufbuild/protobuf";
import { useState } from "react";
import { editor as copy } from "@/copy/editor";
import { useWrite } from "@/data/mutation";
import type { Field, Item } from "@/gen/serein/web/v1/editor_pb";
import { PlainPlayer } from "@/player/PlainPlayer";
import { Html } from "@/ui/Html";
import { ErrorNote } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import type { Media, Told } from "./fields";
import { controlOf, mediaOf, told, valueOf } from "./fields";
import css from "./Preview.module.css";
import { PREVIEW_TEXT } from "./writes";

/** A list as a list, and what has names under its names. */
function Values({ value }: { value: JsonValue | undefined }) {
  if (typeof value !== "object" || value === null) return <span>{String(value ?? copy.nothingWritten)}</span>;
  if (Array.isArray(value))
    return (
      <ul className={css.values}>
        {value.map((one, i) => (
          <li key={`${i} ${JSON.stringify(one)}`}>
            <Values value={one} />
          </li>
        ))}
      </ul>
    );
  return (
    <dl className={css.named}>
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Values value={one} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Parsed({ now }: { now: Told }) {
  return now.fault === undefined ? <Values value={now.value} /> : <p>{now.fault}</p>;
}

/** What is written, beside it: a text as readers will see it, anything else by its values. */
export function Preview({ field, text }: { field: Field; text: string }) {
  const { name } = field;
  const { send, pending, trouble } = useWrite(PREVIEW_TEXT);
  const [html, show] = useState<string | null>(null);
  const isText = controlOf(field) === "text";
  const open = async () => {
    if (!isText) return show("");
    const { answer } = await send({ markdown: text });
    if (answer) show(answer.html);
  };
  return (
    <div className={css.preview}>
      <TextButton
        aria-expanded={html !== null}
        aria-label={html === null ? copy.previewOf(name) : copy.hideOf(name)}
        unavailable={pending}
        onClick={() => (html === null ? void open() : show(null))}
      >
        {html === null ? copy.preview : copy.hide}
      </TextButton>
      {trouble ? <ErrorNote message={trouble.message} /> : null}
      {html === null ? null : (
        <section className={css.paper} aria-label={copy.previewOf(name)}>
          {isText ? <Html html={html} /> : <Parsed now={told(field, text)} />}
        </section>
      )}
    </div>
  );
}

/** A picture to be seen, a sound to be heard. */
function Shown({ media, name }: { media: Media; name: string }) {
  const label = copy.previewOf(name);
  if (media.sound) return <PlainPlayer src={media.src} label={label} />;
  return <img className={css.picture} src={media.src} alt={label} loading="lazy" />;
}

/** The picture or the sound of an asset. Readers have its file, and with them editors, once it is published. */
export function AssetPreview({ item }: { item: Item }) {
  const media = mediaOf(valueOf(item, "file"));
  if (!media) return null;
  if (item.publishedVersion === 0) return <p className="caption quiet">{copy.asset.unseen}</p>;
  return <Shown media={media} name={item.title || copy.untitled} />;
}

/** What a field of the service's own holds, where that can be seen or heard. */
export function OwnPreview({ field, item }: { field: Field; item: Item }) {
  if (item.contentType === "" && field.id === "file") return <AssetPreview item={item} />;
  const media = field.disabled ? mediaOf(valueOf(item, field.id)) : undefined;
  return media ? <Shown media={media} name={field.name} /> : null;
}
