import { home as copy } from "@/copy/home";
import type { GetHomeResponse } from "@/gen/serein/web/v1/pages_pb";
import { classes } from "@/ui/classes";
import css from "./Mission.module.css";

/** Serein's mission in its editors' words, or in the app's default words until Home's answer has come. */
export function Mission({ home }: { home: GetHomeResponse | undefined }) {
  return (
    <section className={classes("wrap", css.mission)}>
      <div className="grid">
        <p className={classes("label", css.label)}>{copy.mission.label}</p>
        <h2 className={css.title}>{home?.missionTitle ?? copy.mission.title}</h2>
        <p className={classes("lead", css.text)}>{home?.missionDescription ?? copy.mission.text}</p>
      </div>
    </section>
  );
}
