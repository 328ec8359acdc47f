import { useEffect, useId, useRef, useState } from "react";
import type { CareCause } from "@/copy/care";
import { care, COUNTRIES, countryOf, OTHER } from "@/copy/care";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Field";
import { QuickExit } from "@/ui/QuickExit";
import css from "./Care.module.css";
import { careCountry } from "./care-model";
import { Grounding } from "./Grounding";

const hereabouts = (): string =>
  careCountry(Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.languages);

/** Where people answer in a country, with the emergency number first. */
function Helplines() {
  const [code, setCode] = useState(hereabouts);
  const { emergency, lines } = countryOf(code);
  return (
    <>
      <p className={css.danger}>
        {emergency ? <a href={`tel:${emergency}`}>{care.danger(emergency)}</a> : care.dangerElsewhere}
      </p>
      <ul className={css.lines} aria-label={care.lines}>
        {lines.map((line) => (
          <li key={line.name}>
            <span className={css.name}>{line.name}</span>
            <span className={css.about}>{line.about}</span>
            <span className={css.ways}>
              {line.ways.map(({ href, action }) => (
                <a key={href} href={href}>
                  {action}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Select label={care.country} value={code} onChange={(event) => setCode(event.target.value)}>
        {Object.entries(COUNTRIES).map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        <option value={OTHER}>{care.elsewhere}</option>
      </Select>
    </>
  );
}

interface CareProps {
  cause: CareCause;
  /** How often it was called for. It takes the focus with each, which brings it into view and has it read out. */
  calls: number;
  onBack: () => void;
}

/** Words of care, helplines and the grounding, in the cover's place. Nothing of the title is repeated. */
export function Care({ cause, calls, onBack }: CareProps) {
  const panel = useRef<HTMLElement>(null);
  const titleId = useId();
  const textId = useId();
  useEffect(() => {
    if (calls === 0) return; // from an earlier visit: it stands there, and the page begins at its top
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "start" });
  }, [calls]);
  return (
    <section
      ref={panel}
      className={css.care}
      data-care
      aria-labelledby={titleId}
      aria-describedby={textId}
      tabIndex={-1}
    >
      <h2 id={titleId}>{care.title[cause]}</h2>
      <p id={textId}>{care.text[cause]}</p>
      <QuickExit />
      <Helplines />
      <Grounding />
      {care.end[cause] ? <p className={css.free}>{care.end[cause]}</p> : null}
      <Button className={css.back} onClick={onBack}>
        {care.back}
      </Button>
    </section>
  );
}
