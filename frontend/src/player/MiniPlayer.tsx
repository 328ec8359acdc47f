import type { MouseEvent } from "react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { Link, useLocation } from "@/lib/router";
import { player as copy } from "@/copy/player";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { formatClock } from "@/lib/format";
import { paths } from "@/lib/paths";
import { useStore } from "@/lib/store";
import { Art } from "@/ui/Art";
import { classes } from "@/ui/classes";
import { IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { usePlayer, usePlayerState } from "./hooks";
import { MoreButton } from "./MoreButton";
import css from "./MiniPlayer.module.css";
import { NextStep } from "./NextStep";
import type { NowPlaying, Player } from "./player";
import { printOf } from "./print";

const STEP_MS = 15_000;

/** "3:48 of 8:12, with Rain" */
function Line({ tracks }: { tracks: string }) {
  const at = usePlayerState((now) => Math.floor(now.positionMs / 1000));
  const end = usePlayerState((now) => Math.floor(now.durationMs / 1000));
  return <span>{copy.with(copy.of(formatClock(at * 1000), formatClock(end * 1000)), tracks)}</span>;
}

function Progress() {
  const ref = useRef<SVGSVGElement>(null);
  const { engine } = usePlayer();
  useEffect(() => {
    const draw = () => {
      const { positionMs, durationMs } = engine.snapshot();
      ref.current?.style.setProperty("--head", String(durationMs > 0 ? positionMs / durationMs : 0));
    };
    draw();
    return engine.subscribe(draw);
  }, [engine]);
  return (
    <svg className={css.ring} viewBox="0 0 48 48" aria-hidden="true" ref={ref}>
      <circle className={css.track} cx="24" cy="24" r="22" />
      <circle className={css.arc} cx="24" cy="24" r="22" pathLength="100" />
    </svg>
  );
}

/** Elements that have their own use for the space bar. */
const OWN_SPACE = "input, button, a, select, textarea, summary, [contenteditable], dialog, [role=tab]";

/** Space plays and pauses what is in the player, wherever it is not meant for something else. */
function useSpaceKey(player: Player) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== " " || event.defaultPrevented || event.repeat || !player.now.get()) return;
      if (event.target instanceof Element && event.target.closest(OWN_SPACE)) return;
      event.preventDefault();
      player.toggle();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [player]);
}

/** Tells the page that its foot is taken. */
function usePlace(shown: boolean) {
  useLayoutEffect(() => {
    if (!shown) return undefined;
    const { body } = document;
    body.dataset["mini"] = "";
    return () => {
      delete body.dataset["mini"];
    };
  }, [shown]);
}

/** What the bar shows of what is in the player, and where it leads. */
function shownOf(now: NowPlaying) {
  const { meditation: m, recorded } = now;
  if (recorded) return recorded;
  const to = m.stage === Stage.READY ? paths.listen(m.id) : paths.meditation(m.id);
  return { title: m.title, ...printOf(now), to };
}

/**
 * For a press on the title on the page that it leads to: brings what plays into view, or the page's top where the page does not show it.
 * Only what is shown by another address is navigated to.
 */
function useWayBack(to: string, id: string) {
  const { pathname, search } = useLocation();
  return (event: MouseEvent) => {
    if (to.split("?")[0] !== pathname) return;
    const there = document.querySelector(`[data-plays="${CSS.escape(id)}"]`);
    if (there || to === pathname + search) event.preventDefault();
    if (there) there.scrollIntoView({ block: "center" });
    else window.scrollTo(0, 0);
  };
}

function Bar({ now }: { now: NowPlaying }) {
  const { title, scene, seed, to } = shownOf(now);
  const { engine, toggle, close } = usePlayer();
  const goBack = useWayBack(to, now.recorded?.id ?? "");
  const wanted = usePlayerState((s) => s.wanted);
  const track = usePlayerState((s) => s.loop?.id ?? "");
  const { pathname } = useLocation();
  return (
    <section className={css.mini} data-theme="dark" aria-label={copy.nowPlaying}>
      <Art scene={scene} seed={seed} w={200} h={200} theme="dark" className={css.art} />
      <Link className={css.text} to={to} state={{ from: pathname }} onClick={goBack}>
        <b>{title}</b>
        <Line tracks={track && (track.charAt(0).toUpperCase() + track.slice(1)).replaceAll("-", " ")} />
      </Link>
      <MoreButton className={css.button} />
      {wanted ? (
        <IconButton
          icon="back"
          className={css.button}
          label={copy.back}
          onClick={() => engine.seek(engine.position() - STEP_MS)}
        />
      ) : (
        <IconButton icon="close" className={css.button} label={copy.close} onClick={close} />
      )}
      <button
        type="button"
        className={css.play}
        aria-label={wanted ? copy.pause : copy.play}
        onClick={toggle}
      >
        <Progress />
        <Icon name={wanted ? "pause" : "play"} />
      </button>
      <NextStep className={css.next} />
    </section>
  );
}

/** 64 px of night at the foot of every page while a meditation is in the player and no full-size one is in view; the next step alone while an inline one is. */
export function MiniPlayer() {
  const player = usePlayer();
  const now = useStore(player.now);
  const full = useStore(player.fullPlayers);
  const rings = useStore(player.rings);
  const ended = usePlayerState(({ state }) => state === "ended");
  const shown = now !== null && full === 0;
  useSpaceKey(player);
  usePlace(shown);
  if (shown) return <Bar now={now} />;
  return rings > 0 && ended ? (
    <aside data-theme="dark" aria-label={copy.next.region}>
      <NextStep className={classes(css.next, css.alone)} />
    </aside>
  ) : null;
}
