import { useQuery } from "@connectrpc/connect-query";
import { useId, useRef, useState } from "react";
import { care } from "@/copy/care";
import { repeated } from "@/data/repeat";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { usePlayer } from "@/player/hooks";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { spokenAt } from "./care-model";
import css from "./Grounding.module.css";

const copy = care.grounding;
/** How to ask while there is no recording: for about ten minutes. */
const ASK_AGAIN = { firstMs: 3_000, mostMs: 30_000, times: 25 };

/** Shown until the server has said which line is spoken when. */
const WORDS = copy.words.map((text) => ({ text }));

/**
 * Serein's own short recording for a hard moment, with its words, which are shown without the recording too. Its player is
 * separate, so a meditation keeps its place.
 */
export function Grounding() {
  const { engine } = usePlayer();
  const sound = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [broken, setBroken] = useState(false);
  const [spoken, setSpoken] = useState(-1);
  const titleId = useId();
  const { data, failureCount, errorUpdateCount, isPaused } = useQuery(
    GeneratorService.method.getGrounding,
    {},
    { refetchInterval: (query) => (query.state.data ? false : repeated(query, ASK_AGAIN)) },
  );
  // The first of these counts tries from the last request on, the second requests.
  const away = !data && (failureCount > 0 || errorUpdateCount > 0 || isPaused);
  const over = errorUpdateCount > ASK_AGAIN.times;
  const toggle = () => {
    const audio = sound.current;
    if (!audio) return;
    if (!audio.paused) return audio.pause();
    // Two voices at once would help nobody.
    engine.pause();
    setBroken(false);
    if (audio.error) audio.load();
    audio.play().catch(() => setBroken(true));
  };
  return (
    <section className={css.grounding} aria-labelledby={titleId}>
      <h3 id={titleId}>{copy.title}</h3>
      <p>{copy.text}</p>
      <Button look="tint" onClick={toggle} unavailable={!data} className={css.play}>
        <Icon name={playing ? "pause" : "play"} />
        {playing ? copy.pause : copy.play}
      </Button>
      <p role="status" className={css.status}>
        {broken ? copy.broken : away ? copy[over ? "over" : "away"] : ""}
      </p>
      {data ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- every line stands below, marked as it is said
        <audio
          ref={sound}
          src={data.audioUrl}
          preload="auto"
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onError={() => setBroken(true)}
          onTimeUpdate={(event) => setSpoken(spokenAt(data.lines, event.currentTarget.currentTime * 1000))}
        />
      ) : null}
      <ol className={css.lines} aria-label={copy.lines}>
        {(data?.lines ?? WORDS).map(({ text }, i) => (
          <li key={text} aria-current={i === spoken ? "true" : undefined}>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
