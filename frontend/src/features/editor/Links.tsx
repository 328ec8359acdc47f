import { useQuery } from "@connectrpc/connect-query";
import { useId, useState } from "react";
import { editor as copy } from "@/copy/editor";
import type { ContentType, Field as Definition } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { Button, IconButton } from "@/ui/Button";
import { FieldError, FieldHint } from "@/ui/Field";
import { controlOf } from "./fields";
import type { LinkRef } from "./fields";
import css from "./Links.module.css";
import { Picker } from "./Picker";
import { AssetPreview } from "./Preview";

interface LinksProps {
  field: Definition;
  links: readonly LinkRef[];
  onChange: (links: readonly LinkRef[]) => void;
  error: string | undefined;
  types: readonly ContentType[];
}

interface OneProps {
  link: LinkRef;
  fixed: boolean;
  onRemove: () => void;
  /** Absent for the first one. */
  onUp: (() => void) | undefined;
}

/** What a link leads to, by its title. */
function One({ link, fixed, onRemove, onUp }: OneProps) {
  const { data, error } = useQuery(EditorService.method.getItem, { key: { id: link.id, asset: link.asset } });
  const title = data?.item?.title || (error ? `${copy.link.gone}: ${link.id}` : link.id);
  return (
    <li className={css.one}>
      <div>
        <span>{title}</span>
        {link.asset && data?.item ? <AssetPreview item={data.item} /> : null}
      </div>
      {fixed ? null : (
        <>
          {onUp ? <IconButton icon="up" label={copy.link.up(title)} onClick={onUp} /> : null}
          <IconButton icon="close" label={copy.link.remove(title)} onClick={onRemove} />
        </>
      )}
    </li>
  );
}

/** A field that leads to an entry or an asset, or to several. */
export function Links({ field, links, onChange, error, types }: LinksProps) {
  const id = useId();
  const [picking, pick] = useState(false);
  const several = controlOf(field) === "links";
  const asset = field.linkType === "Asset";
  const without = (i: number) => links.filter((_, at) => at !== i);
  const up = (i: number) => links.with(i - 1, links[i] as LinkRef).with(i, links[i - 1] as LinkRef);
  const picked = (chosen: string) => {
    pick(false);
    onChange(several ? [...links, { id: chosen, asset }] : [{ id: chosen, asset }]);
  };
  return (
    <div className={css.field} role="group" aria-labelledby={id}>
      <p className={css.label} id={id}>
        {field.name}
      </p>
      {links.length > 0 ? (
        <ul className={css.list}>
          {links.map((link, i) => (
            <One
              key={`${link.id} ${links.findIndex((l) => l.id === link.id) === i ? "" : i}`}
              link={link}
              fixed={field.disabled}
              onRemove={() => onChange(without(i))}
              onUp={i > 0 ? () => onChange(up(i)) : undefined}
            />
          ))}
        </ul>
      ) : null}
      {field.disabled ? (
        <FieldHint>{copy.readOnly}</FieldHint>
      ) : (
        <Button
          small
          className={css.pick}
          aria-describedby={error ? `${id}-e` : undefined}
          data-faulty={error ? "" : undefined}
          onClick={() => pick(true)}
        >
          {several ? copy.link.add(field.name) : copy.link.pick(field.name)}
        </Button>
      )}
      {error ? <FieldError id={`${id}-e`}>{error}</FieldError> : null}
      {picking ? <Picker field={field} types={types} onPick={picked} onClose={() => pick(false)} /> : null}
    </div>
  );
}
