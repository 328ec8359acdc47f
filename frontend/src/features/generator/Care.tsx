import { useEffect, useId, useRef, useState } from "react";
import { care, COUNTRIES, countryOf, OTHER } from "@/copy/care";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Field";
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

/**
 * Words of care in place of a meditation, where the title speaks of a crisis. It takes the focus when it comes,
 * which brings it into view and has it read out; it repeats nothing of the title.
 */
export function Care({ onBack }: { onBack: () => void }) {
  const panel = useRef<HTMLElement>(null);
  const titleId = useId();
  const textId = useId();
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "start" });
  }, []);
  return (
    <section
      ref={panel}
      className={css.care}
      aria-labelledby={titleId}
      aria-describedby={textId}
      tabIndex={-1}
    >
      <h2 id={titleId}>{care.title}</h2>
      <p id={textId}>{care.text}</p>
      <Helplines />
      <Grounding />
      <p className={css.free}>
        {care.free} {care.unsure}
      </p>
      <Button className={css.back} onClick={onBack}>
        {care.back}
      </Button>
    </section>
  );
}
