import css from "./Veil.module.css";

/** Rings on the veil's lake: [rx, ry, opacity], all around one point. */
const RINGS = [
  [26, 5, 0.55],
  [86, 16, 0.49],
  [172, 33, 0.42],
  [282, 54, 0.36],
  [414, 79, 0.29],
  [567, 108, 0.22],
  [739, 140, 0.16],
  [930, 177, 0.09],
] as const;

export function Ripples() {
  return (
    <svg className={css.lake} viewBox="0 0 1600 420" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {RINGS.map(([rx, ry, opacity]) => (
        <ellipse key={rx} cx="800" cy="286" rx={rx} ry={ry} opacity={opacity} />
      ))}
    </svg>
  );
}
