import { useRef, useState } from "react";
import { diary as words } from "@/copy/diary";
import type { DiaryEntry } from "@/gen/serein/web/v1/diary_pb";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { LineForm } from "@/player/listening/LineForm";
import { TextButton } from "@/ui/TextButton";
import css from "./DiaryPage.module.css";
import { addressOf, dayWords, heardWords, nameOf, whatOf } from "./model";

function What({ entry }: { entry: DiaryEntry }) {
  const member = useMember();
  const library = member?.admin === true || member?.plan?.entitlements.includes("library") === true;
  const what = whatOf(entry);
  if (!what) return null;
  const to = addressOf(entry, library);
  return (
    <p className={css.what}>
      {to ? <Link to={to}>{what}</Link> : <span>{what}</span>} <small>{heardWords(entry)}</small>
    </p>
  );
}

/** One entry: its day, what was heard, the member's line, and what can be done with it. */
export function Entry({ entry, onRemove }: { entry: DiaryEntry; onRemove: () => void }) {
  const [editing, setEditing] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const name = nameOf(entry);
  const close = () => {
    setEditing(false);
    // The form had the focus: it goes back to the button that opened it.
    requestAnimationFrame(() => change.current?.focus());
  };
  return (
    <li className={css.entry}>
      <time dateTime={entry.day}>{dayWords(entry.day)}</time>
      <div className={css.said}>
        <What entry={entry} />
        {editing ? (
          <LineForm
            id={entry.id}
            line={entry.line}
            needed={entry.byHand}
            label={words.line}
            cancel={words.cancel}
            onClose={close}
          />
        ) : (
          <>
            {entry.line ? <p className={css.line}>{entry.line}</p> : null}
            <p className={css.acts}>
              <TextButton
                ref={change}
                aria-label={entry.line ? words.changeLineOf(name) : words.addLineTo(name)}
                onClick={() => setEditing(true)}
              >
                {entry.line ? words.changeLine : words.addLine}
              </TextButton>
              <TextButton aria-label={words.removeOf(name)} onClick={onRemove}>
                {words.remove}
              </TextButton>
            </p>
          </>
        )}
      </div>
    </li>
  );
}
