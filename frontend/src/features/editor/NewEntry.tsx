import type { FormEvent } from "react";
import { useEffect, useRef, useState } from "react";
import { editor as copy } from "@/copy/editor";
import { useWrite } from "@/data/mutation";
import type { ContentType } from "@/gen/serein/web/v1/editor_pb";
import { ownedDraft } from "@/lib/owned-draft";
import { Link, useNavigate } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { ErrorNote } from "@/ui/States";
import { toast } from "@/ui/toast/store";
import type { Edits } from "./fields";
import { edited, faultsOf, fieldIn, fieldsOf, idFor, shown, without } from "./fields";
import { Fields, useFocusOnFault } from "./ItemForm";
import css from "./NewEntry.module.css";
import { editorAddress } from "./place";
import { CREATE } from "./writes";

const draftOf = (type: string) =>
  ownedDraft<Edits>(`serein-editor-new-${type}`, (edits) =>
    Object.values(edits).every((e) => typeof e?.was === "string"),
  );

/** A new entry of a type. What is written stays in this tab until it is made. */
export function NewEntry({ type, types }: { type: ContentType; types: readonly ContentType[] }) {
  const uid = useMember()?.uid;
  const navigate = useNavigate();
  const { send, pending, trouble } = useWrite(CREATE);
  const [edits, setEdits] = useState<Edits>(() => draftOf(type.id).read(uid) ?? {});
  const [faults, setFaults] = useState<Record<string, string>>({});
  // The same entry, however often its answer is lost.
  const random = useRef(crypto.randomUUID().slice(0, 6));
  const form = useFocusOnFault(faults);
  const fields = type.fields.filter((f) => !f.disabled);
  const empty = Object.keys(edits).length === 0;
  useEffect(() => draftOf(type.id).keep(edits, uid), [type.id, edits, uid]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (empty) return;
    const found = faultsOf(fields, undefined, edits);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const id = idFor(String(edits[type.displayField]?.now ?? ""), random.current);
    const { answer, trouble: refused } = await send({
      key: { id, asset: false },
      contentType: type.id,
      fields: fieldsOf(fields, undefined, edits),
    });
    const at = refused ? fieldIn(refused.field, fields) : "";
    if (refused && at) setFaults({ [at]: refused.message });
    if (!answer?.item) return;
    draftOf(type.id).drop();
    toast(copy.saved);
    navigate(editorAddress({ type: type.id, id: answer.item.id }), { replace: true });
  };
  const about = trouble ? fieldIn(trouble.field, fields) : "";
  return (
    <div className={css.page}>
      <p>
        <Link to={editorAddress({ type: type.id })}>{copy.back(type.name)}</Link>
      </p>
      <h2 className={css.title}>{copy.created(type.name)}</h2>
      <form
        className={css.form}
        ref={form}
        aria-label={copy.created(type.name)}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <Fields
          fields={fields}
          types={types}
          valueOfField={(field) => edits[field.id]?.now ?? shown(field, undefined)}
          faults={faults}
          onChange={(field, now) => {
            setFaults((before) => without(before, field.id));
            setEdits((before) => edited(before, undefined, field, now));
          }}
        />
        {trouble && !about ? <ErrorNote message={trouble.message} /> : null}
        <div>
          <Button look="primary" type="submit" pending={pending} unavailable={empty}>
            {copy.create}
          </Button>
        </div>
      </form>
    </div>
  );
}
