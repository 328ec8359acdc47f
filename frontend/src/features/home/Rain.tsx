import { random } from "@/art/geometry";
import css from "./Hero.module.css";

/** Fine rain over the hero: the same 200 strokes on every visit. */
const strokes = (() => {
  const r = random(7);
  let d = "";
  for (let i = 0; i < 200; i++) {
    const length = Math.round(8 + r() * 26);
    d += `M${Math.round(r() * 1600)} ${Math.round(r() * 900)}l${length > 20 ? -2 : -1} ${length}`;
  }
  return d;
})();

export function Rain() {
  return (
    <div className={css.rain} aria-hidden="true">
      <svg viewBox="0 0 1600 900" preserveAspectRatio="xMidYMid slice" fill="none">
        <path d={strokes} />
      </svg>
    </div>
  );
}
