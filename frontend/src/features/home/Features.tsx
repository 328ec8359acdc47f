import type { ReactNode } from "react";
import { Link } from "react-router";
import { home } from "@/copy/home";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { signIn } from "@/lib/sign-in";
import { Art } from "@/ui/Art";
import { GoInside } from "@/ui/Button";
import { Ring } from "@/ui/Ring";

function Card({
  title,
  text,
  go,
  show,
  open,
}: {
  title: string;
  text: string;
  go: string;
  show: ReactNode;
  /** A path, or what a press does. */
  open: string | (() => void);
}) {
  return (
    <article className="f">
      <div className="f__show" aria-hidden="true">
        {show}
      </div>
      <div className="f__text">
        <h3>
          {typeof open === "string" ? (
            <Link to={open}>{title}</Link>
          ) : (
            <button type="button" onClick={open}>
              {title}
            </button>
          )}
        </h3>
        <p>{text}</p>
        <span className="go">
          <GoInside>{go}</GoInside>
        </span>
      </div>
    </article>
  );
}

const Says = (
  <div className="says" data-theme="dark">
    <Ring size={196} share={0.62} track={1.5} arc={5} />
    <p>{home.features.bespoke.says}</p>
  </div>
);

const Fan = (
  <div className="fan">
    <Art scene="Compassion" seed="3" w={200} h={250} />
    <Art scene="Relationships" seed="2" w={200} h={250} />
    <Art scene="Mindfulness" seed="2" w={200} h={250} />
  </div>
);

const Shore = <Art scene="Stress Relief" seed="5" w={600} h={420} className="shore" />;

export function Features() {
  const member = useMember();
  const { title, bespoke, ambience, journey } = home.features;
  return (
    <section className="features wrap" id="product" aria-labelledby="product-title">
      <div className="head">
        <h2 id="product-title">{title}</h2>
      </div>
      <div className="f-grid">
        <Card {...bespoke} show={Says} open={paths.generator} />
        <Card {...ambience} show={Shore} open={paths.generator} />
        <Card
          {...journey}
          go={member ? journey.go : journey.join}
          show={Fan}
          open={member ? paths.journey : () => signIn()}
        />
      </div>
    </section>
  );
}
