import { orderSuccess } from "@/copy/checkout";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Art } from "@/ui/Art";
import css from "./NextSteps.module.css";

const copy = orderSuccess.onward;

/** Ways into what every member has, each with a print. */
const WAYS = [
  { ...copy.make, to: paths.generator, scene: "Stress Relief", seed: 12 },
  { ...copy.listen, to: paths.library, scene: "Better Sleep", seed: 3 },
  { ...copy.read, to: paths.articles, scene: "Loving Kindness", seed: 4 },
] as const;

/** Where to go from an order that is paid. */
export const NextSteps = () => (
  <section className={css.onward} aria-labelledby="onward">
    <h2 id="onward">{copy.title}</h2>
    <div className={css.ways}>
      {WAYS.map(({ to, title, text, scene, seed }) => (
        <article key={to} className={css.way}>
          <Art scene={scene} seed={seed} w={480} h={320} className={css.art} />
          <h3>
            <Link to={to}>{title}</Link>
          </h3>
          <p>{text}</p>
        </article>
      ))}
    </div>
  </section>
);
