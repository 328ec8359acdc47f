import { useEffect, useId, useRef, useState } from "react";
import { topUp as copy } from "@/copy/top-up";
import { useBasket } from "@/data/basket";
import type { GetTopUpsResponse, TopUp } from "@/gen/serein/web/v1/shop_pb";
import { AddOutcome } from "@/gen/serein/web/v1/basket_pb";
import { formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Note } from "@/ui/States";
import css from "./TopUp.module.css";

interface PackProps {
  pack: TopUp;
  name: string;
  chosen: boolean;
  inBasket: boolean;
  onChoose: () => void;
}

function Facts({ pack, inBasket }: Pick<PackProps, "pack" | "inBasket">) {
  const saving = pack.saving > 0 ? copy.saved(pack.saving) : "";
  return (
    <>
      <span>
        <b>{formatNumber(Number(pack.credits))}</b> {copy.credits}
      </span>
      <span className={css.saving}>{inBasket ? copy.inBasket : saving}</span>
      <b>{formatMoney(pack.price)}</b>
    </>
  );
}

function Pack({ pack, name, chosen, inBasket, onChoose }: PackProps) {
  return (
    <label className={css.pack}>
      <input type="radio" name={name} checked={chosen} onChange={onChoose} />
      <Facts pack={pack} inBasket={inBasket} />
    </label>
  );
}

/** What the chosen pack's button does. */
function Act({ pack, inBasket, onClose }: { pack: TopUp; inBasket: boolean; onClose: () => void }) {
  const { add, pending } = useBasket();
  const [saved, setSaved] = useState(false);
  const way = useRef<HTMLAnchorElement>(null);
  const [added, setAdded] = useState(false);
  useEffect(() => {
    // The button that was pressed has given way to it.
    if (added && inBasket) way.current?.focus({ preventScroll: true });
  }, [added, inBasket]);
  const put = async () => {
    const outcome = await add({ productId: pack.id, size: "", name: pack.name });
    setSaved(outcome === AddOutcome.SAVED);
    setAdded(true);
  };
  if (inBasket)
    return (
      <ButtonLink ref={way} look="primary" wide to={paths.basket} onClick={onClose}>
        {copy.toBasket}
      </ButtonLink>
    );
  return (
    <>
      <Button
        look="primary"
        wide
        pending={pending}
        unavailable={!pack.purchasable}
        aria-describedby="pack-why"
        onClick={() => void put()}
      >
        {copy.add(formatMoney(pack.price))}
      </Button>
      <div id="pack-why" role="status" className={css.status}>
        {pack.purchasable ? null : <Note>{copy.unavailable}</Note>}
        {saved ? <Note>{copy.alone}</Note> : null}
      </div>
    </>
  );
}

/** The packs to choose of, and one button. */
export function Packs({ answer, onClose }: { answer: GetTopUpsResponse; onClose: () => void }) {
  const { topUps, allowed, trial } = answer;
  const { basket } = useBasket();
  const name = useId();
  // The second is the first that saves something.
  const [chosenId, choose] = useState("");
  const chosen =
    topUps.find(({ id }) => id === chosenId) ?? topUps.find(({ saving }) => saving > 0) ?? topUps[0];
  const isThere = ({ id, inBasket }: TopUp) =>
    basket ? basket.lines.some(({ productId }) => productId === id) : inBasket;
  const immersive = formatNumber(Math.floor(Number(chosen?.credits ?? 0n) / 2));
  return (
    <>
      {allowed ? null : (
        // A member who may buy none sees what there is, with nothing to choose.
        <ul className={css.packs} aria-label={copy.packs}>
          {topUps.map((pack) => (
            <li key={pack.id} className={css.pack}>
              <Facts pack={pack} inBasket={isThere(pack)} />
            </li>
          ))}
        </ul>
      )}
      {allowed && chosen ? (
        <>
          <fieldset className={css.packs}>
            <legend className="sr">{copy.packs}</legend>
            {topUps.map((pack) => (
              <Pack
                key={pack.id}
                pack={pack}
                name={name}
                chosen={pack === chosen}
                inBasket={isThere(pack)}
                onChoose={() => choose(pack.id)}
              />
            ))}
          </fieldset>
          <Act key={chosen.id} pack={chosen} inBasket={isThere(chosen)} onClose={onClose} />
          <p className={css.means}>{copy.means(formatNumber(Number(chosen.credits)), immersive)}</p>
        </>
      ) : null}
      {allowed ? null : (
        <ButtonLink look="primary" wide to={paths.memberships} onClick={onClose}>
          {trial ? copy.upgrade : copy.memberships}
        </ButtonLink>
      )}
    </>
  );
}
