import { basket as copy } from "@/copy/basket";
import { MOST, useBasket } from "@/data/basket";
import { factsOf, fullNameOf, isMembership, isPack, nameOf, pictureOf } from "@/data/basket-lines";
import type { BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { formatMoney, times } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { ItemPicture } from "@/ui/ItemPicture";
import { Stepper } from "@/ui/Stepper";
import { TextButton } from "@/ui/TextButton";
import css from "./Line.module.css";
import { PayYearly } from "./PayYearly";

function Quantity({ line }: { line: BasketLine }) {
  const { change } = useBasket();
  if (isMembership(line))
    return <span className={css.once}>{line.size === "year" ? copy.yearly : copy.monthly}</span>;
  if (line.quantityFixed) return <span className={css.once}>{copy.onePack}</span>;
  return (
    <Stepper
      name={fullNameOf(line)}
      quantity={line.quantity}
      most={line.quantity >= MOST}
      onStep={(by) => void change(line, by)}
    />
  );
}

function Price({ line }: { line: BasketLine }) {
  const period = line.size === "year" ? copy.aYear : copy.aMonth;
  return (
    <p className={css.price}>
      {formatMoney(times(line.price, line.quantity))}
      {isMembership(line) ? <small>{period}</small> : null}
      {line.quantity > 1 ? <small>{copy.each(formatMoney(line.price))}</small> : null}
    </p>
  );
}

function Name({ line }: { line: BasketLine }) {
  if (isPack(line)) return line.name;
  return <Link to={isMembership(line) ? paths.memberships : paths.apparel}>{nameOf(line)}</Link>;
}

/** One thing that is bought now. */
export function Line({ line }: { line: BasketLine }) {
  const { save, remove } = useBasket();
  const facts = factsOf(line);
  const name = fullNameOf(line);
  return (
    <li className={css.line}>
      <ItemPicture {...pictureOf(line)} />
      <div className={css.words}>
        <h2 className={isPack(line) ? css.number : undefined}>
          <Name line={line} />
        </h2>
        {facts ? <p>{facts}</p> : null}
        {line.was ? <p className={css.news}>{copy.was(formatMoney(line.was))}</p> : null}
        {line.unavailable ? <p className={css.fault}>{copy.unavailable}</p> : null}
        <p className={css.acts}>
          {isMembership(line) && line.size === "month" ? <PayYearly line={line} /> : null}
          <TextButton aria-label={copy.of(copy.saveForLater, name)} onClick={() => void save(line, true)}>
            {copy.saveForLater}
          </TextButton>
          <TextButton aria-label={copy.of(copy.remove, name)} onClick={() => void remove(line)}>
            {copy.remove}
          </TextButton>
        </p>
      </div>
      <div className={css.quantity}>
        <Quantity line={line} />
      </div>
      <Price line={line} />
    </li>
  );
}
