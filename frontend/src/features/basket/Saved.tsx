import { basket } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import { fullNameOf, isMembership, isPack, nameOf, pictureOf, savedOn } from "@/data/basket-lines";
import type { BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { now } from "@/lib/clock";
import { formatMoney } from "@/lib/money";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { ItemPicture } from "@/ui/ItemPicture";
import { TextButton } from "@/ui/TextButton";
import css from "./Saved.module.css";

const copy = basket.later;

function factsOf(line: BasketLine): string {
  const size = line.size && !isMembership(line) ? basket.size(line.size) : "";
  const many = line.quantity > 1 ? copy.quantity(line.quantity) : "";
  return [size, many, formatMoney(line.price), savedOn(line, now())].filter(Boolean).join(", ");
}

function SavedLine({ line }: { line: BasketLine }) {
  const { save, remove } = useBasket();
  const name = fullNameOf(line);
  return (
    <li className={css.line}>
      <ItemPicture {...pictureOf(line)} small />
      <div className={css.words}>
        <h3 className={isPack(line) ? css.number : undefined}>{nameOf(line)}</h3>
        <p>{factsOf(line)}</p>
        {line.unavailable ? <p className={css.fault}>{basket.unavailable}</p> : null}
      </div>
      <div className={css.acts}>
        <Button small aria-label={basket.of(copy.back, name)} onClick={() => void save(line, false)}>
          {copy.back}
        </Button>
        <TextButton aria-label={basket.of(basket.remove, name)} onClick={() => void remove(line)}>
          {basket.remove}
        </TextButton>
      </div>
    </li>
  );
}

/** What waits, and why. `alone`: a membership is in the basket. */
export function Saved({ lines, alone }: { lines: readonly BasketLine[]; alone: boolean }) {
  const member = useMember();
  if (lines.length === 0) return null;
  return (
    <section className={css.saved} aria-labelledby="saved">
      <h2 id="saved">{copy.title}</h2>
      <p>{alone ? copy.alone : [member ? copy.kept : "", copy.text].filter(Boolean).join(" ")}</p>
      <ul className={css.lines}>
        {lines.map((line) => (
          <SavedLine key={line.id} line={line} />
        ))}
      </ul>
    </section>
  );
}
