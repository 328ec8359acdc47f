import { home } from "@/copy/home";
import { classes } from "@/ui/classes";
import css from "./Mission.module.css";

export function Mission() {
  return (
    <section className={classes("wrap", css.mission)}>
      <div className="grid">
        <p className={classes("label", css.label)}>{home.mission.label}</p>
        <h2 className={css.title}>{home.mission.title}</h2>
        <p className={classes("lead", css.text)}>{home.mission.text}</p>
      </div>
    </section>
  );
}
