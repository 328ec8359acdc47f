import css from "./Icon.module.css";

/** Our own icons, drawn on a 20 px grid with one 1.5 px line. */
const PATHS = {
  close: "m5 5 10 10M15 5 5 15",
  menu: "M3 6.5h14M3 13.5h14",
  arrow: "M4 10h12m-4.5-4.5L16 10l-4.5 4.5",
  down: "m5 8 5 5 5-5",
  up: "m5 12 5-5 5 5",
  search: "M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0m-1.3 4.2 3.8 3.8",
  tick: "m4 10.5 4 4 8-9",
  alert: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6.3v4.5M10 13.5v.1",
  info: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 9.2v4.3M10 6.5v.1",
  clock: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6v4.2l2.8 1.7",
  play: "M5.5 3.2v13.6L17 10z",
  pause: "M5 3.5h3.4v13H5zM11.6 3.5H15v13h-3.4z",
  back: "M5.3 5.3a6.7 6.7 0 1 1-1.9 4.2M5.6 2v3.5h3.5",
  forward: "M14.7 5.3a6.7 6.7 0 1 0 1.9 4.2M14.4 2v3.5h-3.5",
  signOut: "M8 4H4v12h4M8.5 10H17m-3.5-3.5L17 10l-3.5 3.5",
  mail: "M2.8 4.8h14.4v10.4H2.8zM3 5.3l7 5.7 7-5.7",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  basket: "M4.5 7h11l.8 10H3.7zM7 7V6a3 3 0 0 1 6 0v1",
  card: "M2.5 5h15v10.5h-15zM2.5 8.5h15",
  undo: "M7 4 3.5 7.5 7 11M3.8 7.5H12a4.2 4.2 0 0 1 0 8.5H8",
  voice:
    "M10 2.8a2.4 2.4 0 0 1 2.4 2.4v4.6a2.4 2.4 0 0 1-4.8 0V5.2A2.4 2.4 0 0 1 10 2.8M4.8 9.6a5.2 5.2 0 0 0 10.4 0M10 14.8v2.7",
  save: "M5.5 3h9v14L10 13.6 5.5 17z",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  heart: "M10 16.6C5 13 2.7 10.3 2.7 7.4a3.7 3.7 0 0 1 7.3-1 3.7 3.7 0 0 1 7.3 1c0 2.9-2.3 5.6-7.3 9.2z",
  headphones:
    "M3 13.5V10a7 7 0 0 1 14 0v3.5M3 12h3v5H4.5A1.5 1.5 0 0 1 3 15.5zm14 0h-3v5h1.5a1.5 1.5 0 0 0 1.5-1.5z",
  lock: "M4.5 9h11v8h-11zM7 9V6.5a3 3 0 0 1 6 0V9",
  copy: "M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7",
  share: "M10 12V3M7 6l3-3 3 3M4 10v6.5h12V10",
  download: "M10 3v9M7 9l3 3 3-3M4 10v6.5h12V10",
  keep: "M6 2.8h8v14.4H6zM10 6v5.5m-2-2 2 2 2-2",
  bin: "M4 6h12M8 6V4h4v2M5.5 6l.8 11h7.4l.8-11",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration beside words; a button that is only an icon takes its name from IconButton's label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={css.icon} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
