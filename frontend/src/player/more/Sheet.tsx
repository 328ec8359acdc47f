import { player as copy } from "@/copy/player";
import { useGeneratorPage } from "@/data/generator-page";
import { Dialog } from "@/ui/Dialog";
import { AmbienceTiles, Levels } from "../Sound";
import css from "./Sheet.module.css";
import { SleepTimer } from "./SleepTimer";
import { Speed } from "./Speed";
import { Words } from "./Words";

/** The sound beneath, both volumes, speed and sleep timer of what is in the player, over any page. */
export default function Sheet({ onClose }: { onClose: () => void }) {
  const { data, error } = useGeneratorPage();
  const away = error && !data;
  return (
    <div data-theme="dark">
      <Dialog title={copy.more.title} onClose={onClose} className={css.sheet}>
        <section className={css.part}>
          <h3 className={css.heading}>{copy.around}</h3>
          <AmbienceTiles tracks={away ? [] : data?.tracks} />
          <p role="status" className={css.away}>
            {away ? copy.more.tracksAway : ""}
          </p>
          <Levels tracks={data?.tracks ?? []} />
        </section>
        <Speed className={css.heading} as="h3" />
        <SleepTimer className={css.heading} as="h3" />
        <Words className={css.heading} />
      </Dialog>
    </div>
  );
}
