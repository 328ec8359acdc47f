import { useEffect, useState } from "react";
import { errors } from "@/copy/errors";
import { Loader } from "./Marks";
import css from "./PageLoader.module.css";
import { TextButton } from "./TextButton";

/** From here on somebody wonders whether anything will come (ms). */
export const LATE_MS = 8_000;

/** In the place of a page while it comes; keeps the footer below the fold, so that nothing jumps. */
export function PageLoader({ label }: { label: string }) {
  const [late, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={css.page}>
      <Loader label={label} />
      <p className={css.late} role="status">
        {late ? (
          <>
            {errors.late} <TextButton onClick={() => window.location.reload()}>{errors.reload}</TextButton>
          </>
        ) : null}
      </p>
    </div>
  );
}
