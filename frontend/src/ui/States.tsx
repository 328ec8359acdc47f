import type { CSSProperties, ReactNode } from "react";
import { errors } from "@/copy/errors";
import art from "./Art.module.css";
import { Button } from "./Button";
import { classes } from "./classes";
import type { IconName } from "./Icon";
import { Icon } from "./Icon";
import { Motif } from "./Marks";
import css from "./States.module.css";
import { TextButton } from "./TextButton";

/** A still shape of the exact final size, while something loads. Sizes are CSS lengths. */
export function Skeleton({
  width,
  height,
  ratio,
  round,
}: {
  width?: string;
  height?: string;
  ratio?: string;
  round?: string;
}) {
  const style: CSSProperties = { width, height, aspectRatio: ratio, borderRadius: round };
  return <div className={css.skeleton} style={style} aria-hidden="true" />;
}

/**
 * The shape of a card: its print as it is before it is drawn, its title and its facts. Their sizes stand in classes: the build writes the shape into pages, whose
 * content policy allows no style in the markup.
 */
export const CardShape = () => (
  <div className={css.card} aria-hidden="true">
    <div className={classes(art.art, art.plate)} />
    <div className={classes(css.skeleton, css.title)} />
    <div className={classes(css.skeleton, css.facts)} />
  </div>
);

/** Nothing here yet: the motif, one kind sentence, one action. `as` keeps the order of headings. */
export function Empty({
  title,
  children,
  action,
  as: Heading = "h3",
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  as?: "h1" | "h2" | "h3";
}) {
  return (
    <div className={css.empty}>
      <Motif className={css.motif} />
      <Heading className={css.title}>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {action ? <div className={css.actions}>{action}</div> : null}
    </div>
  );
}

/** A note in the page. Danger notes are announced at once; give role="status" for other news. */
export function Note({
  tone,
  icon,
  children,
  role,
}: {
  tone?: "brass" | "danger";
  icon?: IconName;
  children: ReactNode;
  role?: "status";
}) {
  const shown = icon ?? (tone === "danger" ? "alert" : "info");
  return (
    <div className={classes(css.note, tone && css[tone])} role={tone === "danger" ? "alert" : role}>
      <Icon name={shown} />
      <div>{children}</div>
    </div>
  );
}

/** Something could not be loaded or done: what happened, and Try again where that may help. */
export function ErrorNote({ message, onRetry }: { message: string; onRetry?: (() => void) | undefined }) {
  return (
    <Note tone="danger">
      {message} {onRetry ? <TextButton onClick={onRetry}>{errors.retry}</TextButton> : null}
    </Note>
  );
}

/** The same for a whole page or panel. */
export function ErrorPanel({
  title,
  message,
  onRetry,
  retryLabel = errors.retry,
  as,
}: {
  title: string;
  message: string;
  onRetry?: (() => void) | undefined;
  retryLabel?: string;
  as?: "h1" | "h2" | "h3";
}) {
  const action = onRetry ? (
    <Button look="primary" onClick={onRetry}>
      {retryLabel}
    </Button>
  ) : null;
  return (
    <div role="alert">
      <Empty title={title} action={action} {...(as && { as })}>
        {message}
      </Empty>
    </div>
  );
}
