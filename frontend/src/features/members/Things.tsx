import css from "./Things.module.css";

interface Thing {
  id: string;
  name: string;
  /** Size, number and day, in one line. */
  note: string;
  price: string;
}

/** A plain list of things with their prices. */
export function Things({ label, things }: { label: string; things: readonly Thing[] }) {
  return (
    <ul className={css.things} aria-label={label}>
      {things.map(({ id, name, note, price }) => (
        <li key={id} className={css.thing}>
          <p>
            {name}
            <small>{note}</small>
          </p>
          <p className={css.price}>{price}</p>
        </li>
      ))}
    </ul>
  );
}
