import type { ComponentProps } from "react";
import { useState } from "react";
import type { Limits } from "./settings";
import { within } from "./settings";

/**
 * A field for a number within limits. What is typed stands as it is while somebody types; the nearest number that is allowed counts, and takes its place
 * when the field is left.
 */
export function useNumber(value: number, limits: Limits, onChange: (value: number) => void) {
  const [typed, type] = useState<string | null>(null);
  const field: ComponentProps<"input"> = {
    type: "number",
    inputMode: "numeric",
    min: limits.least,
    max: limits.most,
    step: limits.step,
    value: typed ?? value,
    onChange: (event) => {
      type(event.target.value);
      if (event.target.value !== "") onChange(within(Number(event.target.value), limits, value));
    },
    onBlur: () => type(null),
  };
  return { limits, field };
}
