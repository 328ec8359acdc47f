import type { ReactNode } from "react";
import { player as copy } from "@/copy/player";
import { useHeard, usePlayer } from "@/player/hooks";
import { Art } from "@/ui/Art";
import type { IconName } from "@/ui/Icon";
import { Icon } from "@/ui/Icon";
import css from "./MemberHome.module.css";

interface PartProps {
  /** What it is, above its title: "Carry on". */
  label: string;
  /** The link or the button, whose words are the title: it is stretched over the whole part. */
  children: ReactNode;
  fact: string;
  scene: string;
  seed: string;
  icon: IconName;
}

/** One thing to do: a print, and one press. */
export function Part({ label, children, fact, scene, seed, icon }: PartProps) {
  return (
    <article className={css.part}>
      <Art scene={scene} seed={seed} className={css.art} />
      <div className={css.words}>
        <p className={css.label}>{label}</p>
        <h3 className={css.title}>{children}</h3>
        <p className={css.fact}>{fact}</p>
      </div>
      <span className={css.icon}>
        <Icon name={icon} />
      </span>
    </article>
  );
}

interface PlayedProps extends Omit<PartProps, "children" | "icon"> {
  title: string;
  /** Its id in the player. */
  id: string;
  press: () => void;
}

/** What a press plays here, from where it was left, and another one pauses. */
export function PlayedPart({ title, id, press, ...rest }: PlayedProps) {
  const playing = useHeard(usePlayer()) === id;
  const name = playing ? copy.pauseTitle(title) : copy.playTitle(title);
  return (
    <Part {...rest} icon={playing ? "pause" : "play"}>
      <button type="button" aria-label={name} onClick={press}>
        {title}
      </button>
    </Part>
  );
}
