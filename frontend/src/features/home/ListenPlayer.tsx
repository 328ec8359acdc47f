import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { home } from "@/copy/home";
import { useAppData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { useSample } from "@/player/sample/useSample";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import css from "./Listen.module.css";

const words = home.listen;
/** The sound that the text speaks of; without it the first there is. */
const SOUND = "rain";

function Player() {
  const [pressed, press] = useState(false);
  const { data: page } = useQuery(GeneratorService.method.getGenerator, {}, { enabled: pressed });
  const track = page?.tracks.find(({ id }) => id === SOUND) ?? page?.tracks[0];
  const { wanted, toggle, lines, spoken, trouble } = useSample(track);
  return (
    <>
      <Button
        look="primary"
        onClick={() => {
          press(true);
          toggle();
        }}
      >
        <Icon name={wanted ? "pause" : "play"} />
        {wanted ? words.pause : words.play}
      </Button>
      <p className={css.line} aria-hidden="true">
        {lines[spoken]?.text}
      </p>
      <p role="status" className={css.status}>
        {trouble}
      </p>
      {lines.length > 0 ? (
        <details className={css.words}>
          <summary>{words.words}</summary>
          {lines.map(({ text }) => (
            <p key={text}>{text}</p>
          ))}
        </details>
      ) : null}
    </>
  );
}

/** The home page stands without the gateway: this part of it brings its own way there. */
export default function ListenPlayer() {
  return (
    <DataProvider data={useAppData()}>
      <Player />
    </DataProvider>
  );
}
