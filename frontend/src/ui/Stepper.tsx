import { product as copy } from "@/copy/product";
import { IconButton } from "./Button";
import css from "./Stepper.module.css";

interface StepperProps {
  /** Of what: the group's and the buttons' names say it. */
  name: string;
  quantity: number;
  /** By one more, or one fewer. */
  onStep: (by: 1 | -1) => void;
  /** There can be no more of it. */
  most?: boolean;
}

/** How many, with minus and plus. At none there is nothing to take away. */
export function Stepper({ name, quantity, onStep, most = false }: StepperProps) {
  return (
    <div className={css.stepper} role="group" aria-label={copy.quantityOf(name)}>
      <IconButton
        icon="minus"
        label={copy.fewer(name)}
        aria-disabled={quantity < 1 || undefined}
        onClick={() => quantity > 0 && onStep(-1)}
      />
      <output aria-live="polite">{quantity}</output>
      <IconButton
        icon="plus"
        label={copy.more(name)}
        aria-disabled={most || undefined}
        onClick={() => !most && onStep(1)}
      />
    </div>
  );
}
