import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { player as copy } from "@/copy/player";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { formatClock } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Art } from "@/ui/Art";
import { IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import "@/styles/components/mini.css";
import "./player.css";
import { useNowPlaying, usePlayer } from "./hooks";
import { player } from "./runtime";
import { sceneOf } from "@/art/meditation-scene";

/** "3:48 of 8:12, with Rain" */
function Line({ tracks }: { tracks: string }) {
  const at = usePlayer((now) => Math.floor(now.positionMs / 1000));
  const end = usePlayer((now) => Math.floor(now.durationMs / 1000));
  return <span>{copy.with(copy.of(formatClock(at * 1000), formatClock(end * 1000)), tracks)}</span>;
}

function Progress() {
  const ref = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const draw = () => {
      const { positionMs, durationMs } = player.engine.snapshot();
      ref.current?.style.setProperty("--head", String(durationMs > 0 ? positionMs / durationMs : 0));
    };
    draw();
    return player.engine.subscribe(draw);
  }, []);
  return (
    <svg className="ring" viewBox="0 0 48 48" aria-hidden="true" ref={ref}>
      <circle className="ring__track" cx="24" cy="24" r="22" />
      <circle className="dial__arc" cx="24" cy="24" r="22" pathLength="100" />
    </svg>
  );
}

/** 64 px of night at the foot of every page while a meditation is in the player. */
export function MiniPlayer() {
  const now = useNowPlaying();
  const wanted = usePlayer((s) => s.wanted);
  const track = usePlayer((s) => s.loop?.id ?? "");
  const { pathname } = useLocation();
  if (!now) return null;
  const m = now.meditation;
  const ready = m.stage === Stage.READY;
  const to = ready ? paths.listen(m.id) : paths.meditation(m.id);
  return (
    <section className="mini" data-theme="dark" aria-label={copy.nowPlaying}>
      <Art scene={sceneOf(m.typeId)} seed={m.title} w={200} h={200} theme="dark" />
      <Link className="mini__text" to={to} state={{ from: pathname }}>
        <b>{m.title}</b>
        <Line tracks={track && track.charAt(0).toUpperCase() + track.slice(1)} />
      </Link>
      {wanted ? (
        <IconButton
          icon="back"
          label={copy.back}
          onClick={() => player.engine.seek(player.engine.position() - 15_000)}
        />
      ) : (
        <IconButton icon="close" label={copy.close} onClick={player.close} />
      )}
      <button
        type="button"
        className="play"
        aria-label={wanted ? copy.pause : copy.play}
        onClick={player.toggle}
      >
        <Progress />
        <Icon name={wanted ? "pause" : "play"} />
      </button>
    </section>
  );
}
