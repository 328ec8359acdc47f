import type { FormEvent, KeyboardEvent, RefObject } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { script as copy } from "@/copy/script";
import type { DraftLine } from "@/gen/serein/web/v1/drafts_pb";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { FieldError, TextArea } from "@/ui/Field";
import { TextButton } from "@/ui/TextButton";
import { Care } from "./Care";
import css from "./Script.module.css";
import type { LineWrites } from "./useScript";

/** Rows for a text where the browser does not size the box by it. */
const rowsFor = (text: string): number => Math.max(2, Math.ceil(text.length / 44) + 1);

interface LineProps {
  line: DraftLine;
  writes: LineWrites;
  /** What keeps it from being narrated. */
  problem: string;
  /** No more lines are written again. */
  spent: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** A line of the script: read, and changed in its place. */
export function ScriptLine(props: LineProps) {
  const { line, problem, open } = props;
  const shown = useRef<HTMLButtonElement>(null);
  const { dropped } = line;
  const was = useRef({ open, dropped });
  useEffect(() => {
    const { current: before } = was;
    was.current = { open, dropped };
    // What stood there had the focus, and went: the box, or the button when the answer came that the line is left out.
    const lost = before.dropped !== dropped && document.activeElement === document.body;
    if (!open && (before.open || lost)) shown.current?.focus();
  }, [open, dropped]);
  const problemId = useId();
  return (
    <li className={css.line} id={`line-${line.number}`}>
      {open ? <Editor {...props} /> : <Shown {...props} shown={shown} problemId={problem ? problemId : ""} />}
      {problem ? <FieldError id={problemId}>{problem}</FieldError> : null}
    </li>
  );
}

type ShownProps = LineProps & { shown: RefObject<HTMLButtonElement | null>; problemId: string };

function Shown({ line, onOpen, writes, shown, problemId }: ShownProps) {
  const describedBy = problemId || undefined;
  if (line.dropped)
    return (
      <p className={css.dropped}>
        <s>{line.text}</s> <span className="label">{copy.dropped}</span>
        <TextButton ref={shown} aria-describedby={describedBy} onClick={() => void writes.drop(line, false)}>
          {copy.takeBack}
          <span className="sr"> {line.text}</span>
        </TextButton>
      </p>
    );
  return (
    <button
      ref={shown}
      type="button"
      className={css.text}
      aria-describedby={describedBy}
      onClick={() => onOpen(true)}
    >
      {line.text}
      {line.edited ? <span className={classes("label", css.mark)}>{copy.edited}</span> : null}
      <span className="sr"> {copy.edit}</span>
    </button>
  );
}

function Editor({ line, writes, spent, onOpen }: LineProps) {
  const [text, setText] = useState(line.text);
  const [refused, setRefused] = useState({ message: "", care: 0 });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("textarea")?.focus(), []);
  // Another line came, in place of what stood here.
  const [of, setOf] = useState(line.text);
  if (of !== line.text) {
    setOf(line.text);
    setText(line.text);
  }

  const done = async (sending: ReturnType<LineWrites["say"]>, stay = false) => {
    const trouble = await sending;
    if (!trouble) return stay ? setRefused({ message: "", care: 0 }) : onOpen(false);
    const care = trouble.reason === "DRAFT_LINE_NEEDS_CARE";
    setRefused((before) => ({ message: care ? "" : trouble.message, care: care ? before.care + 1 : 0 }));
    if (!care) box.current?.querySelector("textarea")?.focus();
  };
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === line.text) return onOpen(false);
    void done(writes.say(line, text));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onOpen(false);
    // A line has no breaks: Enter saves it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };
  const back = () => {
    setRefused({ message: "", care: 0 });
    box.current?.querySelector("textarea")?.focus();
  };
  return (
    <div ref={box}>
      <form className={css.editor} onSubmit={save} noValidate>
        <TextArea
          label={copy.line(line.number)}
          className={css.area}
          value={text}
          rows={rowsFor(text)}
          error={refused.message || undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className={css.acts}>
          <Button look="tint" small type="submit" pending={writes.pending}>
            {copy.save}
          </Button>
          <Button
            look="quiet"
            small
            unavailable={spent}
            onClick={() => void done(writes.another(line), true)}
          >
            {copy.another}
          </Button>
          <Button look="quiet" small onClick={() => void done(writes.drop(line, true))}>
            {copy.leaveOut}
          </Button>
          {line.edited ? (
            <Button look="quiet" small onClick={() => void done(writes.say(line, line.written))}>
              {copy.original}
            </Button>
          ) : null}
          <Button look="quiet" small onClick={() => onOpen(false)}>
            {copy.close}
          </Button>
        </div>
        {spent ? <p className="small muted">{copy.spent}</p> : null}
      </form>
      {refused.care > 0 ? <Care cause="hand" calls={refused.care} onBack={back} /> : null}
    </div>
  );
}
